"""The groups engine: the normal form of rules, agreement with brute force, limits, and Sudoku."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import product
from time import monotonic

import numpy as np
import pytest

import unwritten
from experiments import datasets
from unwritten import budgets
from unwritten.data import FloatArray, IntArray, Variables
from unwritten.errors import SolverError
from unwritten.rules import RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, EXACTLY, as_literals, have_literal_form
from unwritten.samples import sudoku
from unwritten.solving.backends import Limits
from unwritten.solving.engines import GroupBranching, QueryBatch
from unwritten.solving.engines.packed_literals import PackedLiterals
from unwritten.solving.engines.weighted_literals import WeightedLiterals
from unwritten.solving.program import Program

Triple = tuple[list[int], str, int]


def program_of(d: int, rows: list[Triple], cuts: FloatArray | None = None, limits: FloatArray | None = None) -> Program:
    """A program of these rules and cuts on 0/1 variables, with no seen label."""
    program = unwritten.mine(np.zeros((1, d), int), rules=[], bounds=(0, 1)).with_rules(rows)._desk.program
    if cuts is not None and limits is not None:
        program = replace(program, cut_weights=cuts, cut_limits=limits)
    return replace(program, seen=program.seen[:0])


def literal_row(rng: np.random.Generator, d: int) -> Triple:
    """One random rule of the engine's form, in any of the ways it can be written."""
    row = np.zeros(d, np.int64)
    size = int(rng.integers(1, d + 1))
    chosen = rng.choice(d, size, replace=False)
    row[chosen] = rng.choice([1, 1, 1, -1], size)
    negative = int((row < 0).sum())
    sense = str(rng.choice(["==", "<=", ">="], p=[0.4, 0.4, 0.2]))
    count = int(rng.choice([1, size - 1])) if sense != ">=" else 1
    times = int(rng.choice([1, 1, 2]))
    return (times * row).tolist(), sense, times * (count - negative)


def points_of(program: Program) -> IntArray:
    """Every label under the rules, by listing."""
    box = np.array(list(product((0, 1), repeat=program.width)))
    return box[program.obeys(box, cuts=False)]


def weighted_row(rng: np.random.Generator, d: int) -> Triple:
    """One random rule of any form, which about half of all labels obey."""
    row = rng.integers(-4, 8, d) * (rng.random(d) < 0.8)
    return row.tolist(), str(rng.choice(["<=", "<=", ">=", "=="])), int(row @ rng.integers(0, 2, d))


def random_program(seed: int) -> Program:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 9))
    rows = [literal_row(rng, d) for _ in range(int(rng.integers(1, 5)))]
    if seed % 4 > 1:
        rows += [weighted_row(rng, d) for _ in range(int(rng.integers(1, 3)))]
    k = int(rng.integers(0, 4)) if seed % 2 else 0
    cuts = rng.normal(size=(k, d))
    return program_of(d, rows, cuts, np.maximum(cuts, 0).sum(axis=1) * rng.uniform(0.2, 1.0, k))


def random_weights(program: Program, seed: int) -> FloatArray:
    """Continuous, integer with ties and zeros, clue-like, and all zero."""
    rng = np.random.default_rng(seed + 10_000)
    d = program.width
    return np.concatenate(
        [rng.normal(size=(2, d)), rng.integers(-2, 3, (2, d)), rng.integers(0, 2, (1, d)), np.zeros((1, d))]
    ).astype(float)


@pytest.mark.parametrize(
    ("row", "form"),
    [
        (([1, 1, 1], "==", 1), ([0, 2, 4], EXACTLY)),
        (([1, 1, 1], "<=", 1), ([0, 2, 4], AT_MOST)),
        (([1, 1, 1], ">=", 1), ([0, 2, 4], AT_LEAST)),
        (([1, -1, -1], "==", 0), ([1, 2, 4], EXACTLY)),  # the first is the sum of the others
        (([1, -1, 0], "<=", 0), ([0, 3], AT_MOST)),  # the first requires the second
        (([1, 1, 1], "==", 2), ([1, 3, 5], EXACTLY)),  # all but one
        (([3, 3, 0], "<=", 5), ([0, 2], AT_MOST)),
        (([0, 1, 0], "==", 1), ([2], EXACTLY)),
        (([0, 1, 0], "==", 0), ([3], EXACTLY)),
        (([2, 2, 0], "==", 1), ([], AT_LEAST)),  # no integers do this
    ],
)
def test_normal_form(row: Triple, form: tuple[list[int], int]) -> None:
    """Each kind of rule becomes literals and a kind, whichever way it is written."""
    rules = RuleSet.of(Variables.named("abc"), [row])
    rows, others = PackedLiterals.of(rules)
    assert len(rows) == 1 and not others
    assert have_literal_form(rules.matrix, rules.equality, rules.rhs).all()
    literals, kind = form
    assert (rows.row(0).tolist(), rows.kinds[0]) == (literals, kind)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (([1, 1, 1, 1], "==", 2), [([0, 2, 4, 6], [1, 1, 1, 1], 2), ([1, 3, 5, 7], [1, 1, 1, 1], 2)]),
        (([2, 1, 1, 0], "<=", 2), [([0, 2, 4], [2, 1, 1], 2)]),
        (([2, -3, 1, 0], "<=", 0), [([0, 3, 4], [2, 3, 1], 3)]),
    ],
)
def test_other_forms_are_weighted_rows(row: Triple, expected: list[tuple[list[int], list[int], int]]) -> None:
    """Rules like two of four and unequal coefficients become sums of literals that have a room."""
    rules = RuleSet.of(Variables.named("abcd"), [row])
    assert not have_literal_form(rules.matrix, rules.equality, rules.rhs).any()
    rows, others = PackedLiterals.of(rules)
    weighted = WeightedLiterals.of(rules, others)
    assert not len(rows) and others == [0]
    parts = [slice(*weighted.starts[i : i + 2]) for i in range(len(weighted))]
    found = zip(parts, weighted.rooms, strict=True)
    assert [(weighted.literals[p].tolist(), weighted.coefficients[p].tolist(), room) for p, room in found] == expected


def test_the_form_of_many_rules_is_that_of_each() -> None:
    """The test of a whole matrix agrees with the one by one, on random rows of all kinds."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        matrix = rng.integers(-2, 3, (1, 4)) * rng.integers(1, 4)
        equality, rhs = rng.random(1) < 0.5, rng.integers(-5, 6, 1)
        form = as_literals(matrix[0], bool(equality[0]), int(rhs[0]), int(np.abs(matrix).max()) or 1)
        assert have_literal_form(matrix, equality, rhs)[0] == (form is not None)


def test_what_the_engine_refuses() -> None:
    """Variables beyond 0/1 and numbers beyond 62 bits are refused, and lazy rows answer."""
    huge = RuleSet(Variables.named("ab"), np.array([[2**61, 1]]), np.array([False]), np.array([2]), ("given",), (None,))
    with pytest.raises(SolverError, match="large numbers"):
        WeightedLiterals.of(huge, [0])
    integers = unwritten.mine(np.array([[0, 3], [3, 0], [1, 2]]))
    with pytest.raises(SolverError, match="groups"):
        GroupBranching(integers._desk.program, "")
    decided = integers.decide([[1.0, 0.0]], engine="groups")
    assert decided.status[0] == "optimal" and decided.engine[0] == "lazy+highs" and "groups" in decided.notes[0]


def test_groups_of_a_sudoku_leave_nothing_over() -> None:
    """For any order of the 324 rules, the variables are divided into 81 complete groups."""
    rules = sudoku.true_rules()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(rules))
        rows, _ = PackedLiterals.of(program_of(729, [(row.tolist(), "==", 1) for row in rules[order]]).rules)
        parts, may_be_empty = rows.partition()
        assert len(parts) == 81 and not may_be_empty.any()


@pytest.mark.parametrize("short", [1_000, 1], ids=["groups alone", "with multipliers"])
def test_values_are_those_of_brute_force(short: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On hundreds of small programs, value, bound, used cuts and infeasibility agree with brute force."""
    monkeypatch.setattr(budgets, "PROPAGATION_NODES_FIRST", short)
    seen = set()
    for seed in range(300):
        program = random_program(seed)
        under_rules = points_of(program)
        points = under_rules[[not program.broken_cuts(point).size for point in under_rules]]
        weights = random_weights(program, seed)
        queries = QueryBatch.of(program, weights)
        if seed % 3 == 0 and len(points):  # any label will do as a floor
            queries = QueryBatch(
                weights, weights @ points[0], np.repeat(points[:1], len(weights), 0), queries.tolerance, queries.gap
            )
        answers = GroupBranching(program, "").answer(queries, Limits())
        seen.add((len(points) > 0, len(points) < len(under_rules)))
        if not len(points):
            assert set(answers.status) == {"infeasible"}
            continue
        truth = (weights @ points.T).max(axis=1)
        assert set(answers.status) == {"optimal"}
        assert (answers.labels[:, None] == points).all(axis=2).any(axis=1).all()
        assert np.allclose((weights * answers.labels).sum(axis=1), truth, rtol=0, atol=1e-8)
        assert np.allclose(answers.bounds, truth, rtol=0, atol=1e-8)
        assert np.array_equal(answers.used_cuts, (weights @ under_rules.T).max(axis=1) > truth + queries.tolerance)
    assert len(seen) == 4


def larger() -> Program:
    """Six-by-six permutation matrices under a few cuts."""
    cells = np.arange(36).reshape(6, 6)
    rows: list[Triple] = [(np.isin(np.arange(36), cover).astype(int).tolist(), "==", 1) for cover in (*cells, *cells.T)]
    cuts = np.random.default_rng(1).normal(size=(5, 36))
    return program_of(36, rows, cuts, np.full(5, 0.5))


def test_queries_do_not_influence_each_other() -> None:
    """A query alone, and as one of many in another order, has the same answer."""
    program = larger()
    queries = QueryBatch.of(program, np.random.default_rng(0).integers(-2, 3, (12, 36)).astype(float))
    together, backwards = (
        GroupBranching(program, "").answer(queries[o], Limits()) for o in (slice(None), np.arange(12)[::-1])
    )
    assert np.array_equal(together.labels, backwards.labels[::-1])
    for i in range(12):
        alone = GroupBranching(program, "").answer(queries[np.array([i])], Limits())
        assert np.array_equal(alone.labels[0], together.labels[i])


def permutations() -> unwritten.Model:
    """A model of seven-by-seven permutation matrices, which are too many to list automatically."""
    rng = np.random.default_rng(0)
    labels = np.array([np.eye(7, dtype=int)[rng.permutation(7)].ravel() for _ in range(100)])
    return unwritten.mine(labels)


def test_chosen_automatically() -> None:
    """engine="auto" chooses this engine for a model of many labels whose rules are groups."""
    model = permutations()
    queries = np.random.default_rng(1).normal(size=(5, 49))
    decided = model.decide(queries)
    assert set(decided.engine) == {"groups"} and set(decided.status) == {"optimal"}
    assert np.allclose(decided.values, model.decide(queries, engine="lazy").values)


@pytest.mark.parametrize("cuts", [False, True])
def test_groups_with_capacities(cuts: bool) -> None:
    """Twelve items in three bins with capacities: this engine is chosen, and its values are those of lazy rows."""
    rng = np.random.default_rng(3)
    cells, sizes = np.arange(36).reshape(12, 3), rng.integers(3, 20, (12, 3))
    rows: list[Triple] = [(np.isin(np.arange(36), item).astype(int).tolist(), "==", 1) for item in cells]
    for k in range(3):
        within = np.where(np.arange(3) == k, sizes, 0)
        rows.append((within.ravel().tolist(), "<=", int(within.sum()) * 2 // 5))
    weights = rng.normal(size=(40, 36))
    model = unwritten.mine(np.zeros((1, 36), int), rules=[], bounds=(0, 1)).with_rules(rows)
    if cuts:
        model = unwritten.mine(model.decide(weights[:30]).labels, weights[:30], rules=[], bounds=(0, 1)).with_rules(
            rows
        )
    decided = model.decide(weights[30:])
    assert set(decided.engine) == {"groups"} and set(decided.status) == {"optimal"}
    assert np.allclose(decided.values, model.decide(weights[30:], engine="lazy").values)


def test_a_roster_with_at_most_five_shifts() -> None:
    """Five nurses for a week: one shift or none a day, five at most, each shift staffed; answers as by lazy rows."""
    cells = np.arange(5 * 7 * 3).reshape(5, 7, 3)  # day, night, off
    parts = [(part, "==", 1) for part in cells.reshape(-1, 3)]
    parts += [(nurse[:, :2].ravel(), "<=", 5) for nurse in cells]
    parts += [(cells[:, day, shift], ">=", 2 - shift) for day in range(7) for shift in range(2)]
    rows: list[Triple] = [(np.isin(np.arange(105), part).astype(int).tolist(), sense, b) for part, sense, b in parts]
    model = unwritten.mine(np.zeros((1, 105), int), rules=[], bounds=(0, 1)).with_rules(rows)
    weights = np.random.default_rng(0).normal(size=(8, 105))
    decided = model.decide(weights)
    assert set(decided.engine) == {"groups"} and set(decided.status) == {"optimal"}
    assert np.allclose(decided.values, model.decide(weights, engine="lazy").values)


def test_search_past_its_cap_gives_way_to_lazy_rows() -> None:
    """If the search reaches its limit of nodes, the lazy engine finishes the query, and the decision says so."""
    model = permutations()
    queries = np.random.default_rng(1).normal(size=(5, 49))
    truth = model.decide(queries, engine="lazy").values
    program = model._desk.program
    capped = GroupBranching(program, "", most_nodes=2)
    reply = capped.answer(QueryBatch.of(program, queries), Limits())
    assert set(reply.status) == {"feasible"} and not reply.out_of_time.any()
    assert (reply.bounds >= truth - 1e-9).all()
    with model._desk.lend() as (session, _):
        session._engines["groups", ""] = capped
    decided = model.decide(queries, engine="groups")
    assert np.allclose(decided.values, truth)
    assert set(decided.engine) == {"lazy+highs"}
    assert all("stopped after" in note for note in decided.notes)


def test_time_limit_and_stop() -> None:
    """Out of time or after Ctrl-C, the best label so far is returned as feasible, and no other engine is asked."""
    model = permutations()
    queries = np.random.default_rng(1).normal(size=(5, 49))
    decided = model.decide(queries, engine="groups", time_limit=1e-9)
    assert set(decided.status) == {"feasible"} and not any("lazy" in engine for engine in decided.engine)
    program = larger()
    asked = QueryBatch.of(program, np.random.default_rng(0).normal(size=(3, 36)))
    late = GroupBranching(program, "").answer(asked, Limits(time_limit=1e-9))
    assert set(late.status) == {"time_limit"} and late.out_of_time.all()
    limits = Limits()
    limits.stop.set()
    assert GroupBranching(program, "").answer(asked, limits).out_of_time.all()


def test_a_hard_search_ends_soon_after_its_time() -> None:
    """A hard search over a whole Sudoku ends when its time is over, and not after all of its nodes."""
    program = program_of(729, [(row.tolist(), "==", 1) for row in sudoku.true_rules()])
    queries = QueryBatch.of(program, np.random.default_rng(0).uniform(-1, 1, (1, 729)))
    engine = GroupBranching(program, "", most_nodes=10**9)
    start = monotonic()
    answers = engine.answer(queries, Limits(time_limit=0.5))
    assert 0.5 <= monotonic() - start < 20  # all nodes would take hours
    assert answers.out_of_time[0]
    assert answers.bounds[0] > (queries.weights * answers.labels).sum() or answers.status[0] == "time_limit"


def test_contradicting_clues() -> None:
    """With one contradicting clue, the best grid keeps all clues except one."""
    grid = sudoku.grids(1, seed=0)
    weights = sudoku.clues_to_weights(grid)
    weights[0, :9] = 0
    weights[0, grid[0, 1] - 1] = 1  # the first cell claims the digit of the second
    program = program_of(729, [(row.tolist(), "==", 1) for row in sudoku.true_rules()])
    answers = GroupBranching(program, "").answer(QueryBatch.of(program, weights), Limits())
    assert answers.status[0] == "optimal"
    assert answers.bounds[0] == (weights * answers.labels).sum() == 80


@pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)
def test_satnet_puzzles() -> None:
    """Thirty test puzzles of the SATNet set are solved."""
    puzzles, grids = datasets.satnet()
    program = program_of(729, [(row.tolist(), "==", 1) for row in sudoku.true_rules()])
    queries = QueryBatch.of(program, sudoku.clues_to_weights(puzzles[-30:]))
    answers = GroupBranching(program, "").answer(queries, Limits())
    assert np.array_equal(sudoku.from_one_hot(answers.labels), grids[-30:])


def test_slack_has_its_price() -> None:
    """For a hierarchy of classes, the relaxation is exact, and its prices on slack let the search find the optimum."""
    parents = {child: (child - 1) // 3 for child in range(1, 121)}
    rows = [(([int(j == child) - int(j == parent) for j in range(121)]), "<=", 0) for child, parent in parents.items()]
    program = program_of(121, rows)
    weights = np.random.default_rng(0).normal(size=(10, 121))
    answers = GroupBranching(program, "", most_nodes=5_000).answer(QueryBatch.of(program, weights), Limits())
    assert set(answers.status) == {"optimal"}
    best = weights.copy()
    for child in range(120, 0, -1):  # a class is worth its own weight and what its children add
        best[:, parents[child]] += np.maximum(best[:, child], 0)
    assert np.allclose(answers.bounds, np.maximum(best[:, 0], 0))


def test_hard_puzzles() -> None:
    """Six puzzles that are known to be hard are solved."""
    program = program_of(729, [(row.tolist(), "==", 1) for row in sudoku.true_rules()])
    puzzles = np.array([sudoku.parse(text) for text in sudoku.HARD])
    answers = GroupBranching(program, "").answer(QueryBatch.of(program, sudoku.clues_to_weights(puzzles)), Limits())
    for puzzle, grid in zip(puzzles, sudoku.from_one_hot(answers.labels), strict=True):
        assert np.array_equal(grid, sudoku.solutions(puzzle)[0])
