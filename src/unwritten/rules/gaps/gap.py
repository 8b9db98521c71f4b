"""One gap: values that differences of integer variables never take, though they take smaller and larger ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from unwritten.data.html import html_table
from unwritten.errors import DataError
from unwritten.rules.gaps.parts import GapPart, Term
from unwritten.rules.rule import GIVEN, RULE_HEADS, Evidence
from unwritten.rules.words import noise_text, order_text, signed_text
from unwritten.shown import shown

GapKind = Literal["not-equal", "all-different", "distance", "either-or", "all-differences"]
KINDS: tuple[GapKind, ...] = get_args(GapKind)


@dataclass(frozen=True)
class Gap:
    """A rule that says of one or more differences which values they never take.

    What `numbers` are depends on the kind:

    - *not-equal* and *all-different*: one number is added to each variable, and the sums differ pairwise;
    - *distance*: |x − y| is not this number, which is above 0;
    - *either-or*: (low, high), and x − y ≤ low or x − y ≥ high;
    - *all-differences*: none. The differences of a variable and each one before it differ pairwise.

    >>> Gap.all_different(["a", "b", "c"]).text
    'all different: a, b, c'
    >>> Gap.either_or("cut", "drill", -4, 3).text
    'cut + 4 ≤ drill or drill + 3 ≤ cut'
    >>> Gap.all_differences(["a", "b", "c"]).text
    'all differences differ: a, b, c'
    """

    kind: GapKind
    variables: tuple[str, ...]
    numbers: tuple[int, ...]
    origin: str = GIVEN
    evidence: Evidence | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise DataError(f"there is no gap of kind {self.kind!r}: use one of {', '.join(KINDS)}")
        if len(set(self.variables)) < len(self.variables):
            raise DataError("a gap names a variable twice: name each variable once")
        pairwise = self.kind in ("not-equal", "all-different")
        least, most = (3, None) if self.kind in ("all-different", "all-differences") else (2, 2)
        count = {"distance": 1, "either-or": 2, "all-differences": 0}.get(self.kind, len(self.variables))
        if len(self.variables) < least or (most and len(self.variables) > most) or len(self.numbers) != count:
            raise DataError(
                f"a gap of kind {self.kind!r} needs other variables or numbers: see unwritten.rules.gaps.Gap"
            )
        if self.kind == "distance" and self.numbers[0] <= 0:
            raise DataError("a distance must be above 0: write “x ≠ y” for numbers that differ")
        if not pairwise and self.kind == "either-or" and self.numbers[1] - self.numbers[0] < 2:
            raise DataError("nothing lies between the two sides of a gap: leave it out")

    @classmethod
    def not_equal(cls, first: str, second: str, ahead: int = 0) -> Gap:
        """`first ≠ second + ahead`."""
        return cls("not-equal", (first, second), (max(0, -ahead), max(0, ahead)))

    @classmethod
    def all_different(cls, variables: list[str] | tuple[str, ...], added: tuple[int, ...] | None = None) -> Gap:
        """Variables that differ pairwise, each after a number is added to it; of two, `not_equal` of them."""
        numbers = added or (0,) * len(variables)
        least = min(numbers)
        kind: GapKind = "not-equal" if len(variables) == 2 else "all-different"
        return cls(kind, tuple(variables), tuple(number - least for number in numbers))

    @classmethod
    def distance(cls, first: str, second: str, number: int) -> Gap:
        """`|first − second| ≠ number`."""
        return cls("distance", (first, second), (number,))

    @classmethod
    def either_or(cls, first: str, second: str, low: int, high: int) -> Gap:
        """`first − second ≤ low` or `first − second ≥ high`."""
        return cls("either-or", (first, second), (low, high))

    @classmethod
    def all_differences(cls, variables: list[str] | tuple[str, ...]) -> Gap:
        """Variables whose differences, each less one before it, differ pairwise: the marks of a Golomb ruler."""
        return cls("all-differences", tuple(variables), ())

    @property
    def parts(self) -> tuple[GapPart, ...]:
        """The gap as one or more pairs of half-lines."""
        match self.kind:
            case "either-or":
                return (GapPart.of_difference(*self.variables, *self.numbers),)  # type: ignore[arg-type]
            case "distance":
                (first, second), (c,) = self.variables, self.numbers
                return tuple(GapPart.of_difference(first, second, v - 1, v + 1) for v in (-c, c))
            case "all-differences":
                return tuple(GapPart(form, -1, 1) for form in difference_forms(self.variables))
            case _:
                terms = combinations(zip(self.variables, self.numbers, strict=True), 2)
                return tuple(GapPart.of_difference(x, y, b - a - 1, b - a + 1) for (x, a), (y, b) in terms)

    @property
    def text(self) -> str:
        """The gap as a sentence."""
        return self.words + noise_text(self.evidence)

    @property
    def words(self) -> str:
        """The sentence without what it says about examples that break it."""
        return worded(self, self.variables)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Gap({shown(self.text)!r})"

    def _repr_html_(self) -> str:
        return html_table(RULE_HEADS, [gap_cells(self)])


def gap_cells(gap: Gap) -> tuple[object, ...]:
    """The row of an HTML table with the heads `RULE_HEADS`."""
    return gap.text, gap.kind, gap.origin, gap.evidence


def worded(gap: Gap, names: tuple[str, ...]) -> str:
    """The sentence of a gap whose variables have these names."""
    match gap.kind:
        case "either-or":
            (first, second), (low, high) = names, gap.numbers
            return f"{order_text(first, second, low)} or {order_text(second, first, -high)}"
        case "distance":
            return f"|{names[0]} − {names[1]}| ≠ {signed_text(gap.numbers[0])}"
        case "not-equal":
            first, second = (_plus(name, number) for name, number in zip(names, gap.numbers, strict=True))
            return f"{first} ≠ {second}"
        case "all-differences":
            return f"all differences differ: {', '.join(names)}"
        case _:
            return f"all different: {', '.join(_plus(*term) for term in zip(names, gap.numbers, strict=True))}"


def difference_forms(names: tuple[str, ...]) -> list[tuple[Term, ...]]:
    """The sums that are 0 if two differences (each of a variable less one before it) are equal, each sum once.

    >>> difference_forms(("a", "b", "c"))[-1]
    (('a', 1), ('b', -2), ('c', 1))
    """
    place = {name: k for k, name in enumerate(names)}
    forms = dict[tuple[Term, ...], None]()
    for (a, b), (c, d) in combinations(combinations(names, 2), 2):
        factors = dict.fromkeys((a, b, c, d), 0)
        for name, factor in ((a, 1), (b, -1), (c, -1), (d, 1)):
            factors[name] += factor
        form = sorted(((name, factor) for name, factor in factors.items() if factor), key=lambda term: place[term[0]])
        sign = 1 if form[0][1] > 0 else -1
        forms[tuple((name, sign * factor) for name, factor in form)] = None
    return sorted(forms, key=len)


def _plus(name: str, number: int) -> str:
    return f"{name} + {number}" if number else name
