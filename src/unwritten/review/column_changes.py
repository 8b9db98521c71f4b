"""Column changes: which columns and values two models do not share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unwritten.tables import Column
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_LEVELS = 8  # listed of one column
ColumnLevels = tuple[str, tuple[Level, ...]]


@dataclass(frozen=True)
class ColumnChanges:
    """Columns that were added or removed, and what changed in the columns that both models have.

    `kinds` holds (column, old kind, new kind); `ranges` holds (column, old range, new range) of integer columns.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    values_added: tuple[ColumnLevels, ...] = ()
    values_removed: tuple[ColumnLevels, ...] = ()
    kinds: tuple[tuple[str, str, str], ...] = ()
    ranges: tuple[tuple[str, tuple[int, int], tuple[int, int]], ...] = ()

    @property
    def same(self) -> bool:
        """True if nothing changed."""
        return self == ColumnChanges()

    @property
    def texts(self) -> list[str]:
        """One sentence for each change."""
        return [
            *(f"column {quoted(name)} is new" for name in self.added),
            *(f"column {quoted(name)} is gone" for name in self.removed),
            *(f"{quoted(name)} has new values: {_listed(levels)}" for name, levels in self.values_added),
            *(f"{quoted(name)} has lost values: {_listed(levels)}" for name, levels in self.values_removed),
            *(f"{quoted(name)} was {old} and is {new}" for name, old, new in self.kinds),
            *(f"{quoted(name)} was {a}..{b} and is {c}..{d}" for name, (a, b), (c, d) in self.ranges),
        ]

    def state(self) -> dict[str, Any]:
        """Return the changes as plain JSON."""
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "values_added": {name: list(levels) for name, levels in self.values_added},
            "values_removed": {name: list(levels) for name, levels in self.values_removed},
            "kinds": {name: [old, new] for name, old, new in self.kinds},
            "ranges": {name: [list(old), list(new)] for name, old, new in self.ranges},
        }


def column_changes(old: Model, new: Model) -> ColumnChanges:
    """Compare the used columns of two models; for models without a table, their variables."""
    old_columns, new_columns = _columns(old), _columns(new)
    shared = [(old_columns[name], new_columns[name]) for name in new_columns if name in old_columns]
    with_levels = [(a, b) for a, b in shared if "integer" not in (a.kind, b.kind)]
    integers = [(a, b) for a, b in shared if a.kind == b.kind == "integer"]
    return ColumnChanges(
        tuple(name for name in new_columns if name not in old_columns),
        tuple(name for name in old_columns if name not in new_columns),
        tuple((a.name, levels) for a, b in with_levels if (levels := _only_in(b, a))),
        tuple((a.name, levels) for a, b in with_levels if (levels := _only_in(a, b))),
        tuple((a.name, a.kind, b.kind) for a, b in shared if a.kind != b.kind),
        tuple(
            (a.name, (a.lower, a.upper), (b.lower, b.upper))
            for a, b in integers
            if (a.lower, a.upper) != (b.lower, b.upper)
        ),
    )


def _columns(model: Model) -> dict[str, Column]:
    """Return the used columns by name; without a table, each variable as an integer column."""
    if model.schema is not None:
        return {column.name: column for column in model.schema.used}
    bounds = zip(model.variables.names, model.variables.lower.tolist(), model.variables.upper.tolist(), strict=True)
    return {name: Column(name, "integer", lower=low, upper=high) for name, low, high in bounds}


def _only_in(one: Column, other: Column) -> tuple[Level, ...]:
    """Return the levels of one column that the other does not have."""
    return tuple(level for level in one.levels if level not in other.levels)


def _listed(levels: tuple[Level, ...]) -> str:
    more = f" … {len(levels)} in all" if len(levels) > MOST_LEVELS else ""
    return ", ".join(level_text(level) for level in levels[:MOST_LEVELS]) + more
