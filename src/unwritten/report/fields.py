"""Fields: what the page calls a column: those of the table, or variables where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from unwritten.data import IntArray
from unwritten.model import Model
from unwritten.tables import MISSING


@dataclass(frozen=True, eq=False)
class Fields:
    """The columns of the model's table (or its variables) and, behind them, its latents."""

    model: Model

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names, as sentences use them."""
        schema = self.model.schema
        if schema is None:
            return self.model.extended.names
        return (*schema.places, *self.model.extended.names[len(self.model.variables) :])

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each."""
        return {name: k for k, name in enumerate(self.names)}

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """For each sentence the places of its columns."""
        return tuple(
            tuple(self.index[name] for name in sentence.columns if name in self.index)
            for sentence in self.model.sentences
        )

    def values(self, labels: IntArray) -> list[list[str]]:
        """The cells of rows of labels (with latents, if there are any) as texts."""
        schema, width = self.model.schema, len(self.model.variables)
        latents = labels[:, width:].tolist()
        if schema is None:
            return [[str(value) for value in row] for row in labels.tolist()]
        decoded = schema.decode(labels[:, :width])
        return [[*map(cell_text, row.values()), *map(str, more)] for row, more in zip(decoded, latents, strict=True)]


def examples_of(model: Model) -> int:
    """How many examples were mined, suspects too: a noisy model counts only the others."""
    return model.examples + (len(model.suspects) if model.total is None else 0)


def cell_text(value: Any) -> str:
    """One value of a table as text."""
    if value is None:
        return MISSING
    if value is ...:
        return "(unknown)"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
