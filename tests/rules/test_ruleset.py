"""RuleSet: exact consequences, violations and comparison; indexing, slicing and addition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import box, rank
from unwritten import Evidence, RuleSet, Variables, budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.rules import DEFINITION, GIVEN, MINED

ABC = Variables.named("abc")
WIDE = Variables.named("abcd", -3, 3)
COEFFICIENTS = st.lists(st.integers(-3, 3), min_size=4, max_size=4)
RULES = RuleSet.of(ABC, [([1, 1, 1], "==", 1), ([1, -1, 0], "<=", 0), ([0, 1, 1], ">=", 1)])


@st.composite
def equality_sets(draw: st.DrawFn) -> tuple[RuleSet, IntArray]:
    """Up to three equalities over four variables that a known point satisfies, and that point."""
    rows = draw(st.lists(COEFFICIENTS, max_size=3))
    point = np.array(draw(COEFFICIENTS))
    return RuleSet.of(WIDE, [(row, "==", int(np.dot(row, point))) for row in rows]), point


@given(equality_sets(), st.data())
def test_combinations_of_equalities_are_implied(case: tuple[RuleSet, IntArray], data: st.DataObject) -> None:
    """Every integer combination of the equalities is a consequence; with another right-hand side it is not."""
    rules, _ = case
    times = np.array(data.draw(st.lists(st.integers(-4, 4), min_size=len(rules), max_size=len(rules))), np.int64)
    a, b = times @ rules.matrix, int(times @ rules.rhs)
    assert rules.implies(a, b, "==")
    assert not rules.implies(a, b + 1, "==")


@given(equality_sets(), COEFFICIENTS, st.integers(-2, 2))
def test_other_rows_are_implied_only_if_the_rank_does_not_grow(
    case: tuple[RuleSet, IntArray], a: list[int], off: int
) -> None:
    """`implies` (one row) and `implied` (many rows) agree with the rank computed in fractions."""
    rules, point = case
    b = int(np.dot(a, point)) + off
    row = [*a, -b]
    expected = rank([*rules.rows.tolist(), row]) == rank(rules.rows)
    assert rules.implies(a, b) == expected
    assert rules.implied(np.array([row, [0] * 5])).tolist() == [expected, True]
    assert rules.rank == rank(rules.rows)


@given(equality_sets(), COEFFICIENTS, st.integers(-2, 2), st.sampled_from(["<=", ">="]))
def test_an_inequality_is_implied_iff_its_value_is_fixed_low_enough(
    case: tuple[RuleSet, IntArray], a: list[int], off: int, sense: str
) -> None:
    """`a·y <= b` follows from equalities alone iff they fix `a·y`, at a value of at most `b`; `>=` mirrored."""
    rules, point = case
    value = int(np.dot(a, point))
    fixed = rank([*rules.matrix.tolist(), a]) == rank(rules.matrix)
    assert rules.implies(a, value + off, sense) == (fixed and (off >= 0 if sense == "<=" else off <= 0))


def test_implication_is_rational_and_ignores_inequalities() -> None:
    """Halves of equalities are implied; inequalities and bounds are not used."""
    rules = RuleSet.of(ABC, [([2, 2, 0], "==", 2), ([1, 0, 0], "<=", 0)])
    assert rules.implies([1, 1, 0], 1)
    assert rules.implies({"a": 3, "b": 3}, 3, "=")
    assert not rules.implies([1, 0, 0], 0, "<=")
    assert not rules.implies([1, 0, 0], 1, "<=")  # true of every label, but by the bounds
    assert RuleSet.empty(ABC).implies([0, 0, 0], 5, "<=")
    assert not RuleSet.empty(ABC).implies([0, 0, 0], -1, "<=")


def test_implication_with_large_numbers() -> None:
    """Coefficients at the limit are compared exactly, where floats would see no difference."""
    edge = 2**31 - 1
    rules = RuleSet.of(ABC, [([edge, 1, 0], "==", edge), ([0, edge, 1], "==", 1)])
    assert rules.implies([edge, 1, 0], edge)
    assert not rules.implies([edge, 1, 0], edge - 1)
    assert not rules.implies([edge - 1, 1, 0], edge - 1)
    assert rules.implies([edge, -edge + 1, -1], edge - 1)  # the first less the second


@given(st.data())
def test_violations_are_those_of_a_loop(data: st.DataObject) -> None:
    """The table of violations, and which labels obey all rules, agree with a test of each label on each rule."""
    triples = data.draw(
        st.lists(st.tuples(COEFFICIENTS, st.sampled_from(["==", "<=", ">="]), st.integers(-4, 4)), max_size=4)
    )
    labels = box(-1, 1, 4)[:: data.draw(st.integers(1, 7))]
    expected = [
        [
            not {"==": np.dot(a, y) == b, "<=": np.dot(a, y) <= b, ">=": np.dot(a, y) >= b}[sense]
            for a, sense, b in triples
        ]
        for y in labels
    ]
    rules = RuleSet.of(WIDE, triples)
    broken = rules.violations(labels)
    assert broken.shape == (len(labels), len(triples))
    assert broken.tolist() == rules.broken(labels).tolist() == expected
    assert rules.obeyed_by(labels).tolist() == [not any(row) for row in expected]


def test_violations_in_blocks_and_of_large_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Testing labels in parts gives the same table, and sums beyond 2⁶³ do not wrap around."""
    labels = box(0, 1, 3)
    whole = RULES.violations(labels)
    monkeypatch.setattr(budgets, "RULE_BLOCK_ENTRIES", 2 * len(RULES))
    assert np.array_equal(RULES.violations(labels), whole)
    assert np.array_equal(RULES.obeyed_by(labels), ~whole.any(axis=1))
    edge = 2**31 - 1
    large = RuleSet.of(ABC, [([edge, edge, -edge], "<=", 0), ([edge, -edge, 0], "==", 0)])
    assert large.violations([[edge, edge, edge], [edge, edge - 1, 0]]).tolist() == [[True, False], [True, True]]


def test_violations_of_no_labels_and_by_no_rules() -> None:
    """The table of violations is empty if there are no labels or no rules."""
    assert RULES.violations(np.zeros((0, 3))).shape == (0, 3)
    assert RuleSet.empty(ABC).violations([[1, 0, 0]]).shape == (1, 0)


def test_compare_names_what_each_side_lacks() -> None:
    """Sets with the same solutions compare as same; else the rows that the other side does not imply are listed."""
    ours = RuleSet.of(ABC, [([1, 1, 1], "==", 1), ([1, -1, 0], "==", 0)])
    same = RuleSet.of(ABC, [([2, 0, 1], "==", 1), ([3, 1, 2], "==", 2)])
    assert ours.compare(same).same
    assert same.compare(ours).same
    theirs = RuleSet.of(ABC, [([1, 1, 1], "==", 1), ([0, 1, -1], "==", 0), ([1, 0, 0], "<=", 0)])
    comparison = ours.compare(theirs)
    assert not comparison.same
    assert str(comparison.missing) == "b = c"
    assert str(comparison.extra) == "a = b"
    fewer = ours.compare(ours[:1])
    assert (len(fewer.missing), str(fewer.extra)) == (0, "a = b")


def test_different_variables_do_not_mix() -> None:
    """Sets over different names can be neither added nor compared; different bounds do not matter."""
    other = RuleSet.empty(Variables.named("abd"))
    with pytest.raises(DataError, match="over different variables: mine or write them over the same names"):
        RULES + other
    with pytest.raises(DataError, match="over different variables: compare sets over the same names"):
        RULES.compare(other)
    assert RULES.compare(RuleSet.empty(Variables.named("abc", 0, 5))).extra == RULES.equalities


def test_order_indexing_and_slicing() -> None:
    """Rules keep the order they were given in; an integer gives a rule, anything else a rule set."""
    texts = ["exactly one of a, b, c", "a requires b", "at least one of b, c"]
    assert [rule.text for rule in RULES] == texts
    assert str(RULES) == "\n".join(texts)
    assert len(RULES) == 3
    assert RULES[-1].text == RULES[np.int64(2)].text == texts[2]
    assert [rule.text for rule in RULES[1:]] == texts[1:]
    assert [rule.text for rule in RULES[[2, 0]]] == [texts[2], texts[0]]
    assert [rule.text for rule in RULES[np.array([True, False, True])]] == [texts[0], texts[2]]
    assert len(RULES[[]]) == 0
    for beyond in (3, -4):
        with pytest.raises(IndexError):
            RULES[beyond]


def test_equality_and_addition() -> None:
    """A set equals the sum of its parts, in order; another order, origin or evidence is another set."""
    assert RULES[:1] + RULES[1:] == RULES
    assert RULES[1:] + RULES[:1] != RULES
    assert RULES + RuleSet.empty(ABC) == RULES
    triples = [([1, 1, 1], "==", 1)]
    given = RuleSet.of(ABC, triples)
    assert given == RULES[:1]
    assert given != RuleSet.of(ABC, triples, MINED)
    assert given != RuleSet.of(ABC, triples, GIVEN, Evidence(5))
    assert given != RuleSet.of(ABC, [([1, 1, 1], "<=", 1)])
    assert given != RuleSet.of(Variables.named("abc", 0, 2), triples)
    assert given != "exactly one of a, b, c"


def test_parts_by_sense_and_origin() -> None:
    """Equalities, inequalities and the rules of one origin can be selected, in their old order."""
    mixed = RULES + RuleSet.of(ABC, [([1, 0, 0], "==", 0)], MINED, Evidence(9))
    assert [rule.text for rule in mixed.equalities] == ["exactly one of a, b, c", "a = 0"]
    assert [rule.text for rule in mixed.inequalities] == ["a requires b", "at least one of b, c"]
    assert mixed.by_origin(MINED) == mixed[3:]
    assert mixed.by_origin(GIVEN, MINED) == mixed
    assert len(mixed.by_origin(DEFINITION)) == 0
    assert mixed[3].evidence == Evidence(9)
    assert (mixed[3].sense, mixed[3].rhs, mixed[3].origin) == ("==", 0, MINED)


def test_triples_are_read_back() -> None:
    """What `triples` writes, `of` reads as the same rules."""
    assert RuleSet.of(ABC, RULES.triples()) == RULES
    assert RULES.triples()[1] == ({"a": 1, "b": -1}, "<=", 0)


def test_over_more_variables() -> None:
    """Over more variables the rules have the same text, and labels break the same rules whatever the new values are."""
    extended = RULES.over(ABC + Variables.named("de"))
    assert str(extended) == str(RULES)
    labels = box(0, 1, 5)
    assert np.array_equal(extended.violations(labels), RULES.violations(labels[:, :3]))


def test_no_rules() -> None:
    """The empty set prints “no rules”, has rank 0, and every label obeys it."""
    empty = RuleSet.empty(ABC)
    assert (str(empty), empty.rank, len(empty)) == ("no rules", 0, 0)
    assert empty.obeyed_by(np.zeros((2, 3), np.int64)).all()


def test_rank_counts_independent_equalities() -> None:
    """Repeated and dependent equalities count once, inequalities never."""
    rows = [
        ([1, 1, 0], "==", 1),
        ([2, 2, 0], "==", 2),
        ([0, 1, 1], "==", 1),
        ([1, 2, 1], "==", 2),
        ([1, 0, 0], "<=", 0),
    ]
    assert RuleSet.of(ABC, rows).rank == 2


def test_rules_are_frozen() -> None:
    """Neither the set's arrays nor a rule's coefficients can be written."""
    for array in (RULES.matrix, RULES.rhs, RULES.equality, RULES[0].coefficients):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_evidence_gives_the_bound_of_lemma_2() -> None:
    """The bound is 1/(e·M) after M examples, and 1 without examples or with violations."""
    assert Evidence(100).lemma2 == pytest.approx(1 / (np.e * 100))
    assert Evidence(0).lemma2 == Evidence(100, violations=1).lemma2 == 1.0


BAD_ROWS: dict[str, tuple[Any, str]] = {
    # what it is: (the row, part of the message)
    "no triple": (5, r"a rule is a triple \(coefficients, sense, right-hand side\)"),
    "a pair": (([1, 1, 1], 1), r"a rule is a triple"),
    "too few coefficients": (([1, 1], "==", 1), "2 coefficients for 3 variables: give one per variable"),
    "too many coefficients": (([1] * 4, "==", 1), "4 coefficients for 3 variables: give one per variable"),
    "a table of coefficients": (([[1, 1, 1]], "==", 1), r"coefficients of shape \(1, 3\) for 3 variables"),
    "an unknown name": (({"a": 1, "z": 1}, "==", 1), "'z', which is not a variable: use names from a, b, c$"),
    "an unknown sense": (([1, 1, 1], "<", 1), "sense '<': use '==', '<=' or '>='"),
    "no sense": (([1, 1, 1], None, 1), "sense None: use '==', '<=' or '>='"),
    "a fraction": (([1, 0.5, 1], "==", 1), "rule coefficients hold 0.5 at position 1: round"),
    "a fraction on the right": (([1, 1, 1], "==", 0.5), "right-hand sides hold 0.5: round"),
    "two right-hand sides": (([1, 1, 1], "==", [1, 2]), "2 right-hand sides: give one number"),
    "no right-hand side": (([1, 1, 1], "==", None), "right-hand sides hold None"),
    "NaN": (([1, np.nan, 1], "==", 1), "rule coefficients hold nan at position 1: replace"),
    "text": ((["x", "y", "z"], "==", 1), "rule coefficients hold text: encode"),
    "text by name": (({"a": "x"}, "==", 1), "rule coefficients hold x at position 0"),
    "ragged": (([1, [1], 1], "==", 1), "rule coefficients are nested unevenly: give plain numbers"),
    "beyond 31 bits": (([2**31, 1, 1], "==", 1), "rule coefficients hold 2147483648 at position 0: rescale"),
}


@pytest.mark.parametrize("case", BAD_ROWS)
def test_bad_rows(case: str) -> None:
    """`of` and `implies` refuse a row that cannot be read, and say what to do."""
    row, cure = BAD_ROWS[case]
    with pytest.raises(DataError, match=cure) as raised:
        RuleSet.of(ABC, [([1, 1, 1], "==", 1), row])
    assert isinstance(raised.value, ValueError)
    if isinstance(row, tuple) and len(row) == 3:
        coefficients, sense, rhs = row
        with pytest.raises(DataError, match=cure):
            RULES.implies(coefficients, rhs, sense)


def test_a_single_row_in_place_of_a_list() -> None:
    """A single triple where a list of triples is expected gets its own message."""
    with pytest.raises(DataError, match=r"a single rule .* write \[\(coefficients, sense, rhs\)\]"):
        RuleSet.of(ABC, ([1, 1, 1], "==", 1))  # type: ignore[arg-type]


def test_parts_of_different_lengths() -> None:
    """Arrays of different lengths are refused."""
    with pytest.raises(DataError, match="different lengths: give one entry per rule to each"):
        RuleSet(ABC, np.ones((2, 3), np.int64), np.ones(2, bool), np.ones(1, np.int64), (GIVEN,) * 2, (None,) * 2)


@pytest.mark.parametrize(
    ("labels", "cure"),
    [
        ([[1, 0]], "2 columns but the rules are over 3 variables: give the columns the rules were mined from"),
        ([1, 0, 0], "1 dimension"),
        ([[0.5, 0, 0]], "hold 0.5 at row 0, column 0: round"),
        (None, "labels are missing"),
    ],
)
def test_bad_labels_for_violations(labels: object, cure: str) -> None:
    """Labels that do not fit the rules are refused."""
    with pytest.raises(DataError, match=cure):
        RULES.violations(labels)
