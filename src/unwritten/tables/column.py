"""Column: how the values of one column of a table become integer variables, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np

from unwritten import budgets
from unwritten.counted import counted
from unwritten.data import BoolArray, IntArray
from unwritten.errors import DataError
from unwritten.shapes import Where, read
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import Role

Kind = Literal["category", "boolean", "integer", "bins", "skip"]
KINDS = ("category", "boolean", "integer", "bins", "skip")
DTYPES = ("text", "integer", "boolean", "number")
Dtype = Annotated[str, Where("a type of values", lambda value, _: value in DTYPES)]
Label = Annotated[int, Where("within the range of labels", lambda value, _: abs(value) <= budgets.LARGEST_LABEL)]
Digits = Annotated[int, Where("a number of digits", lambda value, _: 0 <= value <= budgets.DECIMAL_DIGITS)]

INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
WHOLE = re.compile(r"(-?(?:0|[1-9]\d{0,17}))\.0+", re.ASCII)  # 2004.0: an integer that was written as a float
LEVELS_SHOWN = 6  # values in the text of a column
MISSING = "missing"  # how a missing value is written in rules; the text "missing" itself is quoted

Level = str | None  # the text of a value, or None for a missing value


@dataclass(frozen=True, repr=False)
class Column:
    """One column of a table; `levels` are the texts of its different values, in the order of its variables.

    A *category* has one 0/1 variable per level. A *boolean* has one variable, which is 1 for the second level. An
    *integer* is its own variable, within `lower`..`upper`. *Bins* are categories of numbers between `edges`. A *skip*
    column has no variables, and `reason` says why. `dtype` is the type of the values in the table: text, integer,
    boolean or number.

    The `role` says what the values are, whether or not they have variables; facts about whole columns rest on it.
    Decimals have at most `scale` digits after the point. `closed` is False if new rows are likely to bring values that
    were never seen.
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()
    dtype: Dtype = "text"
    lower: Label = 0
    upper: Label = 0
    edges: tuple[float, ...] = ()
    reason: str = ""
    role: Role = "unknown"
    scale: Digits = 0
    closed: bool = True

    def __repr__(self) -> str:
        return f"Column({self.name}: {self.kind}, {self.content})"

    @property
    def content(self) -> str:
        """The range or the first values, or why the column has no variables, for people."""
        values = ", ".join(MISSING if level is None else level for level in self.levels[:LEVELS_SHOWN])
        more = ", …" if len(self.levels) > LEVELS_SHOWN else ""
        by_kind = {"integer": f"{self.lower}..{self.upper}", "skip": self.reason}
        return by_kind.get(self.kind, f"{counted(len(self.levels), 'value')}: {values}{more}")

    @property
    def width(self) -> int:
        """The number of its variables."""
        return {"category": len(self.levels), "bins": len(self.levels), "skip": 0}.get(self.kind, 1)

    @property
    def one_hot(self) -> bool:
        """True if the column has one variable per level, exactly one of which is 1."""
        return self.kind in ("category", "bins")

    @property
    def names(self) -> list[str]:
        """The names of its variables: `column=value`, or the column's own name."""
        if self.one_hot:
            return [f"{quoted(self.name)}={level_text(level)}" for level in self.levels]
        return [quoted(self.name)] if self.width else []

    @property
    def bounds(self) -> tuple[list[int], list[int]]:
        """Lower and upper bounds of its variables."""
        if self.kind == "integer":
            return [self.lower], [self.upper]
        return [0] * self.width, [1] * self.width

    @property
    def numbers(self) -> list[int] | None:
        """Its levels as integers, so that the column can be part of a sum; None if a level is not an integer."""
        if self.kind in ("category", "boolean") and all(is_integer(level) for level in self.levels):
            return [int(level or 0) for level in self.levels]
        return None

    def codes(self, texts: Sequence[Level], index: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the code of each row (the position of its level, or the integer itself), and which rows are unknown.

        Row i holds `texts[index[i]]`. A value is unknown if the column has no level for it; its code is then the
        number of levels, or 0 in an integer column.
        """
        position = {level: k for k, level in enumerate(self.levels)}
        known = [self._code(text, position) for text in texts]
        unknown_code = 0 if self.kind == "integer" else len(self.levels)
        codes = np.array([unknown_code if code is None else code for code in known], np.int64)
        return codes[index], np.array([code is None for code in known], bool)[index]

    def fill(self, block: IntArray, codes: IntArray) -> None:
        """Write the variables of each row into a block of zeros (n × width); unknown values leave them all at 0."""
        if self.one_hot:
            rows = np.flatnonzero(codes < len(self.levels))
            block[rows, codes[rows]] = 1
        else:
            block[:, 0] = codes if self.kind == "integer" else codes == 1

    def _code(self, text: Level, position: dict[Level, int]) -> int | None:
        """Return the position of the text's level, or the integer itself; None if unknown."""
        if self.kind == "bins" and text is not None:
            try:
                return int(np.searchsorted(self.edges, float(text), side="right"))
            except ValueError:
                return None
        if self.dtype == "integer" and text is not None:
            text = plain_integer(text)
        if self.kind != "integer":
            return position.get(text)
        if not is_integer(text) or abs(int(text or 0)) > budgets.LARGEST_LABEL:
            return None
        return int(text or 0)

    def decode(self, block: IntArray) -> list[Any]:
        """Return the value of each row of variables (n × width) as it was in the table; `...` unless one level is 1."""
        if self.kind == "integer":
            return [int(value) for value in block[:, 0]]
        if self.kind == "boolean":
            return [self.value(self.levels[int(k)]) if 0 <= k < 2 else ... for k in block[:, 0]]
        chosen = [np.flatnonzero(row) for row in block]
        return [self.value(self.levels[int(at[0])]) if len(at) == 1 else ... for at in chosen]

    def value(self, level: Level) -> Any:
        """Return the value that a level was in the table."""
        if level is None or self.kind == "bins":
            return level
        if self.dtype == "boolean":
            return level == "true"
        return int(level) if self.dtype == "integer" else level

    def ranges(self, chosen: Sequence[int]) -> list[tuple[float | None, float | None]]:
        """Return some bins, by their places, as ranges: from a number to below another one, None if there is no end.

        >>> Column("reach", "bins", ("<20", "20..30", "≥30", None), edges=(20.0, 30.0)).ranges([1, 2])
        [(20.0, None)]
        """
        starts = [k for k in chosen if k - 1 not in chosen]
        ends = [next(m for m in range(k, len(self.edges) + 1) if m + 1 not in chosen) for k in starts]
        edges = (None, *self.edges, None)
        return [(edges[k], edges[end + 1]) for k, end in zip(starts, ends, strict=True)]

    def state(self) -> dict[str, Any]:
        """Return the column as plain JSON."""
        return {
            "name": self.name,
            "kind": self.kind,
            "levels": list(self.levels),
            "dtype": self.dtype,
            "lower": self.lower,
            "upper": self.upper,
            "edges": list(self.edges),
            "reason": self.reason,
            "role": self.role,
            "scale": self.scale,
            "closed": self.closed,
        }

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Column:
        """Return the column that `state()` described, after checking it."""
        column: Column = read(cls, state, "the file's column")
        levels, edges = column.levels, column.edges
        is_sound = (
            len(set(levels)) == len(levels)
            and bool(levels) == (column.kind in ("category", "boolean", "bins"))
            and bool(edges) == (column.kind == "bins")
            and all(low < high for low, high in pairwise(edges))
            and column.lower <= column.upper
            and (column.kind != "boolean" or (len(levels) == 2 and None not in levels))
            and (column.kind != "bins" or (None not in levels[:-1] and _values_but_missing(levels) == len(edges) + 1))
            and (column.dtype not in ("integer", "boolean") or column.kind == "bins" or _levels_have_dtype(column))
        )
        if not is_sound:
            raise DataError(f"the column {column.name!r} is described in a way that cannot be: mine the table again")
        return column


def _values_but_missing(levels: Sequence[Level]) -> int:
    return len(levels) - (None in levels)


def _levels_have_dtype(column: Column) -> bool:
    words = ("true", "false")
    return all(
        level is None or (level in words if column.dtype == "boolean" else is_integer(level)) for level in column.levels
    )


def is_integer(text: Level) -> bool:
    """Return whether a text is an integer in its plain form, without leading zeros or plus sign: `007` is a code."""
    return text is not None and text != "-0" and INTEGER.fullmatch(text) is not None


def plain_integer(text: str) -> str:
    """Return an integer that was written as a float, such as `2004.0`, in its plain form; other texts stay as they are.

    >>> plain_integer("2004.0"), plain_integer("2.5")
    ('2004', '2.5')
    """
    match = WHOLE.fullmatch(text)
    return text if match is None or match[1] == "-0" else match[1]


def level_text(level: Level) -> str:
    """Return a level as rules write it, in quotes where it needs them."""
    return MISSING if level is None else quoted(level)
