"""Mining never runs away: work and seconds are limited, and a note says what was given up."""

from __future__ import annotations

from itertools import combinations, product
from time import process_time
from types import SimpleNamespace

import numpy as np
import pytest

import unwritten
from unwritten import budgets
from unwritten.data import IntArray
from unwritten.effort import Effort
from unwritten.errors import DataError
from unwritten.linalg import independent, rank
from unwritten.mining.bounds import exclusions
from unwritten.mining.kernel_memory import KernelMemory
from unwritten.samples.sample_tables import sample_rows


def given_up(model: unwritten.Model) -> list[str]:
    """Return the notes on what was given up."""
    return [note for note in model.notes if note.startswith("not searched to the end")]


def single_paths(labels: int, rows: int) -> IntArray:
    """Return label sets of a random forest with at least two children per inner node, mostly one path each."""
    rng = np.random.default_rng(0)
    parent, level = [-1] * 3, [0] * 3
    while len(parent) < labels:
        node = int(rng.integers(len(parent)))
        if level[node] < 3:
            children = 1 if node in parent else 2
            parent += [node] * children
            level += [level[node] + 1] * children
    leaves = np.setdiff1d(np.arange(len(parent)), parent)
    found = np.zeros((rows, len(parent)), np.int64)
    for label in found:
        for leaf in rng.choice(leaves, 1 + int(rng.random() < 0.05)).tolist():
            node = leaf
            while node >= 0:
                label[node] = 1
                node = parent[node]
    return found


def test_no_time_at_all() -> None:
    """Without any time nothing is searched for, and the note names miners, facts and the cure."""
    model = unwritten.mine(sample_rows("orders", rows=300), time_limit=0)
    assert not model.facts
    (note,) = given_up(model)
    assert "groups" in note and "dependencies" in note and "--time-limit" in note


def test_enough_time() -> None:
    """A limit that is not reached changes nothing."""
    rows = sample_rows("orders", rows=300)
    free, limited = unwritten.mine(rows), unwritten.mine(rows, time_limit=600)
    assert [s.text for s in free.sentences] == [s.text for s in limited.sentences]
    assert free.notes == limited.notes


def test_hierarchy_stops_in_time() -> None:
    """Four hundred labels of a forest, one of the slowest kinds of label sets, stop soon after the limit."""
    labels = single_paths(400, 2_000)
    start = process_time()
    model = unwritten.mine(labels, time_limit=0.5)
    assert process_time() - start < 20
    assert given_up(model)
    assert not len(model.rules) or model.rules.obeyed_by(labels).all()


def test_work_is_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A miner without enough work is given up, others are not; the result is the same each time."""
    rows = sample_rows("orders", rows=300)
    monkeypatch.setattr(budgets, "MINER_WORK", 4_000_000)
    monkeypatch.setattr(budgets, "FACT_WORK", 20_000)
    one, other = unwritten.mine(rows), unwritten.mine(rows)
    (note,) = given_up(one)
    assert "too much work" in note and "dependencies" in note
    assert [s.text for s in one.sentences] == [s.text for s in other.sentences]
    assert one.notes == other.notes


@pytest.mark.parametrize("limit", [-1, float("nan"), float("inf"), True, "5"])
def test_bad_limits(limit: object) -> None:
    """A time limit is a number of seconds."""
    with pytest.raises(DataError, match="time_limit is"):
        unwritten.mine([[0, 1], [1, 0]], time_limit=limit)  # type: ignore[arg-type]


def test_no_step_starves_the_others() -> None:
    """A step may take half of the time that is left."""
    effort = Effort.lasting(100)
    assert effort.end - effort.within(1, "a step", lambda part: part.end, 0.0) == pytest.approx(50, abs=1)


@pytest.mark.parametrize("value", [0, 1])
def test_merged_pairs_say_the_same(value: int) -> None:
    """One row for each column allows the same labels as one row for each pair."""
    rng = np.random.default_rng(value)
    pairs = np.array([pair for pair in combinations(range(7), 2) if rng.random() < 0.4]).T

    context = SimpleNamespace(tally=SimpleNamespace(seen=np.zeros((1, 7), np.int64)))  # only its width is read
    rows = exclusions._pair_rows(pairs, value, context)  # type: ignore[arg-type]
    every = np.array(list(product([0, 1], repeat=7)))
    allowed = ~((every[:, pairs[0]] == value) & (every[:, pairs[1]] == value)).any(axis=1)
    assert len(rows) < 7
    assert ((every @ rows[:, :-1].T <= rows[:, -1]).all(axis=1) == allowed).all()


def test_a_kernel_is_made_once() -> None:
    """What spans the kernel of all labels is used for some of them while their kernel is the same, and only then."""
    memory, made = KernelMemory(), []

    def make() -> IntArray:
        made.append(1)
        return np.array([[1, 1, -1]])

    columns, known = np.arange(2), np.zeros((0, 3), np.int64)
    whole = np.array([[2, 0, 2], [0, 3, 3], [2, 3, 5]])
    for gram in (whole, whole - np.diag([1, 0, 1]) - np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]])):
        assert memory.rows(columns, gram, known, 1, make).tolist() == [[1, 1, -1]]
    assert len(made) == 1
    memory.rows(columns, np.array([[2, 1, 3], [1, 2, 3], [3, 3, 7]]), known, 1, make)
    assert len(made) == 2


@pytest.mark.parametrize("seed", range(20))
def test_tall_matrices(seed: int) -> None:
    """Of far more rows than columns, the independent ones are those that are no combination of the rows before them."""
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 6))
    matrix = rng.integers(-2, 3, (100, width - 1)) @ rng.integers(-3, 4, (width - 1, width))
    matrix[rng.random(100) < 0.7] = 0
    greedy: list[int] = []
    for i in range(len(matrix)):
        if rank(matrix[[*greedy, i]]) > len(greedy):
            greedy.append(i)
    assert independent(matrix).tolist() == greedy
