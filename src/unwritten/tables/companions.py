"""Companions: rare values of several columns that were only seen together.

A value that came in one row of thousands is no ground for a rule. If the same row alone also had rare values of other
columns, another row with one of them and without the others is as surprising as one with a value never seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.shapes import Within, read
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted
from unwritten.tables.schema import Encoded, Schema

MOST_NAMED = 3  # companions of a value that are named


@dataclass(frozen=True)
class Companions:
    """Values of several columns, as (column, value), that were seen in the same `rows` rows and in no other.

    >>> pair = Companions((("roof", "glass"), ("trim", "sport")), rows=1)
    >>> pair.text("roof")
    'roof = glass was seen in 1 row only, with trim = sport'
    """

    cells: tuple[tuple[str, Level], ...]
    rows: Annotated[int, Within(1, 2**62)]

    def text(self, column: str) -> str:
        """Say that the value of one of the columns came without the others."""
        said = {name: f"{quoted(name)} = {level_text(level)}" for name, level in self.cells}
        others = [text for name, text in said.items() if name != column]
        more = [f"{len(others) - MOST_NAMED} more"] if len(others) > MOST_NAMED else []
        *first, last = [*others[:MOST_NAMED], *more]
        rows = "1 row" if self.rows == 1 else f"{self.rows:,} rows"
        return f"{said[column]} was seen in {rows} only, with {', '.join(first)}{' and ' if first else ''}{last}"

    def alone(self, block: Encoded) -> BoolArray:
        """Return which cells (n × used columns) have one of the values, in rows that do not have all of them."""
        used = {column.name: k for k, column in enumerate(block.schema.used)}
        has = np.zeros(block.unknown.shape, bool)
        for name, level in self.cells:
            k = used[name]
            has[:, k] = (block.codes[k] == block.schema.used[k].levels.index(level)) & ~block.unknown[:, k]
        has[has.sum(axis=1) == len(self.cells)] = False
        return has

    def state(self) -> dict[str, Any]:
        """Return the companions as plain JSON."""
        return {"cells": [list(cell) for cell in self.cells], "rows": self.rows}

    @classmethod
    def restore(cls, state: dict[str, Any], schema: Schema) -> Companions:
        """Return the companions that `state()` described, after checking them."""
        companions: Companions = read(cls, state, "the file's companions", schema)
        columns = [schema[name] for name, _ in companions.cells]
        is_sound = len({column.name for column in columns}) == len(columns) > 1 and all(
            column.kind in ("category", "boolean") and level in column.levels
            for column, (_, level) in zip(columns, companions.cells, strict=True)
        )
        if not is_sound:
            raise DataError(
                "values that were seen together are described in a way that cannot be: mine the table again"
            )
        return companions
