"""Gaps: their words, reading them back, testing labels, and the rows that say the same."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unwritten import budgets
from unwritten.data import IntArray, Variables
from unwritten.errors import DataError
from unwritten.rules import Gap, Gaps
from unwritten.rules.gaps import encoded_gaps
from unwritten.rules.language.gap_sentences import gap_digest
from unwritten.rules.language.read_gaps import parse_gap

NAMES = ("a", "b", "c", "start − 1")
VARIABLES = Variables.named(NAMES, lower=[-1, 0, 0, -2], upper=[2, 3, 2, 2])


@st.composite
def some_gap(draw: st.DrawFn) -> Gap:
    """A gap of any kind over the variables."""
    names = draw(st.permutations(NAMES))
    number = st.integers(-3, 3)
    match draw(st.sampled_from(["not-equal", "all-different", "distance", "either-or", "all-differences"])):
        case "not-equal":
            return Gap.not_equal(names[0], names[1], draw(number))
        case "distance":
            return Gap.distance(names[0], names[1], draw(st.integers(1, 3)))
        case "either-or":
            low = draw(number)
            return Gap.either_or(names[0], names[1], low, low + draw(st.integers(3, 6)))
        case "all-differences":
            return Gap.all_differences(names[: draw(st.integers(3, 4))])
    size = draw(st.integers(3, 4))
    return Gap.all_different(names[:size], tuple(draw(number) for _ in range(size)))


def every_label(variables: Variables) -> IntArray:
    """All labels within the bounds."""
    ranges = [range(low, high + 1) for low, high in zip(variables.lower, variables.upper, strict=True)]
    return np.array(list(product(*ranges)), np.int64)


def by_hand(gap: Gap, label: IntArray) -> bool:
    """True if a label breaks a gap, by the words of the kinds."""
    values = [int(label[NAMES.index(name)]) for name in gap.variables]
    match gap.kind:
        case "distance":
            return abs(values[0] - values[1]) == gap.numbers[0]
        case "either-or":
            return gap.numbers[0] < values[0] - values[1] < gap.numbers[1]
        case "all-differences":
            differences = [later - sooner for sooner, later in combinations(values, 2)]
            return len(set(differences)) < len(differences)
    sums = [value + number for value, number in zip(values, gap.numbers, strict=True)]
    return len(set(sums)) < len(sums)


@given(some_gap())
def test_a_sentence_is_read_back(gap: Gap) -> None:
    """Reading a sentence gives a gap of the same meaning, in the same words."""
    read = parse_gap(gap.text, VARIABLES, None)
    assert read is not None
    assert read.text == gap.text
    assert gap_digest(read) == gap_digest(gap)


@given(some_gap())
def test_broken_by_hand(gap: Gap) -> None:
    """Labels break a gap exactly if its words say so."""
    labels = every_label(VARIABLES)
    broken = Gaps(VARIABLES, (gap,)).broken(labels)[:, 0]
    assert broken.tolist() == [by_hand(gap, label) for label in labels]


@settings(max_examples=30)
@given(st.lists(some_gap(), min_size=1, max_size=3), st.booleans())
def test_rows_say_the_same(gaps: list[Gap], by_values: bool) -> None:
    """A label obeys the gaps exactly if it and some 0/1 variables obey the rows, and `lifted` gives such ones."""
    few = budgets.GAP_VALUES
    budgets.GAP_VALUES = few if by_values else 0
    try:
        collected = Gaps(VARIABLES, tuple(gaps))
        encoding = encoded_gaps(collected, VARIABLES)
    finally:
        budgets.GAP_VALUES = few
    labels = every_label(VARIABLES)
    obeys = ~collected.broken(labels).any(axis=1)
    assert encoding.rules.obeyed_by(encoding.lifted(labels)).tolist() == obeys.tolist()
    extra = len(encoding.variables) - len(VARIABLES)
    if not by_values and extra <= 6:
        latents = np.array(list(product((0, 1), repeat=extra)), np.int64)
        for label in labels[~obeys][:20]:
            whole = np.column_stack([np.repeat(label[None], len(latents), axis=0), latents])
            assert not encoding.rules.obeyed_by(whole).any()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a != b", "a ≠ b"),
        ("a <> b + 2", "a ≠ b + 2"),
        ("a ≠ b − 2", "a + 2 ≠ b"),
        ("a, b, c all differ", "all different: a, b, c"),
        ("a, b all different", "a ≠ b"),
        ("all different: a + 1, b, c", "all different: a + 1, b, c"),
        ("|a - b| != 0", "a ≠ b"),
        ("a + 1 <= b or b + 1 <= a", "a ≠ b"),
        ("b + 2 ≤ a or a + 3 ≤ b", "b + 2 ≤ a or a + 3 ≤ b"),
        ("a ≤ c − 2 or c <= a", "a + 1 ≠ c"),
        ("a ≤ c − 3 or c <= a", "a + 3 ≤ c or c ≤ a"),
        ("a ≠ b (noisy: 3 of 90 examples break it)", "a ≠ b"),
        ("start − 1 ≠ a", "start − 1 ≠ a"),
    ],
)
def test_what_people_write(text: str, words: str) -> None:
    """Other signs and forms are read as well."""
    gap = parse_gap(text, VARIABLES, None)
    assert gap is not None
    assert gap.text == words


@pytest.mark.parametrize(
    "text",
    ["a ≠ z", "a ≠ a", "a ≤ b", "a + b ≤ 2", "a ≠ 3", "a + 1 ≤ b or c ≤ a", "a ≤ b or b ≤ a", "all different: a", ""],
)
def test_what_is_no_gap(text: str) -> None:
    """Other sentences are left to the language of linear rules."""
    assert parse_gap(text, VARIABLES, None) is None


@pytest.mark.parametrize(
    ("kind", "variables", "numbers"),
    [
        ("apart", ("a", "b"), (0, 0)),
        ("not-equal", ("a", "a"), (0, 0)),
        ("all-different", ("a", "b"), (0, 0)),
        ("distance", ("a", "b"), (0,)),
        ("distance", ("a", "b", "c"), (1,)),
        ("either-or", ("a", "b"), (0, 1)),
    ],
)
def test_bad_gaps(kind: str, variables: tuple[str, ...], numbers: tuple[int, ...]) -> None:
    """A gap that says nothing, or that is not whole, is refused."""
    with pytest.raises(DataError):
        Gap(kind, variables, numbers)  # type: ignore[arg-type]


def test_imply() -> None:
    """A wider gap implies a narrower one, and a set its pairs."""
    gaps = Gaps(VARIABLES, (Gap.all_different(["a", "b", "c"]), Gap.either_or("c", "start − 1", -3, 2)))
    assert gaps.imply(Gap.not_equal("b", "a"))
    assert gaps.imply(Gap.either_or("start − 1", "c", -1, 2))
    assert not gaps.imply(Gap.either_or("start − 1", "c", -3, 2))
    assert not gaps.imply(Gap.not_equal("a", "start − 1"))


def test_unknown_names() -> None:
    """Gaps are about variables that exist."""
    with pytest.raises(DataError, match="not a variable"):
        Gaps(VARIABLES, (Gap.not_equal("a", "z"),))


def test_display() -> None:
    """Gaps show themselves in notebooks and consoles."""
    gaps = Gaps(VARIABLES, (Gap.not_equal("a", "b"),))
    assert repr(gaps) == "Gaps(1 gap over 4 variables)"
    assert "a ≠ b" in gaps._repr_html_()
    assert repr(gaps[0]) == "Gap('a ≠ b')"
    assert str(gaps[:0]) == "no gaps"
