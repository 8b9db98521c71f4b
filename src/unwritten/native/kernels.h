// Every kernel of the library. None of them knows Python; each is in the file of its section.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sparse_labels.h"
#include "view.h"
#include "watch.h"

namespace unwritten {

// Set s has the members members[starts[s]], …, members[starts[s + 1] − 1].
struct SetList {
    std::vector<std::int32_t> members;
    std::vector<std::int64_t> starts{0};

    void add(const std::vector<std::int32_t> &set) {
        members.insert(members.end(), set.begin(), set.end());
        starts.push_back(static_cast<std::int64_t>(members.size()));
    }
    std::size_t size() const { return starts.size() - 1; }
};

// --- bit_counts.cpp

// The number of bits that are 1 in both sets of words.
std::int32_t common_bits(const std::uint64_t *one, const std::uint64_t *other, std::size_t words);

// Entry (i, j) counts the bits that are 1 in both row i and row j of `supports` (width × words): width × width.
// Nothing is returned if the watch stopped the count.
std::unique_ptr<std::int32_t[]> common_counts(Matrix<const std::uint64_t> supports, Watch &watch);

// --- halfspaces.cpp

// 1 for each label with weights · y ≤ limits in every row of `weights` (k × d), else 0; all 0 if the watch stopped
// the test. Sums are added from the first column to the last.
std::vector<std::uint8_t> labels_within(SparseLabels labels, Matrix<const double> weights, View<const double> limits,
                                        Watch &watch);

// --- obeyed_rules.cpp

// Rule r has the columns and coefficients from starts[r] to starts[r + 1]; it is an equality or "at most".
struct SparseRules {
    View<const std::int64_t> starts;
    View<const std::int32_t> columns;
    View<const std::int64_t> coefficients;
    View<const std::int64_t> rhs;
    View<const std::uint8_t> equality;
};

// 1 for each label (m × d) that obeys every rule, else 0; all 0 if the watch stopped the test. No sum may pass 64 bits.
std::vector<std::uint8_t> labels_obeying(Matrix<const std::int64_t> labels, SparseRules rules, Watch &watch);

// --- matched_marginals.cpp

// The probabilities (m × d) nearest to the given ones, in relative entropy, whose expected sums obey every rule within
// `tolerance`, as far as `sweeps` passes over the rules reach. A probability that need not move keeps its bits.
std::vector<double> matched_marginals(Matrix<const double> probabilities, SparseRules rules, std::int64_t sweeps,
                                      double tolerance, Watch &watch);

// --- literal_forest.cpp

// Rows of literals (2j: variable j is 1; 2j + 1: it is 0), of which exactly (kind 0), at most (1) or at least one (2) is
// true. Rows and variables form a forest: each row has at least two literals, its first one is nearer to the root, and
// every row comes after the rows of the subtrees of its other literals.
struct LiteralForest {
    View<const std::int32_t> starts, literals, kinds;
};

// The label with the largest w · y under the rows, for every row of `weights` (m × d): m × d.
std::vector<std::int64_t> forest_labels(Matrix<const double> weights, LiteralForest forest, Watch &watch);

// --- closure.cpp

struct Implications {
    View<const std::int32_t> tails, heads;  // if variable tails[k] is 1, variable heads[k] is 1
};

// The label with the largest w · y that obeys all implications, for every row of `weights` (m × d): m × d.
std::vector<std::int64_t> closure_labels(Matrix<const double> weights, Implications arcs, Watch &watch);

// --- best_labels.cpp

struct BestLabels {
    std::vector<std::int64_t> label;
    std::vector<double> value;
};

// For each row of `weights` (m × d), the label of the largest value, and its value, added from the first column to the
// last. Of labels whose value is within `equal` of the largest, the first is taken. There is at least one label;
// `by_column` lists the same entries by column. Nothing is returned if the watch stopped the search.
BestLabels best_labels(SparseLabels labels, SparseLabels by_column, Matrix<const double> weights,
                       View<const double> equal, Watch &watch);

// --- row_sums.cpp

// w_i · y_i for every row of `weights` (m × d) and the same row of `labels` (m × d, or one row for all).
std::vector<double> row_values(Matrix<const double> weights, Matrix<const std::int64_t> labels, Watch &watch);

// |w_i| · reach for every row of `weights` (m × d).
std::vector<double> reach_values(Matrix<const double> weights, View<const std::int64_t> reach, Watch &watch);

// The largest w_i · y with lower ≤ y ≤ upper, for every row of `weights` (m × d).
std::vector<double> box_values(Matrix<const double> weights, View<const std::int64_t> lower,
                               View<const std::int64_t> upper, Watch &watch);

// --- exact_cover.cpp

struct ExactCovers {
    SetList sets;           // members in ascending order
    bool complete = false;  // all covers were found
};

// Sets of columns with exactly one column in each example, from the examples that each column is in (columns × words).
// The search ends after `nodes` nodes, or when it would find more than `most` sets.
ExactCovers exact_covers(Matrix<const std::uint64_t> supports, std::size_t examples, std::int64_t nodes,
                         std::int64_t most, Watch &watch);

// --- cliques.cpp

// The maximal cliques of columns whose sizes add up to `total`, as far as `nodes` nodes of the search find them.
// `neighbours` has a row of bits for each column; no column is its own neighbour.
SetList maximal_cliques(Matrix<const std::uint64_t> neighbours, View<const std::int64_t> sizes, std::int64_t total,
                        std::int64_t nodes, Watch &watch);

// --- cover_search.cpp

struct CoverLimits {
    std::int64_t largest;   // columns of a cover
    std::int64_t swaps;     // swaps without a smaller cover before the search from one pair ends
    std::int64_t patience;  // searches in a row without a new cover
    std::size_t most;       // covers
    std::int64_t work;      // elementary steps of all searches
};

// Minimal sets of columns that hit every label, as rows of 0 and 1. A search starts from each pair of columns that no
// cover found so far contains. Every label must have a column.
std::vector<std::uint8_t> find_covers(Matrix<const bool> labels, Matrix<const std::int64_t> pairs,
                                      const CoverLimits &limits, std::uint64_t seed, Watch &watch);

// --- rank_sets.cpp

// For each of the 2^width sets of columns, as a bit mask: the most ones that a label has in it, and its size.
struct RankTable {
    std::vector<std::int8_t> rank, size;
};

// `masks` are the labels as bit masks.
RankTable rank_table(View<const std::int64_t> masks, std::size_t width, Watch &watch);

// Pass the least rank of a rule down to all subsets (`above`), and the greatest |T| − r(T) up to all supersets
// (`below`).
void spread(View<std::int8_t> above, View<std::int8_t> below, Watch &watch);

// --- grown_sets.cpp

// Sets of columns grown from pairs whose rank is about to rise and is at most allowed[size], as rows of 0 and 1. Each
// step adds the column that the fewest labels with the most ones in the set have, and costs two steps of `work` per
// entry of the labels.
std::vector<std::uint8_t> grow_sets(Matrix<const bool> labels, Matrix<const std::int64_t> pairs,
                                    View<const std::int64_t> allowed, std::size_t most, std::int64_t work,
                                    Watch &watch);

// --- row_walk.cpp

// Walk over rows from `start`: the right-hand side is the largest sum of the inside labels (columns × n). Step k changes
// the coefficients which[k] by changes[k], if the number of outside labels (columns × m) that obey the row grows at most
// by factors[k]. There is at least one inside label. Returns the row `[a, b]` after each `every` steps, one after the
// other.
std::vector<std::int64_t> walked_rows(View<const std::int32_t> start, Matrix<const std::uint8_t> inside,
                                      Matrix<const std::uint8_t> outside, Matrix<const std::int32_t> which,
                                      Matrix<const std::int32_t> changes, View<const double> factors, std::size_t every,
                                      Watch &watch);

// --- redrawn_labels.cpp

// Units of columns that are drawn together. Unit k has the columns from starts[k] on, and places[k] on are the values
// that it can have: `ends` are rising numbers up to 2^30, one for each value, and a random number below chooses it.
struct Units {
    View<const std::int64_t> columns, starts;
    View<const std::int64_t> ends, places;
    View<const std::int64_t> values;  // for each unit, values × columns
};

// Labels (n × d), and how many of them have each value of each unit.
struct Redrawn {
    std::vector<std::int64_t> labels, counts;
};

// Draw every unit of every label anew, `sweeps` times, where the sum of no row (rows × d) comes to lie in its forbidden
// interval from low to high. Every label has one of the values of each unit.
Redrawn redrawn_labels(Matrix<const std::int64_t> labels, const Units &units, Matrix<const std::int64_t> rows,
                       View<const std::int64_t> low, View<const std::int64_t> high, std::int64_t sweeps,
                       std::uint32_t seed, Watch &watch);

// --- gf2.cpp

// For each row of column numbers (a negative one ends it), take columns in turn while the rank over GF(2) grows, up to
// `most` of them; 1 for the columns taken. Columns are bits in words (columns × words).
std::vector<std::int64_t> take(Matrix<const std::uint64_t> codes, Matrix<const std::int64_t> order, std::int64_t most,
                               Watch &watch);

// `enough` if the columns of every row have at least this rank, else the rank of the first row that falls short.
std::int64_t least_rank(Matrix<const std::uint64_t> codes, Matrix<const std::int64_t> order, std::int64_t enough,
                        Watch &watch);

// The rank modulo 2³¹ − 1.
std::int64_t prime_rank(Matrix<const std::int64_t> matrix, Watch &watch);

}  // namespace unwritten
