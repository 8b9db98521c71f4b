"""Words for rows over plain variables: the kind of each row, and a sentence that says it.

Sentences over the columns of a table are in `language`, which shares the words for numbers and for noise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unwritten.counted import counted
from unwritten.data import IntArray, Variables
from unwritten.rules.rule import Evidence, RowSense
from unwritten.tables.quoting import plain_json

#: Kinds whose sentences have names where no number could stand.
LISTING = ("exactly", "at-most", "at-least", "implies")
#: What `noise_text` may say.
REMARK = re.compile(
    r"\((?:an estimate|doubtful: [\d,]+ more examples? would settle it|noisy: \d+ of \d+ examples break it)\)\Z"
)
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


@dataclass(frozen=True)
class NamedTerms:
    """A row by names: the variables it touches, their coefficients, and whether they are all 0/1."""

    names: list[str]
    values: list[int]
    sense: RowSense
    rhs: int
    binary: bool

    @property
    def positive(self) -> list[str]:
        """The variables with positive coefficients."""
        return [name for name, value in zip(self.names, self.values, strict=True) if value > 0]

    @property
    def negative(self) -> list[str]:
        """The variables with negative coefficients."""
        return [name for name, value in zip(self.names, self.values, strict=True) if value < 0]

    def all_are(self, value: int) -> bool:
        """True if the variables are 0/1 and every coefficient has this value."""
        return self.binary and all(own == value for own in self.values)

    @property
    def is_difference(self) -> bool:
        """True if the row compares the difference of two variables with 0."""
        return self.rhs == 0 and sorted(self.values) == [-1, 1]

    @property
    def is_total(self) -> bool:
        """True if the row compares one variable with the sum of the others."""
        units = self.rhs == 0 and all(abs(value) == 1 for value in self.values)
        return units and 1 in (len(self.positive), len(self.negative))

    @property
    def with_quoted_numbers(self) -> NamedTerms:
        """The same, with names that could be read as numbers in quotes."""
        return replace(self, names=[plain_json(name) if name.isdecimal() else name for name in self.names])

    @property
    def linear(self) -> str:
        """The row as a sum: "a + 2·b ≤ 3"."""
        return _linear(self)


@dataclass(frozen=True)
class RowKind:
    """A kind of row: its name, which rows belong to it, and the sentence for one of them."""

    name: str
    includes: Callable[[NamedTerms], bool]
    text: Callable[[NamedTerms], str]


def describe_row(coefficients: IntArray, sense: RowSense, rhs: int, variables: Variables) -> tuple[str, str]:
    """Return the kind of a row and its sentence.

    >>> describe_row(np.array([1, 1, 1]), "==", 1, Variables.named("abc"))
    ('exactly', 'exactly one of a, b, c')
    """
    support = np.flatnonzero(coefficients)
    names = [variables.names[j] for j in support]
    row = NamedTerms(names, coefficients[support].tolist(), sense, rhs, bool(variables.binary[support].all()))
    kind = kind_of_row(row)
    return kind.name, kind.text(row if kind.name in LISTING else row.with_quoted_numbers)


def kind_of_row(row: NamedTerms) -> RowKind:
    """The kind that a row belongs to."""
    return next(kind for kind in (EQUALITY_KINDS if row.sense == "==" else INEQUALITY_KINDS) if kind.includes(row))


def number_text(n: int) -> str:
    """A count: a word from one to nine, else digits."""
    return NUMBERS.get(n) or signed_text(n)


def signed_text(n: int) -> str:
    """An integer with a true minus sign."""
    return str(n).replace("-", "−")


def order_text(less: str, more: str, ahead: int) -> str:
    """A row of two terms as `less ≤ more`, with the constant on the side where it is positive.

    >>> order_text("start", "end", -4)
    'start + 4 ≤ end'
    """
    if ahead < 0:
        return f"{less} + {-ahead} ≤ {more}"
    return f"{less} ≤ {more}" + (f" + {ahead}" if ahead else "")


def noise_text(evidence: Evidence | None) -> str:
    """The remark at the end of a sentence that some examples break, or that is not sure yet; else empty."""
    if evidence is None:
        return ""
    if evidence.estimate and not evidence.needed:
        return " (an estimate)"
    if evidence.needed:
        return f" (doubtful: {counted(evidence.needed, 'more example')} would settle it)"
    if not evidence.violations:
        return ""
    return f" (noisy: {evidence.violations} of {evidence.examples} examples break it)"


def without_remark(text: str) -> str:
    """Return a sentence without the remark at its end, as `noise_text` writes it."""
    return REMARK.sub("", text).rstrip()


def _linear(row: NamedTerms) -> str:
    return f"{_sum(row.names, row.values)} {'=' if row.sense == '==' else '≤'} {signed_text(row.rhs)}"


def _sum(names: Sequence[str], values: Sequence[int]) -> str:
    if not names:
        return "0"
    terms = []
    for name, value in zip(names, values, strict=True):
        sign = "− " if value < 0 else "+ "
        terms.append(sign + (name if abs(value) == 1 else f"{abs(value)}·{name}"))
    text = " ".join(terms)
    return text.removeprefix("+ ") if text.startswith("+") else text.replace("− ", "−", 1)


def _fixed(row: NamedTerms) -> str:
    if row.rhs % row.values[0]:
        return _linear(row)
    return f"{row.names[0]} = {signed_text(row.rhs // row.values[0])}"


def _total(row: NamedTerms) -> str:
    total, parts = (row.negative, row.positive) if len(row.negative) == 1 else (row.positive, row.negative)
    return f"{total[0]} = {' + '.join(parts)}"


def _bound(row: NamedTerms) -> str:
    if len(row.positive) == len(row.negative) == 1:
        terms = dict(zip([value > 0 for value in row.values], zip(row.names, row.values, strict=True), strict=True))
        (less, factor), (more, other) = terms[True], terms[False]
        return order_text(_sum([less], [factor]), _sum([more], [-other]), row.rhs)
    if row.values[0] > 0:
        return _linear(row)
    return f"{_sum(row.names, [-value for value in row.values])} ≥ {signed_text(-row.rhs)}"


def _count(words: str, number: int, row: NamedTerms) -> str:
    return f"{words} {number_text(number)} of {', '.join(row.names)}"


#: A row belongs to the first kind that includes it.
EQUALITY_KINDS = (
    RowKind("trivial", lambda row: not row.names, _linear),
    RowKind("fixed", lambda row: len(row.names) == 1, _fixed),
    RowKind("equal", lambda row: row.is_difference, lambda row: f"{row.positive[0]} = {row.negative[0]}"),
    RowKind(
        "exactly",
        lambda row: row.all_are(1) and 0 < row.rhs < len(row.names),
        lambda row: _count("exactly", row.rhs, row),
    ),
    RowKind("sum", lambda row: row.is_total, _total),
    RowKind("equality", lambda row: True, _linear),
)
INEQUALITY_KINDS = (
    RowKind("trivial", lambda row: not row.names, _linear),
    RowKind("bound", lambda row: len(row.names) == 1, _bound),
    RowKind("at-most", lambda row: row.all_are(1), lambda row: _count("at most", row.rhs, row)),
    RowKind("at-least", lambda row: row.all_are(-1), lambda row: _count("at least", -row.rhs, row)),
    RowKind(
        "implies",
        lambda row: row.binary and row.is_difference,
        lambda row: f"{row.positive[0]} requires {row.negative[0]}",
    ),
    RowKind("inequality", lambda row: True, _bound),
)
