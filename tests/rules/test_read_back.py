"""Whatever a model says can be written: its sentences read back to the rules that they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.read_back import models, said, unread
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.rules import Row, RuleSet, parse_rule

WEEK = Variables.named([f"{who} / {day}" for who in ("Ann", "Bo", "Cy") for day in ("mon", "tue", "wed")])
HOURS = Variables.named(
    [f"{grid}[{i},{j}]" for grid in ("x", "y") for i in range(3) for j in "abc"], [0] * 9 + [0] * 9, [1] * 9 + [40] * 9
)


def test_every_sentence_reads_back_to_its_rules() -> None:
    """Rows, patterns, gaps, facts, habits and doubtful rules of many models are read as exactly the same rules."""
    kinds = set()
    for name, make in models(full=False):
        model = make()
        assert not [(name, sentence.text, why) for sentence, why in unread(model)]
        kinds |= {sentence.kind for sentence in said(model)}
    assert len(kinds) > 25


def rows(text: str, variables: Variables = WEEK) -> list[Row]:
    """What a sentence says."""
    return parse_rule(text, variables, None)


WRITTEN = [
    # what a person may write, and the sentence of ours that says the same
    ("FOR EVERY day: at most 2 of the 3 values of index 1", "for every day: at most two of the 3 values of index 1"),
    ("for every index 1: the sum over the 3 days <= 2", "for every index 1: at most two of the 3 days"),
    ("for mon and tue: Ann requires Bo", "for every day but wed: Ann requires Bo"),
    ("for mon to tue: Ann requires Bo the next day", "for every day: Ann requires Bo the next day"),
    ("for every i: not mon and then mon", "for every i: 2*[i, mon] <= 1"),
    ("for every i and every 2 consecutive days: 1 to 2 of these 2 days",
     "for every i and day: 1 <= [i, day] + [i, day + 1] <= 2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "same"), WRITTEN)
def test_people_write_patterns_in_their_own_way(text: str, same: str) -> None:
    """Digits, other cases and other forms of the same statement give the same rows."""
    assert sorted(map(str, rows(text))) == sorted(map(str, rows(same)))


def test_a_pattern_over_numbers_is_a_sum() -> None:
    """Over integers, sums are read and counts of them are refused; indices name one of several grids."""
    (first, *_), (low, high, *_) = (
        rows(f"for every index 1: the sum of y over the 3 values of index 2 {limit}", HOURS)
        for limit in ("= 40", "is 5 to 30")
    )
    assert first == ({"y[0,a]": 1, "y[0,b]": 1, "y[0,c]": 1}, "==", 40)
    assert (low, high) == ((dict.fromkeys(first[0], -1), "<=", -5), (first[0], "<=", 30))
    assert rows("for every i and j: y[i, j] <= 40*x[i, j]", HOURS)[4] == ({"y[1,b]": 1, "x[1,b]": -40}, "<=", 0)
    with pytest.raises(DataError, match="only 0/1 variables are counted"):
        rows("for every index 1: at most two of y over the 3 values of index 2", HOURS)


UNREADABLE = [
    # a text that cannot be read, and what the message says
    ("for every week: never Ann", "there is no index 'week'"),
    ("for every day", "a colon is missing before the end"),
    ("for every day and every day: never Ann", "day is named twice"),
    ("for every day but sun: never Ann", "a value is missing before “sun: never Ann”: use one such as mon, tue, wed"),
    ("for every day: at most two of the 4 days", "before “the 4 days”"),
    ("for every day: never Dan", "a term is missing before “Dan”: write one such as [Ann, day]"),
    ("for wed: Ann requires Bo the next day", "does not fit there on day"),
    ("for every day: [i, day] = 1", "a term is missing"),
    ("for every day and i: at most one of the 3 days", "before “the 3 days”"),
]


@pytest.mark.parametrize(("text", "message"), UNREADABLE)
def test_unreadable_patterns_say_why(text: str, message: str) -> None:
    """The message says what is missing, and names something that can be written there."""
    with pytest.raises(DataError) as caught:
        rows(text)
    assert message in str(caught.value)


WORDS = [
    "for every", "for", "every", "day", "i", "index 1", "and", "but", "mon", "wed", "Ann", ":", ",", "(", "[", "]", "×",
    "2 consecutive days", "9999999999999999999 consecutive days", "block of", "these", "its", "the 3 days", "days", "≤",
    "at most", "two", "of", "the sum over", "never", "not", "then", "the next day", "2 days later", "with Bo", "on tue",
    "to", "all", "+", "·", "1", "=", "is", "from", "those", "99999999999999999999", "9999999999999999999", "x[i, j]",
    "x over", "[i, day]", "requires",
]  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(st.sampled_from([WEEK, HOURS]), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_any_pattern_is_read_or_refused(variables: Variables, text: str) -> None:
    """Whatever stands after “for every”, it becomes rows that a rule set accepts, or raises a DataError."""
    for begin in ("for every day: ", "for every i and day: ", "for every "):
        try:
            read = rows(begin + text, variables)
        except DataError:
            continue
        assert len(RuleSet.of(variables, read)) == len(read) > 0


def test_patterns_need_indices_and_are_not_too_large() -> None:
    """Without indices there is no place to speak of, and a pattern of too many rules is refused before it is read."""
    with pytest.raises(DataError, match="needs variables with indices"):
        rows("for every day: at most one of a, b", Variables.named("ab"))
    assert rows("for ever requires b", Variables.named(["for ever", "b"])) == [({"for ever": 1, "b": -1}, "<=", 0)]
    many = Variables.named([f"z[{i},{j}]" for i in range(150) for j in range(150)])
    with pytest.raises(DataError, match="more than 20,000 rules"):
        rows("for every i and j: z[i, j] = 0", many)
