"""Examined row: one row of a table, or one label, as cells that can be compared and changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.review.given_row import values_by_column
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Column, Schema
from unwritten.tables.cell_texts import value_text
from unwritten.tables.column import Level

if TYPE_CHECKING:
    from unwritten.model import Model


@dataclass(frozen=True, eq=False)
class ExaminedRow:
    """One row under the columns of a model; each used column is a cell, numbered in the order of the columns.

    `texts` are the cells as text and `label` is the row as variables. `unknown` marks cells whose value has no
    variable: they must change before the row can be right. `outside` marks integers beyond the bounds of the model that
    was given.
    `model` is that model, or a copy of it with wider bounds. In a model without a table every variable is a column of
    its own.
    """

    model: Model
    schema: Schema
    texts: tuple[Level, ...]
    label: IntArray
    unknown: BoolArray
    outside: BoolArray

    @classmethod
    def of(cls, model: Model, row: object, strict: bool) -> ExaminedRow:
        """Read a row or label of a model; unless `strict`, bounds that were only seen in the data are widened."""
        schema = model.schema or Schema(Scope.of(model.variables, None).columns)
        values = values_by_column(model, schema, row)
        texts = {name: value_text(value, name) for name, value in values.items()}
        encoded = schema.encode_rows([texts])
        label, unknown = encoded.labels[0], encoded.unknown[0]
        starts = _starts(schema)
        is_number = np.array([not column.one_hot for column in schema.used], bool)
        outside = is_number & ~unknown & _beyond_bounds(model, label, starts)
        if not strict and not model.variables.declared:
            model = _with_wider_bounds(model, label, starts[is_number & ~unknown])
        return cls(model, schema, tuple(texts[name] for name in schema.places), label, unknown, outside)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The column of each cell."""
        return self.schema.used

    @cached_property
    def places(self) -> list[slice]:
        """The variables of each cell."""
        return list(self.schema.places.values())

    @property
    def must_change(self) -> IntArray:
        """The cells that cannot keep their value: it is unknown, or beyond the bounds of `model`."""
        beyond = self.outside & _beyond_bounds(self.model, self.label, _starts(self.schema))
        return np.flatnonzero(self.unknown | beyond)

    @property
    def values(self) -> list[Any]:
        """The cells for display: a known value as it is in the table, an unknown value or a binned one as given."""
        decoded = self.schema.decode(self.label[None])[0].values()
        cells = zip(self.columns, self.texts, decoded, self.unknown, strict=True)
        return [text if unknown or column.kind == "bins" else value for column, text, value, unknown in cells]

    def value_of(self, label: IntArray, cell: int) -> Any:
        """Return the value of a cell in another label, as it is in the table."""
        return self.columns[cell].decode(label[None, self.places[cell]])[0]

    def deciding_variables(self, label: IntArray) -> tuple[IntArray, IntArray]:
        """Return for each cell of a label one variable and its value.

        Another label has the same value in a cell exactly if that variable has the same value: it is the variable that
        is 1 in a one-hot column, and the only variable of any other column.
        """
        one_hot = [column.one_hot for column in self.columns]
        offsets = [label[place].argmax() if hot else 0 for hot, place in zip(one_hot, self.places, strict=True)]
        variables = _starts(self.schema) + np.array(offsets, np.int64)
        return variables, label[variables]

    def differs(self, labels: IntArray) -> BoolArray:
        """Return which cells of other labels (n × cells) differ from this row; unknown cells always differ."""
        variables, values = self.deciding_variables(self.label)
        return np.asarray((labels[:, variables] != values) | self.unknown)


def _starts(schema: Schema) -> IntArray:
    """Return the first variable of each cell."""
    return np.array([place.start for place in schema.places.values()])


def _beyond_bounds(model: Model, label: IntArray, variables: IntArray) -> BoolArray:
    """Return which of these variables have a value outside the model's bounds."""
    values = label[variables]
    return np.asarray((values < model.variables.lower[variables]) | (values > model.variables.upper[variables]))


def _with_wider_bounds(model: Model, label: IntArray, numbers: IntArray) -> Model:
    """Widen the bounds of all integer variables: the label's numbers, their sums and differences must fit."""
    variables = model.variables
    integers = np.flatnonzero(~variables.binary)
    margin = max([int(variables.reach[integers].max(initial=0)), *(abs(int(label[j])) for j in numbers.tolist())])
    lower, upper = variables.lower.copy(), variables.upper.copy()
    lower[integers] = np.maximum(np.minimum(lower, label)[integers] - margin, -budgets.LARGEST_LABEL)
    upper[integers] = np.minimum(np.maximum(upper, label)[integers] + margin, budgets.LARGEST_LABEL)
    wider = replace(model, variables=replace(variables, lower=lower, upper=upper))
    rule_sets = {name: replace(getattr(model, name), variables=wider.extended) for name in ("rules", "redundant")}
    return replace(wider, **rule_sets)
