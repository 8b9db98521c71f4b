"""Row: one row of a table, or one label, as a person gives it and as cells that can be compared and changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Column, Schema
from unwritten.tables.cells import value_text
from unwritten.tables.column import Level
from unwritten.tables.quoting import shown


@dataclass(frozen=True, eq=False)
class Row:
    """A row under the columns of a model, each of which is a cell.

    `unknown` are the cells whose value has no variable: they must change before the row can be right. `outside` are the
    integers beyond the bounds of the model that was given; `model` is that one, or the same with wider bounds.
    Without a table every variable is a column of its own.
    """

    model: Model
    schema: Schema
    texts: tuple[Level, ...]
    label: IntArray
    unknown: BoolArray
    outside: BoolArray

    @classmethod
    def of(cls, model: Model, row: object, strict: bool) -> Row:
        """The row of a model with a table, or the label of one without; unless `strict`, seen bounds are widened."""
        schema = model.schema or Schema(Scope.of(model.variables, None).columns)
        values = _by_column(model, schema, row)
        texts = {name: value_text(value, name) for name, value in values.items()}
        encoded = schema.encode_rows([texts])
        label, unknown = encoded.labels[0], encoded.unknown[0]
        starts = np.array([place.start for place in schema.places.values()])
        low, high = model.variables.lower[starts], model.variables.upper[starts]
        numbers = np.array([not column.one_hot for column in schema.used], bool)
        outside = numbers & ~unknown & ((label[starts] < low) | (label[starts] > high))
        if not strict and not model.variables.declared:
            model = _wider(model, label, starts[numbers & ~unknown])
        return cls(model, schema, tuple(texts[name] for name in schema.places), label, unknown, outside)

    @property
    def columns(self) -> tuple[Column, ...]:
        """One per cell."""
        return self.schema.used

    @property
    def must_change(self) -> IntArray:
        """The cells that cannot stay as they are: unknown, or beyond the bounds in force."""
        starts = np.array([place.start for place in self.schema.places.values()])
        low, high = self.model.variables.lower[starts], self.model.variables.upper[starts]
        return np.flatnonzero(
            self.unknown | (self.outside & ((self.label[starts] < low) | (self.label[starts] > high)))
        )

    @property
    def values(self) -> list[Any]:
        """The cells as they are shown: as in the table where the value is known, else as it was given."""
        known = list(self.schema.decode(self.label[None])[0].values())
        plain = zip(self.columns, self.texts, known, self.unknown, strict=True)
        return [text if strange or column.kind == "bins" else value for column, text, value, strange in plain]

    def value_of(self, label: IntArray, cell: int) -> Any:
        """What a cell of another label holds, as it is in the table."""
        column = self.columns[cell]
        return column.decode(label[None, self.schema.places[column.name]])[0]

    def entries(self, label: IntArray, unknown: BoolArray | None = None) -> tuple[IntArray, IntArray, BoolArray]:
        """For each cell a variable, its value, and whether it is known: another label has the same cell iff it
        is known and the variable has the same value."""
        places = list(self.schema.places.values())
        at = np.array([place.start for place in places])
        chosen = [label[place].argmax() if c.one_hot else 0 for c, place in zip(self.columns, places, strict=True)]
        at = at + np.array(chosen, np.int64)
        return at, label[at], np.ones(len(at), bool) if unknown is None else ~unknown

    def differs(self, labels: IntArray) -> BoolArray:
        """Which cells of other labels (n × cells) differ from this row's; unknown cells always do."""
        at, value, known = self.entries(self.label, self.unknown)
        return np.asarray(~((labels[:, at] == value) & known))


def _wider(model: Model, label: IntArray, numbers: IntArray) -> Model:
    """The model with room around its integers for this label's, and for their sums and differences."""
    variables = model.variables
    whole = np.flatnonzero(~variables.binary)
    room = max([int(variables.reach[whole].max(initial=0)), *(abs(int(label[j])) for j in numbers.tolist())])
    lower, upper = variables.lower.copy(), variables.upper.copy()
    lower[whole] = np.maximum(np.minimum(lower, label)[whole] - room, -budgets.LARGEST_LABEL)
    upper[whole] = np.minimum(np.maximum(upper, label)[whole] + room, budgets.LARGEST_LABEL)
    wide = replace(model, variables=replace(variables, lower=lower, upper=upper))
    parts = {name: replace(getattr(model, name), variables=wide.extended) for name in ("rules", "redundant")}
    return replace(wide, **parts)


def _by_column(model: Model, schema: Schema, row: object) -> dict[str, Any]:
    """The values of all used columns, or an error that says which are missing or too many."""
    names = list(schema.places)
    if model.schema is None and isinstance(row, Sequence | np.ndarray) and not isinstance(row, str | bytes):
        if np.ndim(row) != 1 or len(row) != len(names):
            raise DataError(f"a label of this model has {len(names)} numbers: give one for each variable")
        row = dict(zip(names, row, strict=True))
    if not isinstance(row, Mapping):
        what = (
            "a label is a list of numbers or a dict by variable"
            if model.schema is None
            else "a row is a dict by column"
        )
        raise DataError(f"{what}, but {type(row).__name__} was given: write {{{names[0]!r}: …}}")
    what = "variable" if model.schema is None else "column"
    lacking = [name for name in names if name not in row]
    if lacking:
        raise DataError(f"the row lacks the {what} {_some(lacking)}: give a value for it, or None if it is missing")
    known = {column.name for column in schema.columns}
    extra = [name for name in row if name not in known]
    if extra:
        raise DataError(f"the model does not know the {what} {_some(extra)}: leave it out, or mine a table that has it")
    values = {name: row[name].item() if isinstance(row[name], np.generic) else row[name] for name in names}
    if model.schema is None:
        return {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
    return values


def _some(names: Sequence[object]) -> str:
    more = f" (and {len(names) - 5} more)" if len(names) > 5 else ""
    return ", ".join(shown(repr(name)) for name in names[:5]) + more
