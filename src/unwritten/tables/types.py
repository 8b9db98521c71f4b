"""Types: what each column is, by inspection or as a person says."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.tables.column import KINDS, Column, Kind, Level, is_integer
from unwritten.tables.quoting import shown

NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)  # 007 is a code
LARGEST = 2**31 - 1
TRUTH = [("0", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t"), ("off", "on")]

FRACTIONS = "numbers with fractions: bin them with {name}=bins:4"
IDENTIFIER = "an identifier: every row has another value"
EMPTY = "every value is missing"


@dataclass
class Values:
    """What was seen in one column so far: its levels while there are not too many, and what they have in common."""

    name: str
    most: int
    levels: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    missing: int = 0
    integers: bool = True
    numbers: bool = True
    repeats: bool = False
    low: int | None = None
    high: int = 0
    binned: bool = False
    values: list[FloatArray] = field(default_factory=list)

    @property
    def many(self) -> bool:
        """Whether there are more levels than are kept."""
        return len(self.levels) > self.most

    @property
    def settled(self) -> bool:
        """Whether more rows would change nothing: text of too many values, some of them repeated."""
        return self.many and not self.integers and not self.numbers and self.repeats

    @property
    def reach(self) -> int:
        """The largest absolute value of integers."""
        return max(abs(self.low or 0), abs(self.high))

    @property
    def serial(self) -> bool:
        """Whether the values look like numbers given one after the other."""
        return self.integers and self.high - (self.low or 0) + 1 == self.rows

    def add(self, texts: Sequence[Level], index: IntArray) -> None:
        """Take in a batch: row i holds `texts[index[i]]`."""
        counts = np.bincount(index, minlength=len(texts))
        self.rows += len(index)
        for text, count in zip(texts, counts.tolist(), strict=True):
            if not count:
                continue
            if text is None:
                self.missing += count
                continue
            self.repeats |= count > 1 or text in self.levels
            fresh = text not in self.levels
            if fresh and not self.many:
                self.levels[text] = 0
            if fresh:
                self._look_at(text)
        if self.binned:
            known = np.array([_number(text, self.name) for text in texts], float)
            found = known[index]
            self.values.append(found[~np.isnan(found)])

    def _look_at(self, text: str) -> None:
        if self.integers:
            if is_integer(text):
                value = int(text)
                first = self.low is None
                self.low = value if self.low is None else min(self.low, value)
                self.high = value if first else max(self.high, value)
            else:
                self.integers = False
        if self.numbers and not self.integers:
            self.numbers = _is_number(text)


def column_of(values: Values, wanted: str | None, missing: str) -> Column:
    """The column that these values make, of the kind that is wanted or else the one that fits them."""
    kind, _, detail = (wanted or "").partition(":")
    if missing == "error" and values.missing and kind != "skip":
        raise DataError(
            f"column {shown(values.name)!r} has {values.missing:,} missing values: fill them, or keep them as a value "
            "of their own with --missing category"
        )
    if kind == "skip":
        return Column(values.name, "skip", reason="as asked")
    if values.missing == values.rows:
        return Column(values.name, "skip", reason=EMPTY)
    if kind == "bins":
        return _bins(values, detail)
    chosen = cast(Kind, kind) if kind else _fitting(values)
    return _MAKE[chosen](values)


def _fitting(values: Values) -> Kind:
    """The kind by inspection."""
    levels = set(values.levels)
    if (
        not values.repeats
        and values.rows >= budgets.IDENTIFIER_ROWS
        and (values.serial or not (values.integers or values.numbers))
    ):
        return "skip"
    if values.integers:
        if levels == {"0", "1"} and not values.missing:
            return "boolean"
        if len(levels) <= budgets.NUMBER_LEVELS or values.missing or values.reach > LARGEST:
            return "category"
        return "integer"
    if values.numbers:
        return "skip"
    if not values.missing and tuple(sorted(text.lower() for text in levels)) in [tuple(sorted(t)) for t in TRUTH]:
        return "boolean"
    return "category"


def _category(values: Values) -> Column:
    if values.many:
        raise TooManyLevelsError(values.name, values.most)
    levels: tuple[Level, ...] = tuple(sorted(values.levels, key=(int if values.integers else str)))  # type: ignore[arg-type]
    if values.missing:
        levels = (*levels, None)
    return Column(values.name, "category", levels, dtype="integer" if values.integers else "text")


def _boolean(values: Values) -> Column:
    if len(values.levels) != 2 or values.missing:
        has = f"{len(values.levels)} values" + (" and missing ones" if values.missing else "")
        raise DataError(f"column {shown(values.name)!r} has {has}, so it is no boolean: use category")
    words = {low: 0 for low, _ in TRUTH} | {high: 1 for _, high in TRUTH}
    levels = tuple(sorted(values.levels, key=lambda text: (words.get(text.lower(), 0), text)))
    dtype = "integer" if values.integers else "boolean" if set(levels) == {"true", "false"} else "text"
    return Column(values.name, "boolean", levels, dtype)


def _integer(values: Values) -> Column:
    if not values.integers or values.missing:
        has = "missing values" if values.integers else "values that are no integers"
        raise DataError(f"column {shown(values.name)!r} has {has}: use category, bins or skip")
    if values.reach > LARGEST:
        raise DataError(f"column {shown(values.name)!r} has values beyond {LARGEST:,}: use bins or skip")
    return Column(values.name, "integer", dtype="integer", lower=values.low or 0, upper=values.high)


def _skip(values: Values) -> Column:
    reason = FRACTIONS.format(name=shown(values.name)) if values.numbers and not values.integers else IDENTIFIER
    return Column(values.name, "skip", reason=reason)


_MAKE = {"category": _category, "boolean": _boolean, "integer": _integer, "skip": _skip}


def _bins(values: Values, detail: str) -> Column:
    """Bins of about equal size, or between the edges that were given."""
    if not (values.numbers or values.integers):
        raise DataError(f"column {shown(values.name)!r} holds text, which has no bins: use category or skip")
    found = np.concatenate(values.values)
    if "|" in detail or not detail.isdigit():
        try:
            edges = sorted({float(part) for part in detail.split("|")})
        except ValueError as error:
            raise DataError(
                f"bins:{detail} is neither a number of bins nor edges: write bins:4 or bins:10|20"
            ) from error
    else:
        if not 2 <= int(detail) <= budgets.CATEGORY_LEVELS:
            raise DataError(f"bins:{detail} is no number of bins: use 2 to {budgets.CATEGORY_LEVELS}")
        shares = np.arange(1, int(detail)) / int(detail)
        edges = np.unique(np.quantile(found, shares, method="higher")).tolist()
    if not np.isfinite(edges).all():
        raise DataError(f"bins:{detail} has an edge that is not finite: use plain numbers")
    texts = [f"{edge:g}" if float(f"{edge:g}") == edge else repr(edge) for edge in edges]
    between = [f"{low}..{high}" for low, high in itertools.pairwise(texts)]
    levels: tuple[Level, ...] = (f"<{texts[0]}", *between, f"≥{texts[-1]}", *([None] if values.missing else []))
    return Column(values.name, "bins", levels, "number", edges=tuple(edges))


def checked_types(types: Mapping[str, str] | None, names: Sequence[str]) -> dict[str, str]:
    """Types that a person gave, checked against the columns."""
    wanted = dict(types or {})
    for name, kind in wanted.items():
        if name not in names:
            some = ", ".join(shown(each) for each in names[:8])
            raise DataError(f"types name the column {shown(str(name))!r}, which the table lacks: use one of {some}")
        if not isinstance(kind, str) or kind.partition(":")[0] not in KINDS or (":" in kind) != kind.startswith("bins"):
            raise DataError(f"{kind!r} is no type of a column: use category, boolean, integer, bins:4 or skip")
    return wanted


class TooManyLevelsError(DataError):
    """A column has too many different values to give each a variable."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(
            f"column {shown(name)!r} has more than {most:,} different values: leave it out with --types "
            f"{shown(name)}=skip, or allow more with --max-levels"
        )
        self.name = name


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None and bool(np.isfinite(float(text)))


def _number(text: Level, name: str) -> float:
    if text is None:
        return float("nan")
    if not _is_number(text):
        raise DataError(f"column {shown(name)!r} holds {shown(text)!r}, which has no bin: use category or skip")
    return float(text)
