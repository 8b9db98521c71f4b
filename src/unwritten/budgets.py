"""Every limit on work and memory, in one place.

A budget never decides whether a stated rule holds: it decides how much is searched, how long, and in how much memory.
Code reads a budget as `budgets.NAME` when it needs it, so that one assignment changes it everywhere.
"""

# --- Labels and memory

LIBRARY_BYTES = 2**30
"""Bytes of address space that must be free when a command starts: without them OpenBLAS exits, or never returns."""

LARGEST_LABEL = 2**31 - 1
"""Largest absolute value of a label: products of two labels stay within 64 bits."""

LARGEST_SIDE = 2**53
"""Largest absolute value of a right-hand side of a rule: floats hold every integer up to it."""

LARGEST_WEIGHT = 1e100
"""Largest absolute value of a weight: every sum of weights times labels stays finite."""

BYTE_LABEL_ENTRIES = 1 << 26
"""Entries above which 0/1 labels with BYTE_LABEL_COLUMNS or more columns are stored with one byte per entry."""

FINGERPRINT_ENTRIES = 1 << 20
"""Entries of labels that are hashed at once."""

CUT_BLOCK_ENTRIES = 1 << 24
"""Entries of a (cuts × labels) product held in memory at once."""

RULE_BLOCK_ENTRIES = 1 << 22
"""Entries of a (labels × rules) product, or of labels made 64-bit integers, held in memory at once."""

LAYOUT_CELLS = 1 << 20
"""Cells of a grid of variables, with those that no variable has; names of wider ranges are not taken for indices."""

# --- Linear algebra

LATTICE_COLUMNS = 160
"""Columns up to which a whole kernel is lattice-reduced: this takes seconds, and minutes with somewhat more columns."""

FACTORED_DENOMINATOR = 2**63
"""Denominators up to which all prime factors are tried; for larger ones only small primes are."""

NATIVE_RANK_ENTRIES = 1 << 18
"""Entries up to which a rank modulo a prime is found by a kernel of our own."""

BLOCKED_RANK_ENTRIES = 1 << 21
"""Entries above which a rank modulo a prime goes through BLAS instead of FLINT."""

# --- Tally

KEPT_LABEL_ENTRIES = 1 << 23
"""Entries of distinct labels that a stream keeps (64 MiB); above it a fair sample is kept."""

GRAM_CHUNK_ENTRIES = 1 << 22
"""Entries of labels turned into floats at once for a Gram matrix."""

BYTE_LABEL_COLUMNS = 8_192
"""Columns from which 0/1 labels are stored with one byte per entry and counted in a 32-bit Gram matrix."""

PACKED_COLUMNS = 1_024
"""Columns packed into bits at once."""

SPARSE_PAIR_WORDS = 80
"""Cost of one pair of ones in the sparse count of a Gram matrix, as a number of 64-bit words in the dense count."""

SPARSE_CHUNK_ENTRIES = 1 << 26
"""Entries of labels that are searched for ones at once."""

EQUAL_COLUMN_ENTRIES = 1 << 24
"""Entries of the Gram matrix compared at once when equal columns are sought."""

COMPONENT_STEP_COLUMNS = 64
"""Columns whose neighbours are looked up at once when components are built."""

CLOSURE_ENTRIES = 1 << 22
"""Entries of all images of the seen labels; above it only the given labels count as seen."""

SYMMETRY_IMAGES = 192
"""Images that groups are searched on, and the most trials that images add to a rule."""

CUT_IMAGES = 20_000
"""Largest number of images of cuts under symmetries."""

# --- Evidence

HYPERGEOMETRIC_EXAMPLES = 10**9
"""Examples up to which a random half is drawn exactly; above it each example flips a coin."""

TABULATED_VALUES = 1 << 10
"""Distinct values up to which the shares of an integer column are tabulated."""

SHUFFLED_LABELS = 20_000
"""Labels drawn from independent columns to estimate a chance if shares cannot be tabulated."""

CONVOLVED_REACH = 1 << 14
"""Number of values of a row up to which its probability is computed by convolution."""

# --- Mining

MINER_WORK = 50_000_000_000
"""Elementary operations of one miner and of the gate behind it: about a minute. A miner that needs more is given up."""

FACT_WORK = 50_000_000_000
"""Elementary operations of the search for facts of one kind: about half a minute. More are given up."""

FACT_CELL_WORK = 10
"""Elementary operations on one cell of a column that is read to search for facts: values are sorted and counted."""

KERNEL_WORK = 1_000
"""Elementary operations of making a kernel short, for each entry of its Gram matrix."""

# --- Miner: groups

WIDE_COLUMNS = 1_500
"""Columns from which labels are wide: groups are searched column by column, and the kernel block by block."""

GROUP_SAMPLE = 192
"""Distinct labels that groups are searched on; the groups are then verified on all labels."""

GROUP_WORK = 2_000_000_000
"""Nodes times columns of the group search: a few seconds."""

GROUPS_SEARCHED = 5_000
"""Groups after which the search stops."""

GROUPS_KEPT = 300
"""Groups kept, the smallest first, if the search was cut short."""

LOCAL_EXAMPLES = 256
"""Examples that a group of wide labels is tested on while it grows."""

LOCAL_SAMPLE = 1_024
"""Random examples from which the LOCAL_EXAMPLES and the roots of the search are chosen."""

LOCAL_WORK = 40_000_000
"""Examples looked at in all nodes of the local search: less than a minute."""

LOCAL_COLUMNS = 4_000
"""Columns around one root of the local search; a root with more is skipped."""

CLIQUE_NODES = 20_000
"""Nodes of the clique search; deep hierarchies have far too many cliques to list."""

# --- Miner: equalities

SHORTENED_ENTRIES = 1 << 24
"""Entries of equalities up to which they are shortened by each other."""

UNSETTLED_LATTICE_COLUMNS = 160
"""Columns up to which a kernel that the examples do not settle is searched for short rows with enough evidence."""

UNSETTLED_ROWS = 120
"""Equalities up to which such a kernel is searched in more columns: its lattice is small then."""

PURSUED_COLUMNS = 12
"""Columns of an equality that is searched for one column at a time, where the whole kernel is not searched."""

PURSUIT_WORK = 1_000_000_000
"""Multiplications of the search for equalities of few columns: a second or two."""

BLOCK_SETS = 1_000
"""Sets of two and three blocks of columns whose kernels are searched one by one."""

BLOCK_ROWS_REDUCED = 250
"""Equalities of one block of wide labels up to which they are made short."""

WIDE_ROWS_REDUCED = 10_000
"""Equalities of all blocks together that are made short."""

WIDE_RANK_COLUMNS = 6_000
"""Columns of a block up to which its rank is computed: at most half a minute."""

# --- Miner: gaps

GAP_DIFFERENCES = 100_000_000
"""Largest number of differences of two columns, over all labels, that are counted."""

GAP_PAIRS = 50_000
"""Largest number of pairs of columns whose differences are counted."""

GAP_SPAN = 4_096
"""Largest distance between two values of a column whose differences are counted."""

GAP_VALUES = 64
"""Largest number of values of a variable that gets a 0/1 variable for each of them when gaps become rows."""

VALUES_OF_ONE = 12
"""Largest number of values of an integer whose values are counted: it is a code, not an amount."""

VALUE_LATENTS = 500
"""Largest number of values of all integers together that are counted."""

RULER_MARKS = 12
"""Columns of a line of marks, up to which it is looked whether all their differences differ: 12 have 1,275 sums."""

# --- Miner: pairs

PAIR_CANDIDATES = 100_000
"""Largest number of candidate pairs; those with most evidence come first."""

PAIR_BLOCK_ENTRIES = 1 << 22
"""Pairs of columns compared at once."""

ROW_OPTIONS = 2_000
"""Literals of one linear row up to which they are compared pairwise."""

# --- Miners: covers, ranks, matroids

SET_COLUMNS = 250
"""Columns up to which covers, ranks and matroids are searched for."""

SET_EXAMPLES = 5_000
"""Examples that covers, ranks and matroids are searched on."""

LISTED_EXAMPLES = 1 << 24
"""Examples up to which all of them are listed to draw a sample."""

COVER_WORK = 1_000_000_000
"""Elementary steps of the cover search: a few seconds."""

COVER_SWAPS = 300
"""Swaps without a smaller cover before one start of the cover search ends."""

COVER_PATIENCE = 60
"""Starts in a row without a new cover before the cover search ends."""

COVER_STARTS = 5_000
"""Pairs of columns that the cover search starts from."""

COVERS_FOUND = 2_000
"""Covers after which the cover search ends."""

MATROID_PATIENCES = (60, 400)
"""Patiences of the cover search for a matroid: the second is tried if the first finds many covers but not enough."""

MATROID_LEADS = 8
"""Covers tried as the first row of a matroid: a false first cover would reject all true ones."""

MATROID_COVERS = 4
"""Covers tried for a matroid, as a multiple of its rank."""

MATROID_BATCHES = 16
"""Batches of random bases that the labels are compared with."""

MATROID_BATCH = 1_000
"""Random bases in one batch."""

MATROID_FITTED = 2_000
"""Random bases that are drawn to fit their column shares to those of the labels."""

MATROID_ROTATIONS = 8
"""Orders of a label's columns in which broken rows of a matroid are searched for."""

RANK_COLUMNS_LISTED = 22
"""Columns up to which all 2^d sets are listed for rank rules."""

RANK_WORK = 300_000_000
"""Elementary steps of growing sets for rank rules if there are too many sets to list."""

RANK_RULES_LISTED = 20_000
"""Rank rules after which listing stops."""

RANK_RULES_GROWN = 2_000
"""Rank rules after which growing stops."""

# --- Bounds from labels alone

BOUND_SCOPES = 100_000
"""Sums over scopes that are tried; the plainest families come first. The same for differences, and for links."""

BOUND_ENTRIES = 1 << 23
"""Sums (rows × labels, or rows × values) that are held at once; a form with more sums is left out."""

BOUND_LABEL_ENTRIES = 1 << 22
"""Integers of distinct labels that bounds are searched in; all labels are used to verify them."""

BOUND_SPAN = 1 << 13
"""Values of integer columns, over all of them together, up to which their sums and differences are tried."""

BOUND_WINDOW = 14
"""Length of the longest window along an axis over which sums are tried."""

BOUND_MOVES = 4_000
"""Labels of each kind of step from a seen label, on which bounds are tested for whether they say anything new."""

EXCLUSION_WORK = 1 << 30
"""Distinct labels times the square of 0/1 columns up to which pairs of columns are weighed together."""

# --- Capacities from labels alone

CAPACITY_PSEUDO_LABELS = 12_000
"""Pseudo-labels that are drawn at a time."""

CAPACITY_LAST_PSEUDO_LABELS = 24_000
"""Pseudo-labels that are drawn for the last walk."""

CAPACITY_SWEEPS = 2
"""Times that every column of a pseudo-label is drawn anew, at least."""

CAPACITY_SPAN = 64
"""Values of one column up to which it is drawn anew."""

CAPACITY_ROWS_KEPT = 200
"""Likely rows that a walk keeps."""

CAPACITY_EXAMPLES = 200
"""Examples from which on capacities are searched for."""

CAPACITY_COLUMNS = 40
"""Columns of one row."""

CAPACITY_LABELS = 4_000
"""Distinct labels that capacities are learned from; all labels obey them."""

CAPACITY_WIDTH = 100
"""Columns of labels up to which capacities are searched for."""

CAPACITY_SLICES = 12
"""Slices of one form that are searched."""

CAPACITY_ATTEMPTS = 4
"""Attempts to find another row on all columns: a new one, or one of the others split in two."""

CAPACITY_ROWS = 4
"""Rows on all columns."""

CAPACITY_STEPS = 30_000
"""Steps of the last walk of each row; earlier ones are shorter."""

CAPACITY_FOLDS = 8
"""Folds of labels that are left out in turn."""

CAPACITY_FOLD_STEPS = 12_000
"""Steps of the walk of each row without one fold."""

# --- Miner: limits

LIMIT_COLUMNS = 300
"""Columns up to which limits are searched for."""

LIMIT_EXAMPLES_LEAST = 100
"""Examples from which on limits are stated; from fewer they are doubtful."""

LIMIT_EXAMPLES = 4_000
"""Examples that limits are searched on."""

LIMIT_WRONG = 0.01
"""Share of examples that may contradict the others: with more, weights are estimates, and prove nothing."""

LIMIT_CONTRADICTION_ENTRIES = 1 << 26
"""Examples times distinct labels up to which examples that contradict others are searched for."""

LIMIT_LISTED = 1 << 17
"""Labels within bounds and known rules up to which all are listed; above, labels near examples are looked at."""

LIMIT_MOVES = 36_000
"""Steps from an example that are tried: of as many columns at a time as this number allows, but at most 4."""

LIMIT_MOVES_KEPT = 30
"""Labels one step from an example that are kept at first, if they are worth more."""

LIMIT_COUNTEREXAMPLES = 10
"""Labels one step from an example that are added in one round, if they are worth more and obey all rows so far."""

LIMIT_ROUNDS = 6
"""Rounds of adding labels that are worth more than a chosen one although they obey all rows so far."""

LIMIT_SEARCHES = 3
"""Searches for rows from the start, after which nothing simple explains the labels that are added."""

LIMIT_QUERIES = 150
"""Examples that are decided again in one round, by an integer program."""

LIMIT_QUERY_NODES = 2_000
"""Nodes of one such integer program."""

LIMIT_LABELS_SEARCHED = 20_000
"""Excluded labels that the number of rows is searched with; the rows are then refined with all of them."""

LIMIT_STARTS = 3
"""Starts of the search for several rows."""

LIMIT_ROWS_TRIED = 3
"""Rows up to which every number of them is tried first."""

LIMIT_ROWS_SIMPLE = 4
"""Simple rows are searched for until they cost as much as so many rows over all columns."""

LIMIT_ROWS_FIRST = 12
"""Rows that a start begins with; twice as many if none can be spared, and so on."""

LIMIT_ROWS = 48
"""Most rows that a start begins with."""

LIMIT_CUTS_TRIED = 300
"""Cuts of examples from which the rows of a start are chosen."""

LIMIT_LABELS_COVERED = 5_000
"""Excluded labels that they are chosen by."""

LIMIT_TURNS = 40
"""Turns in which excluded labels are given to rows, and rows fitted to them."""

LIMIT_REFINING_TURNS = 12
"""Turns of each stage in which rows are refined."""

LIMIT_FOLDS = 5
"""Folds of seen labels that are left out in turn, to see how often limits break."""

LIMIT_WORSE_LABELS = 8_000
"""Labels that are worse than seen ones in every example, which limits must keep too."""

LIMIT_LABELS_COMPARED = 20_000
"""Labels of which nothing is claimed, that are compared with excluded ones."""

LIMIT_LP_ROUNDS = 60
"""Linear programs for one simple row, each with more labels that it must keep."""

LIMIT_STEPS_TRIED = 300
"""Excluded labels of one limit from which a step is taken, to see whether a weaker limit explains the same."""

LIMIT_NEAR_SEEN = 2_000
"""Seen labels to which the distance of excluded labels is measured."""

LIMIT_SPAN = 1_000
"""Values of one column up to which limits are searched for."""

LIMIT_NEWTON_STEPS = 5
"""Newton steps of one fit of one row."""

# --- Habits

HABIT_ENTRIES = 1 << 21
"""Entries (examples × coefficients of rules) that decide how many examples habits are judged by."""

HABIT_PAIR_COLUMNS = 100
"""Columns up to which every pair of literals that no example has is compared with the rules."""

HABIT_PART_ENTRIES = 1 << 18
"""Entries of labels in which one rule is searched for a part where it may not hold."""

# --- Noise

NOISE_ROUNDS = 8
"""Rounds of setting rows aside and counting again."""

NOISE_SOURCES = 128
"""Frequent labels whose slips are considered as the source of rare labels."""

NOISE_SAMPLES = 6
"""Samples of rows in which groups are searched for despite wrong rows."""

NOISE_SAMPLE_ROWS = 96
"""Rows of one sample for NOISE_SAMPLES."""

NOISE_GROUP_NODES = 300_000
"""Nodes of the group search in one sample: well below a second."""

NOISY_SUM_DRAWS = 40
"""Random draws of rows in which sums are searched for despite wrong rows."""

NOISY_SUM_SPARE = 8
"""Rows of one draw, in addition to twice the number of columns."""

NOISY_SUM_COLUMNS = 60
"""Integer columns up to which sums are searched for despite wrong rows."""

# --- Facts about columns

FACT_ROWS = 50_000
"""Rows of a table in which facts are searched for; they are verified on all rows."""

FACT_CELLS = 1 << 23
"""Cells of these rows: wide tables have fewer rows in the sample."""

FACT_TRIALS = 20
"""Rows in which a fact could have failed, below which it is not stated."""

FACT_NUMBERS = 60
"""Number columns among which sums and orders are searched for."""

FACT_SUM_ORDER_COLUMNS = 24
"""Number columns among which orders of sums are searched for."""

FACT_SUM_ORDER_ROWS = 10_000
"""Rows in which orders of sums are weighed."""

FACT_MISSING_LEVELS = 4
"""Shares of missing values up to which columns are searched for sums together."""

FACT_KEY_COLUMNS = 200
"""Columns that are tried as keys."""

FACT_PAIR_COLUMNS = 40
"""Columns up to which keys of several columns, and dependencies on two, are searched for."""

FACT_QUICK_ROWS = 2_000
"""Rows on which dependencies are tried first: most do not hold there."""

FACT_FEW_LEVELS = 32
"""Values of both columns up to which rules about single values say a dependency."""

FACT_RANGE_LEVELS = 1_000
"""Values of a column up to which a range of numbers is learned for each of them."""

FACT_MAPPING = 100_000
"""Values on the left of a dependency that a model keeps."""

FACT_COMBINATIONS = 100_000
"""Combinations of values that are listed to see whether a sentence follows from facts and others."""

CONDITION_CLAUSES = 10_000
"""Alternatives into which a condition is taken apart so that linear rows can say it."""

LARGEST_SWITCH = 10**9
"""How far a sum may be off where a 0/1 variable lifts its limit: solvers take a millionth of 1 for 0."""

UNKNOWN_BOUND = 2 * 10**9
"""The largest number of a column without known bounds, in exports that need one: Gecode's numbers end at 2³¹."""

NOISY_FACT_ROWS = 4_000
"""Rows of a part of a table in which facts are searched for that wrong rows hide in all of it."""

NOISY_FACT_FEWEST = 150
"""Fewest rows of such a part."""

# --- Sources

FRAME_BATCH_ROWS = 8_192
"""Rows of a data frame or of a Parquet or Arrow file in one batch."""

TABLE_COLUMNS = 100_000
"""Largest number of columns of a table."""

CSV_SAMPLE_CHARACTERS = 2**18
"""Characters of a CSV file that are read to detect its delimiter."""

CSV_CHUNK_BYTES = 2**22
"""Bytes of a CSV file read at once, and the most bytes of a row that are surely read."""

CSV_LINE_BYTES = 2**24
"""Largest number of characters of the first line of a CSV file, and of bytes of a name in it."""

JSON_LINE_CHARACTERS = 2**26
"""Largest number of characters of one line of a file of JSON lines."""

SPOOL_BYTES = 2**34
"""Bytes of the temporary file that a pipe or the answer of a database is kept in; at most half of the free disk."""

SQLITE_STEP, SQLITE_STEPS = 1_000_000, 20_000
"""Instructions of SQLite's machine in a step, and steps for one query: a view of a hostile file may have no end."""

JSON_CHARACTERS = 2**29
"""Largest number of characters of a JSON document that is not JSON lines, and must be read at once."""

EXCEL_CELLS = 1 << 26
"""Largest number of cells in the rectangle around all values of an Excel sheet: each takes 32 bytes, even if empty."""

EXCEL_BYTES = 2**31
"""Largest number of bytes that all parts of a workbook may have unpacked."""

DATABASE_ROW_BYTES = 2**24
"""Largest number of bytes of a row of a SQLite file, and of a text that a query makes."""

DATABASE_MEMORY_BYTES = 2**32
"""Largest number of bytes that DuckDB may use for a query; what does not fit is not written to the disk."""

TABLE_VARIABLES = 5_000
"""Largest number of variables that a table may have."""

TABLE_BLOCK_ENTRIES = 1 << 22
"""Entries (rows × variables) of a table that are encoded at once."""

CATEGORY_LEVELS = 1_000
"""Largest number of different values of a category, unless the user allows more."""

NUMBER_LEVELS = 32
"""Largest number of different values of an integer column that gets one 0/1 variable per value."""

IDENTIFIER_ROWS = 20
"""Rows from which a column with another value in every row counts as an identifier."""

NEW_VALUE_ROWS = 1_000
"""Rows of which less than one may bring a value that was never seen, if all values of a column are to be known."""

DECIMAL_DIGITS = 6
"""Digits after the point up to which numbers are exact decimals; numbers with more are floats."""

LARGEST_EXACT = 2**51
"""Largest integer, or decimal without its point, that facts are about: floats hold it, and sums of a few, exactly."""

CUT_FILE_ENTRIES = 1 << 22
"""Entries of weights on disk that are read at once."""

MERGED_TALLIES = 8
"""Tallies of partitions merged at a time."""

PARQUET_BATCH_ROWS = 65_536
"""Rows of a Parquet file of labels read at once."""

CHECKPOINT_SECONDS = 30.0
"""Least number of seconds between two checkpoints."""

# --- Solving

EXPLICIT_LABELS = 1_000_000
"""Partial labels held at a time while engine='explicit' lists all labels."""

EXPLICIT_LABELS_AUTO = 4_096
"""Partial labels held at a time while engine='auto' tries to list all labels: milliseconds of work."""

FRONTIER_ENTRIES = 50_000_000
"""Entries of the (partial labels × rules) table while all labels are listed."""

TESTED_LABEL_BYTES = 1 << 26
"""Memory for labels that were tested against the cuts of a model, so that none is tested again."""

BEST_FIRST_LABELS = 4_000_000
"""Labels that best-first visits for one query before it gives up and says so."""

BEST_FIRST_LABELS_WITHOUT_CUTS = 500_000
"""The same without cuts: tens of milliseconds, as long as a solver takes."""

BEST_FIRST_ENTRIES = 1 << 16
"""Rules × columns up to which engine='auto' tries best-first without cuts: its set-up takes up to a millisecond."""

CUT_TILE_ENTRIES = 1 << 25
"""Weights of cuts up to which a search keeps a transposed copy of them, in which it is faster to find a broken cut."""

PROPAGATION_NODES = 1_000_000
"""Nodes that engine='groups' visits for one query before it gives up and says so."""

PROPAGATION_NODES_FIRST = 4_000
"""Nodes that engine='groups' visits for one query before it computes multipliers."""

BEATEN_LABELS = 300_000
"""Labels that best-first visits to find out whether one label is beaten: tens of milliseconds."""

BEATEN_NODES = 4_000
"""Nodes that the search over groups visits to find out whether one label is beaten."""

BEATEN_PATIENT_QUERIES = 2
"""Labels of one call for which a longer search finds that out, if those above leave many open."""

BEATEN_LABELS_PATIENT = 1 << 23
"""Labels of a program up to which the longer search is best-first: half a second for each query."""

BEATEN_SOLVER_NODES = 50
"""Nodes that a solver visits to find that out for larger programs."""

LAZY_ROWS_ADDED = 20
"""Broken cuts that engine='lazy' adds before it solves again."""

PROVEN_BITS = 20
"""Bits of the number of labels within bounds up to which answers under limits are proven by the data without asking."""

VERIFIED_BOXES = 2_000
"""Boxes of labels that are bounded to verify that a solver's answer is the best."""

VERIFIED_BOXES_DATA = 20_000
"""The same for proof="data"."""

VERIFIED_BOXES_INFEASIBLE = 5_000
"""Boxes of labels that are bounded to verify that a program has no label: this is done once for a program."""

VERIFIED_PIVOTS_PER_BOX = 20
"""Pivots of linear programs that each of these boxes adds to the total."""

SOLVER_GRACE_SECONDS = 1.0
"""Seconds after which a solver that was told to stop, as its time is over, is abandoned."""

SOLVER_STOP_SECONDS = 0.4
"""Seconds after which it is abandoned if a person waits: after Ctrl-C."""

SOLVER_POLL_SECONDS = 0.1
"""Seconds between checks of whether a solver should stop."""

SOLVER_EXIT_SECONDS = 5.0
"""Seconds that Python waits at its end for an abandoned solver: a call from HiGHS would then abort the process."""

CONFLICT_SECONDS = 20.0
"""Seconds after which a set of clashing rows is returned even if it could be smaller."""

CONFLICT_ROWS_ADDED = 20
"""Broken cuts added in one round of the search for clashing rows."""

# --- Review

IMPLIED_CASES = 4_096
"""Combinations of column values that are tried to prove that one row is implied."""

PAIRED_SENTENCES = 50
"""Sentences of the new model that one sentence of the old model is compared with in a diff."""

REPAIR_NEIGHBOURS = 8
"""Nearest seen rows that vote for the values of a repair."""

REPAIR_CELLS = 4
"""Cells of a table's row that a repair may change."""

REPAIR_BEAM = 40
"""Changed rows with the fewest problems that are changed further."""

REPAIR_CANDIDATES = 4_000
"""Changed rows that are judged for each further cell."""

REPAIRS_SHOWN = 5
"""Repairs shown for one row."""

REPAIR_VALUES = 1_000
"""Values of one integer column that are tried as a repair."""

REPAIR_BLOCK_ENTRIES = 1 << 22
"""Integers in one block of candidate labels, which are checked together."""

# --- Language

LEVEL_PAIRS = 1 << 14
"""Pairs of levels of two columns up to which a row is tested for what it forbids, pair by pair."""

RECTANGLE_PAIRS = 512
"""Forbidden pairs of levels up to which rectangles are searched for; above, only equal lines are joined."""

RECTANGLE_LINES = 32
"""Lines up to which the intersection of every two lines is tried as the side of a rectangle."""

RULE_CHARACTERS = 100_000
"""Characters of the longest text that is read as a rule."""

PATTERN_RULES = 20_000
"""Rules up to which patterns are searched for; more are said one by one."""

PATTERN_AXES = 6
"""Axes along which a rule is moved to find others like it."""

SIBLING_PLACES = 20_000
"""Places at which the template of several rules is tried, to find rules that they lack."""

# --- Scorers

MARGINAL_LABELS = 100_000
"""Most labels that are listed for joint probabilities; above it, only the seen labels have a probability."""

MARGINAL_FRONTIER_ENTRIES = 1 << 22
"""Entries of the (partial labels × rules) table while labels are listed for joint probabilities."""

MARGINAL_BLOCK_ENTRIES = 1 << 22
"""Entries of a (queries × labels) product held in memory at once."""

MATCHING_SWEEPS = 500
"""Passes over the rules while the probabilities of one sample are moved until they obey them."""

LOOKUP_BLOCK_LABELS = 1 << 16
"""Labels of a LabelSet whose lookup keys are computed at once."""

LABELSET_LABELS = 50_000
"""Most labels that a LabelSet lists: the scores of a batch of 128 then take 26 MB."""

LABELSET_BLOCK_ENTRIES = 1 << 24
"""Entries of a (batch × labels) product held in memory at once."""

ANSWER_EXAMPLES = 40
"""Examples with weights from which a model forecasts whether rules or seen labels answer better."""

ANSWER_FOLDS = 10
"""Most folds that examples are held out in for that forecast; each fold is mined once more."""

ANSWER_QUERIES = 300
"""Most examples held out in all folds together."""

ANSWER_HARD_FOLDS = 6
"""Folds whose queries need long searches after which no other is tried."""

ANSWER_LIMIT_FOLDS, ANSWER_LIMIT_SHARE = 2, 5
"""Fewest folds if there are limits, which take long to mine; one of so many examples is held out in each."""

ANSWER_LIMIT_QUERIES = 100
"""Examples that are held out in all folds together if there are limits; with few examples that takes more folds."""

ANSWER_WORK = 1 << 21
"""Examples or cuts, times the square of the columns, in all folds together; larger ones are tried in one fold."""

ANSWER_ENTRIES = 1 << 17
"""Entries of labels that a fold is mined from; of more, a fair sample is mined."""

ANSWER_ENTRIES_MOST = 1 << 24
"""Entries of all labels above which no forecast is made."""

FORECAST_FOLDS = 10
"""Folds that the examples of a forecast are held out in."""

FORECAST_QUERIES = 1_000
"""Held-out queries that the models of a forecast answer."""

NEAR_RULE_LABELS = 3_000
"""Distinct labels up to which the examples are mined again without each fold, to find rules that few examples break."""

FEW_LABELS = 500
FOLDS_OF_FEW_LABELS = 10
FOLDS_OF_MANY_LABELS = 5
"""Folds of the labels that are left out in turn: small folds if there are few labels."""

MISSED_LABELS = 60
MISSED_EXCHANGES = 2_000
"""Labels from which the expected misses of a cover are estimated, and pairs of groups that exchange their values."""

FOLLOWING_LABELS = 20_000
"""Labels that are looked at to see whether rows follow one another."""
