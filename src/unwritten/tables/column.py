"""Column: how the values of one column of a table become variables, exactly and reversibly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.errors import DataError
from unwritten.tables.quoting import quoted

Kind = Literal["category", "boolean", "integer", "bins", "skip"]
KINDS = ("category", "boolean", "integer", "bins", "skip")

INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
MISSING = "missing"  # the word for a missing value, never quoted

Level = str | None  # the text of a value; None is a missing one


@dataclass(frozen=True)
class Column:
    """One column: `levels` are the texts of its values, in the order of its variables.

    A *category* has a 0/1 variable per level, a *boolean* one variable that is 1 for the second level, an *integer* is
    its own variable within `lower`..`upper`, *bins* are categories between `edges`, and *skip* has no variable (for
    the `reason` given). `dtype` is what values were in the table: text, integer, boolean or number.
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...] = ()
    dtype: str = "text"
    lower: int = 0
    upper: int = 0
    edges: tuple[float, ...] = ()
    reason: str = ""

    @property
    def width(self) -> int:
        """How many variables the column has."""
        return {"category": len(self.levels), "bins": len(self.levels), "skip": 0}.get(self.kind, 1)

    @property
    def one_hot(self) -> bool:
        """Whether exactly one of the column's variables is 1."""
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
        """Its levels as integers, if they all are: then sums over the column make sense."""
        if self.kind in ("category", "boolean") and all(is_integer(level) for level in self.levels):
            return [int(level or 0) for level in self.levels]
        return None

    def codes(self, texts: Sequence[Level], index: IntArray) -> tuple[IntArray, BoolArray]:
        """The level's place (or the integer itself) of each row, and which rows hold a value that is not known.

        Row i holds `texts[index[i]]`. What is unknown has the place after the last level, or the integer 0.
        """
        place = {level: k for k, level in enumerate(self.levels)}
        found = [self._value(text, place) for text in texts]
        nowhere = 0 if self.kind == "integer" else len(self.levels)
        codes = np.array([nowhere if value is None else value for value in found], np.int64)
        return codes[index], np.array([value is None for value in found], bool)[index]

    def fill(self, block: IntArray, codes: IntArray) -> None:
        """Write the variables of each row into a block of zeros (n × width); of unknown values all stay 0."""
        if self.one_hot:
            rows = np.flatnonzero(codes < len(self.levels))
            block[rows, codes[rows]] = 1
        else:
            block[:, 0] = codes if self.kind == "integer" else codes == 1

    def _value(self, text: Level, place: dict[Level, int]) -> int | None:
        """The level's place or the number itself; None if unknown."""
        if self.kind == "bins" and text is not None:
            try:
                return int(np.searchsorted(self.edges, float(text), side="right"))
            except ValueError:
                return None
        if self.kind != "integer":
            return place.get(text)
        if not is_integer(text) or abs(int(text or 0)) > 2**31 - 1:
            return None
        return int(text or 0)

    def decode(self, block: IntArray) -> list[Any]:
        """The values of rows of variables (n × width), as they were in the table; `...` where no level is chosen."""
        if self.kind == "integer":
            return [int(value) for value in block[:, 0]]
        if self.kind == "boolean":
            return [self.value(self.levels[int(k)]) if 0 <= k < 2 else ... for k in block[:, 0]]
        chosen = [np.flatnonzero(row) for row in block]
        return [self.value(self.levels[int(at[0])]) if len(at) == 1 else ... for at in chosen]

    def value(self, level: Level) -> Any:
        """A level as the value it was in the table."""
        if level is None or self.kind == "bins":
            return level
        if self.dtype == "boolean":
            return level == "true"
        return int(level) if self.dtype == "integer" else level

    def state(self) -> dict[str, Any]:
        """The column as plain JSON."""
        return {
            "name": self.name,
            "kind": self.kind,
            "levels": list(self.levels),
            "dtype": self.dtype,
            "lower": self.lower,
            "upper": self.upper,
            "edges": list(self.edges),
            "reason": self.reason,
        }

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Column:
        """The column that `state` described, checked."""
        column = cls(**{**state, "levels": tuple(state["levels"]), "edges": tuple(state["edges"])})
        levels, edges = column.levels, column.edges
        sound = (
            isinstance(column.name, str)
            and column.kind in KINDS
            and column.dtype in ("text", "integer", "boolean", "number")
            and all(level is None or isinstance(level, str) for level in levels)
            and len(set(levels)) == len(levels)
            and all(isinstance(edge, float) and np.isfinite(edge) for edge in edges)
            and list(edges) == sorted(edges)
            and all(type(bound) is int and abs(bound) < 2**31 for bound in (column.lower, column.upper))
            and (column.kind != "boolean" or len(levels) == 2)
            and (column.kind != "bins" or len(levels) - len(edges) in (1, 2))
            and (column.dtype not in ("integer", "boolean") or column.kind == "bins" or _all_typed(column))
            and isinstance(column.reason, str)
        )
        if not sound:
            raise DataError(f"the column {column.name!r} is described wrongly: mine the table again")
        return column


def _all_typed(column: Column) -> bool:
    words = ("true", "false")
    return all(
        level is None or (level in words if column.dtype == "boolean" else is_integer(level)) for level in column.levels
    )


def is_integer(text: Level) -> bool:
    """Whether a text is an integer written in the one plain way (no leading zeros: `007` is a code)."""
    return text is not None and text != "-0" and INTEGER.fullmatch(text) is not None


def level_text(level: Level) -> str:
    """A level as it is written in sentences: quoted where it must be."""
    return MISSING if level is None else quoted(level)
