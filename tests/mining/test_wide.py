"""Wide data: searches in blocks, on bits and around single columns find the same rules as those for narrow data."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

import unwritten
from benchmarks.wide import counted, families, mined, planted
from unwritten import budgets, linalg
from unwritten.data import IntArray, Variables, labels_from
from unwritten.mining.equalities.kernel import equal_columns, kernel_rows
from unwritten.mining.equalities.wide_kernel import rest_of_kernel
from unwritten.mining.groups.local_cover import local_partitions
from unwritten.mining.pairs.pair_miner import find_pairs
from unwritten.rules import RuleSet
from unwritten.samples import sudoku
from unwritten.tally import Tally, gram_of
from unwritten.tally.components import Components
from unwritten.tally.equal_columns import first_equal_columns
from unwritten.tally.wide_gram import gram_of_wide


def rows_of(rules: RuleSet) -> set[tuple[bytes, int, bool]]:
    """Turn rules into a set of rows, so that two rule sets can be compared."""
    return {
        (row.tobytes(), int(rhs), bool(equality))
        for row, rhs, equality in zip(rules.matrix, rules.rhs, rules.equality, strict=True)
    }


@pytest.fixture
def wide_from_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat data of a few hundred columns as wide data."""
    monkeypatch.setattr(budgets, "WIDE_COLUMNS", 50)
    monkeypatch.setattr(budgets, "BYTE_LABEL_COLUMNS", 50)
    monkeypatch.setattr(budgets, "BYTE_LABEL_ENTRIES", 1)


@pytest.mark.parametrize("sparse", [-1, 1 << 60])
@given(n=st.integers(1, 200), width=st.integers(1, 90), share=st.floats(0.01, 0.9), seed=st.integers(0, 2**32))
def test_both_counts_are_the_gram_matrix(sparse: int, n: int, width: int, share: float, seed: int) -> None:
    """Counting by pairs of ones and counting on bits both give the Gram matrix, for any number of examples."""
    labels = (np.random.default_rng(seed).random((n, width)) < share).astype(np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budgets, "SPARSE_PAIR_WORDS", sparse)
        patch.setattr(budgets, "SPARSE_CHUNK_ENTRIES", 100)
        assert np.array_equal(gram_of_wide(labels), gram_of(labels))
        assert np.array_equal(gram_of_wide(labels.astype(np.int8)), gram_of(labels))


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**32), st.sampled_from([1, 3, 1 << 24]))
def test_equal_columns_are_found(n: int, width: int, seed: int, block: int) -> None:
    """The first equal column is found for each column, in blocks of any size, for integers too."""
    labels = np.random.default_rng(seed).integers(-1, 2, (n, width))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budgets, "EQUAL_COLUMN_ENTRIES", block)
        first = first_equal_columns(gram_of(labels), np.arange(width))
    for j in range(width):
        assert first[j] == next(i for i in range(width) if (labels[:, i] == labels[:, j]).all())


@given(st.integers(2, 12), st.integers(2, 9), st.floats(0.1, 0.6), st.integers(0, 2**32))
def test_the_local_search_finds_every_partition(n: int, width: int, share: float, seed: int) -> None:
    """The local search finds the same sets with exactly one 1 in each example as brute force, each once."""
    labels = (np.random.default_rng(seed).random((n, width)) < share).astype(np.int64)
    columns = np.flatnonzero((labels.min(axis=0) == 0) & (labels.max(axis=0) == 1))
    partition_sets, complete = local_partitions(gram_of(labels), labels, columns, 1_000)
    expected = [
        members
        for size in range(2, len(columns) + 1)
        for members in combinations(columns.tolist(), size)
        if (labels[:, members].sum(axis=1) == 1).all()
    ]
    assert complete
    assert sorted(tuple(s.tolist()) for s in partition_sets) == sorted(expected)


def test_the_local_search_says_when_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too little work or too many sets, the sets are right and the result is not called complete."""
    labels = sudoku.one_hot(sudoku.grids(400, seed=0))
    gram, columns = gram_of(labels), np.arange(729)
    partition_sets, complete = local_partitions(gram, labels, columns, 10)
    assert (len(partition_sets), complete) == (10, False)
    monkeypatch.setattr(budgets, "LOCAL_WORK", 200_000)
    partition_sets, complete = local_partitions(gram, labels, columns, 1_000)
    assert not complete
    assert all((labels[:, members].sum(axis=1) == 1).all() for members in partition_sets)


def test_pairs_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are the same, in the same order, if columns are compared one at a time or all at once."""
    truth = planted(2_500, 24, levels=4, each=5)
    tally = Tally.of(truth.labels.toarray().astype(np.int64))
    known = RuleSet.empty(unwritten.mine(np.zeros((1, 96), int), rules=[], bounds=(0, 1)).variables)
    whole = find_pairs(tally, known).rows
    monkeypatch.setattr(budgets, "PAIR_BLOCK_ENTRIES", 1)
    assert len(whole)
    assert np.array_equal(find_pairs(tally, known).rows, whole)


def test_a_known_sum_with_an_integer_says_nothing_of_pairs() -> None:
    """A known sum a + b + c = 1 excludes a and b together only if c cannot be −1."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 400)
    b = np.where(a == 1, 0, rng.integers(0, 2, 400))
    labels = np.column_stack([a, b, 1 - a - b, rng.integers(0, 2, 400)])
    variables = unwritten.Variables.named("abcd", lower=[0, 0, -1, 0], upper=1)
    for low in (-1, 0):
        known = RuleSet.of(replace(variables, lower=np.array([0, 0, low, 0])), [([1, 1, 1, 0], "==", 1)])
        rows = find_pairs(Tally.of(labels), known).rows.tolist()
        assert any(row[0] == row[1] == 1 for row in rows) == (low == -1)


@pytest.mark.usefixtures("wide_from_few")
def test_planted_rules_are_all_that_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted groups, equal columns, requirements and exclusions are mined from a sparse matrix, and no other rule."""
    truth = planted(4_000, 40, each=8)
    wanted = 32 + 80 + 8 + 8
    model = mined(truth.labels)
    assert model.seen.dtype == np.int8
    assert counted(model, truth) == (wanted, 0)
    assert not model.notes
    monkeypatch.setattr(budgets, "WIDE_RANK_COLUMNS", 300)
    model = mined(truth.labels)
    assert counted(model, truth) == (wanted, 0)
    assert "more than 300 columns" in model.notes[0]


@pytest.mark.usefixtures("wide_from_few")
def test_a_model_of_wide_labels_checks_and_answers() -> None:
    """A model of labels with one byte per entry has the same rules, checks and answers as one of 64-bit labels."""
    truth = planted(900, 60, levels=5, each=2)
    model, plain = mined(truth.labels), unwritten.mine(truth.labels.toarray().astype(np.int64))
    assert rows_of(model.rules) == rows_of(plain.rules)
    assert model.check(truth.labels).feasible.all()
    broken = truth.labels.toarray()
    broken[0, :5] = 1
    assert not model.check(broken).feasible[0]
    weights = np.random.default_rng(0).normal(size=(3, 300))
    assert np.array_equal(model.predict(weights), plain.predict(weights))


@pytest.mark.parametrize("n", [300, 1_500])
def test_sudoku_as_wide_data(n: int, request: pytest.FixtureRequest) -> None:
    """Sudoku grids give the same rules as wide and as narrow data, with many and with few examples."""
    labels = sudoku.one_hot(sudoku.large_grids(n, seed=0, box=3))
    narrow = unwritten.mine(labels)
    request.getfixturevalue("wide_from_few")
    wide = unwritten.mine(labels)
    assert rows_of(wide.rules + wide.redundant) == rows_of(narrow.rules + narrow.redundant)
    truth = {(row.tobytes(), 1, True) for row in sudoku.true_rules()}
    assert rows_of(wide.rules + wide.redundant) == truth
    assert wide.rules.rank == 249


@pytest.mark.usefixtures("wide_from_few")
def test_equalities_beyond_groups_are_found_in_wide_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equalities beyond the groups are mined from enough examples, and otherwise counted in a note."""
    rng = np.random.default_rng(0)
    free = (rng.random((2_000, 100)) < 0.5).astype(np.int64)
    labels = np.column_stack([free, free[:, 0] + free[:, 1] + free[:, 2]])
    row = [1, 1, 1, *[0] * 97, -1]
    assert unwritten.mine(labels).rules.implies(row, 0)
    assert unwritten.mine(labels, rules=["equalities"]).rules.rank == 1
    few = unwritten.mine(labels[:101])
    assert "1 further equality holds on all examples but was not mined, because the examples are too" in few.notes[0]
    monkeypatch.setattr(budgets, "BLOCK_ROWS_REDUCED", 0)
    assert unwritten.mine(labels, rules=["equalities"]).notes
    model = unwritten.mine(labels)
    assert not model.rules.implies(row, 0)
    assert "1 further equality holds on all examples" in model.notes[0]


@pytest.mark.usefixtures("wide_from_few")
def test_the_kernel_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """In data of separate families, each family's sums are found, and the group that joins all families."""
    truth = families(2_400, 8, columns=4, levels=5)
    monkeypatch.setattr(budgets, "WIDE_RANK_COLUMNS", 21)
    model = mined(truth.labels)
    assert counted(model, truth) == (33, 0)
    assert model.rules.rank == 33
    monkeypatch.setattr(budgets, "WIDE_RANK_COLUMNS", 20)
    assert "more than 20 columns that occur together" in mined(truth.labels).notes[-1]


@given(st.integers(1, 4), st.integers(1, 25), st.booleans(), st.integers(0, 2**32 - 1))
def test_blocks_span_the_kernel(count: int, n: int, zeros: bool, seed: int) -> None:
    """For random blocks, the ranks of the blocks add up, and the rows span the kernel of the whole Gram matrix."""
    rng = np.random.default_rng(seed)
    widths = rng.integers(1, 5, count)
    ends = np.cumsum(widths)
    labels = np.zeros((n, ends[-1] + 1), np.int64)  # the last column is 0
    for row in labels:
        k = int(rng.integers(count))
        values = rng.integers(0, 3, widths[k])
        values[-1] = values[0] if len(values) > 2 else rng.integers(0 if zeros else 1, 2)
        row[ends[k] - widths[k] : ends[k]] = values
    tally = Tally.of(labels[:, rng.permutation(labels.shape[1])])
    parts = Components.of(tally)
    assert sorted(np.concatenate(parts.columns).tolist()) == list(range(labels.shape[1]))
    for label, block in zip(tally.seen, parts.labels, strict=True):
        assert set(np.flatnonzero(label)) <= (set(parts.columns[block].tolist()) if block >= 0 else set())
    whole = kernel_rows(tally.gram, np.zeros((0, len(tally.gram)), np.int64))
    variables = Variables.of(tally.seen)
    for stated in (whole[:0], whole[: len(whole) // 2], whole[::2]):
        rows, note = rest_of_kernel(tally, RuleSet.of_rows(variables, stated, "mined", None), None)
        every = np.concatenate([stated, rows])
        assert note is None
        assert not (tally.gram @ every.T).any()
        assert linalg.rank(every) == len(every) == len(whole)


def test_large_grids_obey_the_rules() -> None:
    """Grids of side 16 have every number once in every row, column and box, and are all different."""
    grids = sudoku.large_grids(30, seed=1)
    assert (sudoku.one_hot(grids) @ sudoku.true_rules(16).T == 1).all()
    assert len(np.unique(grids, axis=0)) == 30
    assert len(sudoku.names(16)) == 4096


def test_bulky_sparse_labels_are_read_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large sparse 0/1 labels keep one byte per entry; other labels become 64-bit integers."""
    dense = (np.random.default_rng(0).random((9, 30)) < 0.3).astype(np.int64)
    monkeypatch.setattr(budgets, "BYTE_LABEL_ENTRIES", 1)
    assert labels_from(csr_array(dense))[0].dtype == np.int64
    monkeypatch.setattr(budgets, "BYTE_LABEL_COLUMNS", 20)
    for source in (csr_array(dense), csr_array(dense.astype(float)).tocsc(), coo_array(dense), dense.astype(bool)):
        read, _ = labels_from(source)
        assert read.dtype == np.int8
        assert np.array_equal(read, dense)
    parts = coo_array((np.ones(3), ([0, 0, 1], [2, 2, 1])), shape=(2, 30))
    read, _ = labels_from(parts)
    assert read.dtype == np.int64
    assert read[0, 2] == 2
    with pytest.raises(unwritten.errors.DataError, match="round, bin or rescale"):
        labels_from(csr_array(dense * 0.5))


def test_labels_that_were_given_stay_writable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels of one byte are copied, so that the user's array stays writable."""
    monkeypatch.setattr(budgets, "BYTE_LABEL_ENTRIES", 1)
    monkeypatch.setattr(budgets, "BYTE_LABEL_COLUMNS", 20)
    dense: IntArray = np.eye(30, dtype=np.int8)  # type: ignore[assignment]
    Tally.of(unwritten.data.Examples.of(dense).labels)
    dense[0, 0] = 0


def test_copies_are_stated_once() -> None:
    """A column that equals two earlier ones is stated to equal the first; constants are not called equal."""
    labels = np.array([[0, 1, 0, 0, 1, 1], [1, 1, 1, 1, 0, 1], [0, 1, 0, 0, 1, 1]])
    assert [np.flatnonzero(row).tolist() for row in equal_columns(gram_of(labels))] == [[0, 2], [0, 3]]
