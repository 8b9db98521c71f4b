"""Columns: which columns and values two models do not share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.model import Model
from unwritten.tables import Column
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted

Values = tuple[str, tuple[Level, ...]]


@dataclass(frozen=True)
class ColumnChanges:
    """Columns that came and went, and what changed of the others: values, kinds (old, new), ranges of integers."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    values_added: tuple[Values, ...] = ()
    values_removed: tuple[Values, ...] = ()
    kinds: tuple[tuple[str, str, str], ...] = ()
    ranges: tuple[tuple[str, tuple[int, int], tuple[int, int]], ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return self == ColumnChanges()

    @property
    def texts(self) -> list[str]:
        """Each change in words."""
        return [
            *(f"column {quoted(name)} is new" for name in self.added),
            *(f"column {quoted(name)} is gone" for name in self.removed),
            *(f"{quoted(name)} has new values: {_listed(levels)}" for name, levels in self.values_added),
            *(f"{quoted(name)} has lost values: {_listed(levels)}" for name, levels in self.values_removed),
            *(f"{quoted(name)} was {old} and is {new}" for name, old, new in self.kinds),
            *(f"{quoted(name)} was {a}..{b} and is {c}..{d}" for name, (a, b), (c, d) in self.ranges),
        ]

    def state(self) -> dict[str, Any]:
        """The changes as plain JSON."""
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "values_added": {name: list(levels) for name, levels in self.values_added},
            "values_removed": {name: list(levels) for name, levels in self.values_removed},
            "kinds": {name: [old, new] for name, old, new in self.kinds},
            "ranges": {name: [list(old), list(new)] for name, old, new in self.ranges},
        }


def column_changes(old: Model, new: Model) -> ColumnChanges:
    """What changed of the used columns, or of the variables where there is no table."""
    before, after = _columns(old), _columns(new)
    shared = [(before[name], after[name]) for name in after if name in before]
    alike = [(a, b) for a, b in shared if "integer" not in (a.kind, b.kind)]
    numbers = [(a, b) for a, b in shared if a.kind == b.kind == "integer"]
    return ColumnChanges(
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
        tuple((a.name, more) for a, b in alike if (more := _more(b, a))),
        tuple((a.name, fewer) for a, b in alike if (fewer := _more(a, b))),
        tuple((a.name, a.kind, b.kind) for a, b in shared if a.kind != b.kind),
        tuple(
            (a.name, (a.lower, a.upper), (b.lower, b.upper))
            for a, b in numbers
            if (a.lower, a.upper) != (b.lower, b.upper)
        ),
    )


def _columns(model: Model) -> dict[str, Column]:
    """The used columns; without a table, each variable as an integer."""
    if model.schema is not None:
        return {column.name: column for column in model.schema.used}
    bounds = zip(model.variables.names, model.variables.lower.tolist(), model.variables.upper.tolist(), strict=True)
    return {name: Column(name, "integer", lower=low, upper=high) for name, low, high in bounds}


def _more(one: Column, other: Column) -> tuple[Level, ...]:
    return tuple(level for level in one.levels if level not in other.levels)


def _listed(levels: tuple[Level, ...]) -> str:
    more = f" … {len(levels)} in all" if len(levels) > 8 else ""
    return ", ".join(level_text(level) for level in levels[:8]) + more
