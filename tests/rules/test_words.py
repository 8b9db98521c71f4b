"""Words: every kind of row has a sentence, and the sentence says what the row says."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import box
from unwritten import RuleSet, Variables
from unwritten.rules.words import NUMBERS

BINARY = Variables.named("abcd")
WHOLE = Variables.named("abcd", -5, 5)

SENTENCES = [
    # variables, coefficients, sense, right-hand side: kind and sentence
    (BINARY, [0, 0, 0, 0], "==", 0, "trivial", "0 = 0"),
    (BINARY, [0, 0, 0, 0], "<=", -1, "trivial", "0 ≤ −1"),
    (BINARY, [0, 1, 0, 0], "==", 1, "fixed", "b = 1"),
    (WHOLE, [0, 2, 0, 0], "==", -6, "fixed", "b = −3"),
    (WHOLE, [0, -2, 0, 0], "==", -6, "fixed", "b = 3"),
    (WHOLE, [0, 2, 0, 0], "==", 5, "fixed", "2·b = 5"),
    (WHOLE, [1, 0, -1, 0], "==", 0, "equal", "a = c"),
    (BINARY, [-1, 0, 1, 0], "==", 0, "equal", "c = a"),
    (BINARY, [1, 1, 1, 0], "==", 1, "exactly", "exactly one of a, b, c"),
    (BINARY, [1, 1, 1, 1], "==", 3, "exactly", "exactly three of a, b, c, d"),
    (WHOLE, [1, 1, 1, 0], "==", 1, "equality", "a + b + c = 1"),
    (BINARY, [1, 1, 0, 0], "==", 2, "equality", "a + b = 2"),
    (BINARY, [-1, 1, 1, 0], "==", 0, "sum", "a = b + c"),
    (WHOLE, [1, -1, -1, -1], "==", 0, "sum", "a = b + c + d"),
    (WHOLE, [2, -1, -1, 0], "==", 0, "equality", "2·a − b − c = 0"),
    (WHOLE, [-3, 0, 1, 0], "==", -2, "equality", "−3·a + c = −2"),
    (WHOLE, [0, 0, 1, 0], "<=", 3, "bound", "c ≤ 3"),
    (WHOLE, [0, 0, -1, 0], "<=", -2, "bound", "c ≥ 2"),
    (WHOLE, [0, 0, -2, 0], "<=", 3, "bound", "2·c ≥ −3"),
    (BINARY, [1, 1, 0, 1], "<=", 1, "at-most", "at most one of a, b, d"),
    (BINARY, [1, 1, 0, 1], "<=", 0, "at-most", "at most 0 of a, b, d"),
    (BINARY, [-1, -1, 0, 0], "<=", -1, "at-least", "at least one of a, b"),
    (BINARY, [1, -1, 0, 0], "<=", 0, "implies", "a requires b"),
    (BINARY, [-1, 0, 0, 1], "<=", 0, "implies", "d requires a"),
    (WHOLE, [1, -1, 0, 0], "<=", 0, "inequality", "a ≤ b"),
    (BINARY, [2, -1, 0, 3], "<=", 4, "inequality", "2·a − b + 3·d ≤ 4"),
]


@pytest.mark.parametrize(("variables", "coefficients", "sense", "rhs", "kind", "text"), SENTENCES)
def test_every_kind_has_its_sentence(
    variables: Variables, coefficients: list[int], sense: str, rhs: int, kind: str, text: str
) -> None:
    """The kind, the sentence, and `str` of a rule, which is the sentence."""
    rule = RuleSet.of(variables, [(coefficients, sense, rhs)])[0]
    assert (rule.kind, rule.text, str(rule)) == (kind, text, text)


def test_large_counts_are_digits() -> None:
    """Counts are words up to nine and digits from ten on."""
    variables = Variables.named([f"v{j}" for j in range(12)])
    nine, ten = RuleSet.of(variables, [([1] * 12, "==", 9), ([1] * 12, "==", 10)])
    assert nine.text.startswith("exactly nine of v0, v1")
    assert ten.text.startswith("exactly 10 of v0, v1")


def holds(text: str, point: dict[str, int]) -> bool:
    """True if the sentence is true of the point; this reads the sentence alone and knows nothing of rows."""
    counted = re.fullmatch(r"(exactly|at most|at least) (\S+) of (.+)", text)
    if counted:
        words = {word: number for number, word in NUMBERS.items()}
        number = words.get(counted[2]) if counted[2] in words else int(counted[2].replace("−", "-"))
        total = sum(point[name] for name in counted[3].split(", "))
        return {"exactly": total == number, "at most": total <= number, "at least": total >= number}[counted[1]]
    requires = re.fullmatch(r"(\w+) requires (\w+)", text)
    if requires:
        return not point[requires[1]] or bool(point[requires[2]])
    left, relation, right = re.split(r" ([=≤≥]) ", text)
    a, b = (linear(side, point) for side in (left, right))
    return {"=": a == b, "≤": a <= b, "≥": a >= b}[relation]


def linear(side: str, point: dict[str, int]) -> int:
    """The value of `2·a − b + 3`."""
    terms = re.findall(r"([+−]?) ?(?:(\d+)·)?(\w+)", side)
    values = [(int(name) if name.isdigit() else point[name]) * int(factor or 1) for _, factor, name in terms]
    return sum(-value if sign == "−" else value for (sign, _, _), value in zip(terms, values, strict=True))


@settings(max_examples=150)
@given(
    st.booleans(),
    st.lists(st.integers(-2, 2), min_size=3, max_size=3)
    | st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3),
    st.sampled_from(["==", "<="]),
    st.integers(-3, 3),
)
def test_the_sentence_says_what_the_row_says(binary: bool, row: list[int], sense: str, rhs: int) -> None:
    """Read back by someone who sees only the sentence, a rule admits exactly the points that its row admits."""
    low, high = (0, 1) if binary else (-2, 2)
    variables = Variables.named("abc", low, high)
    rules = RuleSet.of(variables, [(row, sense, rhs)])
    points = box(low, high, 3)
    read = [holds(rules[0].text, dict(zip("abc", point, strict=True))) for point in points.tolist()]
    assert read == rules.obeyed_by(points).tolist()
    assert all(name in re.findall(r"\w+", rules[0].text) for name, value in zip("abc", row, strict=True) if value)
    assert np.array_equal(rules[0].coefficients, row)
