"""Fields: the columns that the page shows: those of the table, or the variables of a model without a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unwritten.data import IntArray
from unwritten.tables import MISSING

if TYPE_CHECKING:
    from unwritten.model import Model


@dataclass(frozen=True, eq=False)
class Fields:
    """The columns of the model's table (or its variables), followed by its latents."""

    model: Model

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the fields, as sentences use them."""
        schema = self.model.schema
        if schema is None:
            return self.model.extended.names
        return (*schema.places, *self.model.extended.names[len(self.model.variables) :])

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each field by its name."""
        return {name: k for k, name in enumerate(self.names)}

    @cached_property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The places of the columns of each sentence."""
        return tuple(
            tuple(self.index[name] for name in sentence.columns if name in self.index)
            for sentence in self.model.sentences
        )

    def values(self, labels: IntArray) -> list[list[str]]:
        """Return the cells of labels as texts; labels include the latents, if the model has any."""
        schema, width = self.model.schema, len(self.model.variables)
        latents = labels[:, width:].tolist()
        if schema is None:
            return [[str(value) for value in row] for row in labels.tolist()]
        decoded = schema.decode(labels[:, :width])
        return [[*map(cell_text, row.values()), *map(str, rest)] for row, rest in zip(decoded, latents, strict=True)]


def examples_of(model: Model) -> int:
    """Return how many examples were mined, with the suspects, which a noisy model does not count."""
    return model.examples + (len(model.suspects) if model.total is None else 0)


def cell_text(value: Any) -> str:
    """Return one value of a table as text."""
    if value is None:
        return MISSING
    if value is ...:
        return "(unknown)"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def noun_of(model: Model) -> str:
    """Return what the page calls one example: a row of a table, or an example."""
    return "example" if model.schema is None else "row"
