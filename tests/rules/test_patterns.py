"""Patterns: rules that are alike along axes are said once, and a sentence stands for exactly the rules it replaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unwritten.data import Variables
from unwritten.rules import Evidence, RuleSet, parse_rule
from unwritten.rules.language.sentences import sentences
from unwritten.rules.patterns import with_siblings
from unwritten.samples import sudoku

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHIFTS = ("morning", "late", "night", "off")
NURSES = range(1, 17)
STYLES = {"nurse {} / {} / {}": "nurse", "nurse{}_{}_{}": "nurse", "x[{},{},{}]": "index 1"}

Row = tuple[dict[str, int], str, int]


def said(names: Sequence[str], rows: Sequence[Row], **bounds: Any) -> list[str]:
    """The sentences of these rules, after checking that they stand for exactly the rules."""
    rules = RuleSet.of(Variables.named(list(names), **bounds), rows)
    check_expansion(rules)
    return str(rules).splitlines()


def check_expansion(rules: RuleSet) -> None:
    """Every rule is said once, the rows of each pattern are the rules that it replaces, and so are those read back."""
    assert sorted(i for part in rules.said for i in part.rules) == list(range(len(rules)))
    meanings: dict[str, set[Any]] = {}
    for part in rules.said:
        stated = Counter(_row(rules.matrix[i], bool(rules.equality[i]), int(rules.rhs[i])) for i in part.rules)
        if part.pattern is not None:
            expanded = Counter(_row(row, sense == "==", rhs) for row, sense, rhs in part.pattern.rows())
            assert expanded == stated
            read = RuleSet.of(rules.variables, parse_rule(part.text, rules.variables, None))
            again = Counter(
                _row(row, bool(e), int(b)) for row, e, b in zip(read.matrix, read.equality, read.rhs, strict=True)
            )
            assert again == Counter(map(_least, stated.elements())), part.text
        meaning = {(row[0], *(np.array(row[1:]) // (gcd(*row[1:]) or 1)).tolist()) for row in stated}
        assert meanings.setdefault(part.text, meaning) == meaning, "two patterns have one sentence"


def _row(row: np.ndarray[Any, Any], equality: bool, rhs: int) -> tuple[Any, ...]:
    """A row that can be compared: of an equality and its negative, the larger."""
    forms = [(*row.tolist(), rhs)]
    return (equality, *max([*forms, (*(-row).tolist(), -rhs)] if equality else forms))


def _least(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row divided by the common factor of its coefficients, as rows are when they are read."""
    equality, *coefficients, rhs = row
    common = gcd(*coefficients)
    common = 1 if equality and rhs % common else common
    return (equality, *(value // common for value in coefficients), rhs // common)


@pytest.mark.parametrize("style", STYLES)
def test_a_roster_is_a_few_sentences(style: str) -> None:
    """The rules of a roster of 16 nurses are a few sentences, in several styles of names."""

    def at(nurse: int, day: str, shift: str) -> str:
        return style.format(nurse, day, shift)

    rows: list[Row] = [({at(i, d, s): 1 for s in SHIFTS}, "==", 1) for i, d in product(NURSES, DAYS)]
    rows += [({at(i, d, "night"): -1 for i in NURSES}, "<=", -2) for d in DAYS]
    rows += [({at(i, d, "night"): 1 for i in NURSES}, "<=", 4) for d in DAYS]
    rows += [({at(i, d, "morning"): -1 for i in NURSES}, "<=", -3) for d in DAYS[:6]]
    rows += [({at(i, d, s): 1 for d in DAYS for s in SHIFTS[:3]}, "<=", 5) for i in NURSES]
    pairs = [(i, *days) for i in NURSES for days in pairwise(DAYS)]
    rows += [({at(i, a, "night"): 1, at(i, b, "morning"): 1}, "<=", 1) for i, a, b in pairs]
    rows += [({at(i, a, "night"): 1, at(i, b, "off"): -1}, "<=", 0) for i, a, b in pairs]
    rows += [({at(i, DAYS[k + m], "night"): 1 for m in range(3)}, "<=", 2) for i in NURSES for k in range(5)]
    rows += [({at(i, "sun", "night"): 1, at(i, "mon", "morning"): 1}, "<=", 1) for i in NURSES]
    rows += [({at(i, d, "late"): 1 for d in DAYS}, "<=", 3) for i in NURSES if i not in (3, 5)]
    rows += [({at(3, d, "night"): 1}, "==", 0) for d in DAYS]
    rows += [({at(3, "mon", "late"): 1, at(4, "tue", "off"): 1}, "<=", 1)]
    nurse = STYLES[style]
    nurses, nurse_3 = ("nurses", "nurse 3") if nurse == "nurse" else ("values of index 1", "index 1 = 3")
    assert said([at(*index) for index in product(NURSES, DAYS, SHIFTS)], rows) == [
        f"for every {nurse} and day: exactly one of morning, late, night, off",
        f"for every day: two to four of the 16 {nurses} at night",
        f"for every day but sun: at least three of the 16 {nurses} with morning",
        f"for every {nurse}: at most five of the 7 days × (morning, late, night)",
        f"for every {nurse} and day: not night and then morning the next day",
        f"for every {nurse} and day: night requires off the next day",
        f"for every {nurse} and every 3 consecutive days: at most two of these 3 days at night",
        f"for every {nurse}: at most one of morning on mon, night on sun",
        f"for every {nurse} but 3 and 5: at most three of the 7 days with late",
        f"for every day: never night ({nurse_3})",
        f"at most one of {at(3, 'mon', 'late')}, {at(4, 'tue', 'off')}",
    ]


def test_sudoku_is_four_sentences() -> None:
    """The 324 rules of Sudoku are four sentences."""
    variables = Variables.named(sudoku.names())
    rules = RuleSet.of(variables, [(row, "==", 1) for row in sudoku.true_rules()])
    check_expansion(rules)
    assert sorted(str(rules).splitlines()) == [
        "for every column and value: exactly one of the 9 rows",
        "for every row and column: exactly one of the 9 values",
        "for every row and value: exactly one of the 9 columns",
        "for every value and every block of 3 rows × 3 columns: exactly one of these 3 rows × 3 columns",
    ]


def test_assignments_links_and_orders() -> None:
    """Assignments, x ≤ open, and orders of start times are said by their indices."""
    names = [f"x[{i},{j}]" for i, j in product(range(5), range(8))] + [f"open[{j}]" for j in range(8)]
    rows: list[Row] = [({f"x[{i},{j}]": 1 for j in range(8)}, "==", 1) for i in range(5)]
    rows += [({f"x[{i},{j}]": 1, f"open[{j}]": -1}, "<=", 0) for i, j in product(range(5), range(8))]
    assert said(names, rows) == [
        "for every index 1: exactly one of x over the 8 values of index 2",
        "for every i and j: x[i, j] requires open[j]",
    ]
    starts = [f"start[{i}]" for i in range(6)]
    orders: list[Row] = [({f"start[{i}]": 1, f"start[{i + 1}]": -1}, "<=", -4) for i in range(5)]
    assert said(starts, orders, upper=50) == ["for every i: start[i] + 4 ≤ start[i + 1]"]


def test_windows_of_car_sequencing() -> None:
    """Windows along an ordered axis are said once; windows with gaps between them are blocks, or a list."""
    names = [f"slot {s} class {c}" for s, c in product(range(1, 13), range(5))]
    rows: list[Row] = [
        ({f"slot {s + k} class {c}": 1 for k, c in product(range(3), (0, 2))}, "<=", 2) for s in range(1, 11)
    ]
    rows += [({f"slot {s + k} class 4": 1 for k in range(4)}, "<=", 1) for s in range(1, 10) if s not in (4, 5)]
    rows += [({f"slot {s + k} class 1": 1 for k in range(4)}, "<=", 3) for s in (1, 5, 9)]
    assert said(names, rows) == [
        "for every 3 consecutive slots: at most two of these 3 slots × (classes 0, 2)",
        "for every 4 consecutive slots but those from 4 and 5: at most one of these 4 slots with class 4",
        "for every block of 4 slots: at most three of these 4 slots with class 1",
    ]


def test_sums_of_integers_and_missing_cells() -> None:
    """Sums of integers are called sums, and slices of a grid with gaps run over what there is."""
    names = [f"q_{i}_{d}" for i, d in product(range(4), DAYS)]
    sums: list[Row] = [({f"q_{i}_{d}": 1 for d in DAYS}, "<=", 30) for i in range(4)]
    sums += [({f"q_{i}_{d}": -1 for d in DAYS}, "<=", -5) for i in range(4)]
    assert said(names, sums, upper=9) == ["for every index 1: the sum over the 7 days is 5 to 30"]
    edges = [(a, b) for a, b in product(range(5), range(5)) if a != b]
    names = [f"e[{a},{b}]" for a, b in edges]
    rows: list[Row] = [({f"e[{a},{b}]": 1 for a, b in edges if a == k}, "==", 1) for k in range(5)]
    assert said(names, rows) == ["for every index 1: exactly one of its values of index 2"]


def test_few_siblings_and_unordered_axes_are_said_one_by_one() -> None:
    """Two rules are no pattern, and neither are rows that only an order of unordered values would make alike."""
    names = [f"x[{i},{s}]" for i, s in product(range(2), SHIFTS)]
    assert said(names, [({f"x[{i},{s}]": 1 for s in SHIFTS}, "==", 1) for i in range(2)]) == [
        "exactly one of x[0,morning], x[0,late], x[0,night], x[0,off]",
        "exactly one of x[1,morning], x[1,late], x[1,night], x[1,off]",
    ]
    pairs = [({f"x[{s}]": 1, f"x[{t}]": 1}, "<=", 1) for s, t in pairwise(SHIFTS)]
    assert len(said([f"x[{s}]" for s in SHIFTS], pairs)) == 3  # type: ignore[arg-type]


def test_rules_of_other_kinds_are_not_put_together() -> None:
    """Given rules, noisy rules and doubtful rules do not share a sentence with mined ones."""
    names = [f"x[{i},{j}]" for i, j in product(range(8), range(3))]
    rows: list[Row] = [({f"x[{i},{j}]": 1 for j in range(3)}, "<=", 1) for i in range(8)]
    rules = RuleSet.of(Variables.named(names), rows)
    evidence = [Evidence(50)] * 4 + [Evidence(50, needed=k) for k in (3, 4, 5)] + [Evidence(50, violations=1)]
    rules = replace(rules, evidence=tuple(evidence))
    assert [len(part.rules) for part in rules.said] == [4, 3, 1]
    assert "doubtful" in rules.said[1].text
    assert "noisy" in rules.said[2].text
    assert len(replace(rules, origins=("given",) * 2 + ("mined",) * 6).said) == 6


def test_siblings_among_redundant_rules_complete_a_pattern() -> None:
    """Redundant rules are stated if they complete patterns, and only those."""
    variables = Variables.named([f"x[{i},{j}]" for i, j in product(range(6), range(3))])
    rows = [({f"x[{i},{j}]": 1 for j in range(3)}, "==", 1) for i in range(6)]
    others = [({"x[0,0]": 1, "x[3,1]": 1}, "<=", 1)]
    rules, redundant = with_siblings(RuleSet.of(variables, rows[:2]), RuleSet.of(variables, rows[2:] + others))
    assert (len(rules), len(redundant), len(rules.said)) == (6, 1, 1)


def test_sentences_of_patterns() -> None:
    """Sentences say patterns once, with all columns and rules; without patterns there is one per rule."""
    variables = Variables.named([f"x[{i},{j}]" for i, j in product(range(6), range(3))])
    rules = RuleSet.of(variables, [({f"x[{i},{j}]": 1 for j in range(3)}, "==", 1) for i in range(6)])
    labels, counts = np.zeros((1, 18), np.int64), np.array([7])
    (sentence,) = sentences(rules, None, labels, counts)
    assert (len(sentence.columns), sentence.rules, sentence.support) == (18, tuple(range(6)), 7)
    assert [s.text for s in sentences(rules, None, labels, counts, patterns=False)] == [r.text for r in rules]


GRIDS = {
    "ordered": [f"x_{i}_{j}" for i, j in product(range(4), range(5))],
    "three axes": [f"nurse {i} / {d} / {s}" for i, d, s in product(range(3), DAYS[:4], SHIFTS[:3])],
    "gaps": [f"e[{i},{j}]" for i, j in product(range(5), range(5)) if i != j],
    "two grids": [f"x[{i},{s}]" for i, s in product(range(5), SHIFTS)] + [f"u[{i}]" for i in range(5)] + ["total"],
    "values that two axes have": [f"game[{a},{b},{r}]" for a, b, r in product("abcd", "abcd", range(4))],
    "values that are no plain words": [f"x[{a},{d}]" for a, d in product(("to", "the next", "3", "on mon"), DAYS[:4])],
    "axes with one name": [
        f"{s} {k} / {d}" for s in ("nurse", "doctor") for k, d in product(range(4), DAYS[: 3 + (s > "e")])
    ],
}


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Rules over a grid: templates that are moved around, without some of their copies, and arbitrary rows."""
    names = GRIDS[draw(st.sampled_from(sorted(GRIDS)))]
    variables = Variables.named(names, upper=draw(st.sampled_from([1, 3])))
    rows: list[tuple[Any, str, int]] = []
    for _ in range(draw(st.integers(1, 4))):
        grid = draw(st.sampled_from(variables.layout.grids))
        shape = grid.places.shape
        picks = draw(st.lists(st.tuples(*(st.integers(-1, min(2, n - 1)) for n in shape)), min_size=1, max_size=3))
        values = [draw(st.sampled_from([1, 1, 1, -1, 2])) for _ in picks]
        sense, rhs = draw(st.sampled_from(["<=", "<=", "=="])), draw(st.integers(-2, 3))
        moving = draw(st.lists(st.sampled_from(range(len(shape))), unique=True))
        for base in product(*(range(n) if a in moving else [0] for a, n in enumerate(shape))):
            row = np.zeros(len(names), np.int64)
            for pick, value in zip(picks, values, strict=True):
                where = tuple(
                    slice(None) if k < 0 and a not in moving else max(k, 0) + b
                    for a, (k, b) in enumerate(zip(pick, base, strict=True))
                )
                inside = all(isinstance(w, slice) or w < n for w, n in zip(where, shape, strict=True))
                places = np.atleast_1d(grid.places[where]).ravel() if inside else np.zeros(0, np.int64)
                row[places[places >= 0]] += value
            if row.any() and draw(st.integers(0, 9)):
                rows.append((row, sense, rhs))
                if sense == "<=" and draw(st.integers(0, 3)) == 0:
                    rows.append((-row, sense, rhs))
    return RuleSet.of(variables, rows)


@given(rule_sets())
@settings(max_examples=150, deadline=None)
def test_a_pattern_stands_for_exactly_the_rules_that_it_replaces(rules: RuleSet) -> None:
    """Whatever the rules, each is said once, patterns expand to the same rows, and no two say the same of others."""
    check_expansion(rules)
