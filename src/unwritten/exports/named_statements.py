"""Statements: what a model says of the rows of a table, each with a name, its words and its condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.conditions import Condition, Known, Missing, Not
from unwritten.errors import DataError
from unwritten.facts import said_conditions
from unwritten.tables import Column, Schema

if TYPE_CHECKING:
    from unwritten.model import Model


@dataclass(frozen=True)
class Statement:
    """One thing that rows must obey."""

    name: str
    text: str
    condition: Condition


def schema_of(model: Model, weights: object, target: str) -> Schema:
    """Return the schema of a model whose rules can be written as conditions on columns; raise for other models."""
    if model.schema is None:
        raise DataError(f"an export to {target} needs a table: mine one, e.g. with mine(Table.of('decisions.csv'))")
    if model.lifts:
        raise DataError(
            f"latent variables are not columns, so {target} cannot state rules over them: mine without lifts"
        )
    if weights is not None:
        raise DataError(f"{target} checks rows and has no place for weights: leave them out")
    return model.schema


def left_out(model: Model) -> list[str]:
    """Return notes on the parts of the model that a check of rows cannot state."""
    cuts = "cuts are left out: they limit what decisions are worth, and say nothing of rows"
    return [cuts] if len(model.cuts) else []


def column_statements(model: Model, schema: Schema) -> Iterator[tuple[Column, Statement]]:
    """Yield what the values of each column may be: those that were seen, or anything but a missing value."""
    for k, column in enumerate(schema.columns, 1):
        if not column.width:
            continue
        if column.closed:
            bounds = f"a whole number ({column.lower} to {column.upper} were seen)"
            domain = {"integer": bounds, "bins": "a number"}.get(column.kind, "one of the known values")
            yield column, Statement(f"column_{k}", f"{column.name}: {domain}", Known(column.name))
        elif None not in column.levels and model.examples >= budgets.NEW_VALUE_ROWS:
            yield column, Statement(f"column_{k}", f"{column.name}: not missing", Not(Missing(column.name)))


def typed_column_statements(model: Model, schema: Schema) -> Iterator[tuple[Column, Statement]]:
    """Yield the same where cells have the types of their columns: that numbers are numbers is left to these."""
    for column, statement in column_statements(model, schema):
        if column.kind in ("category", "boolean") or not isinstance(statement.condition, Known):
            yield column, statement
        elif None not in column.levels:
            yield column, Statement(statement.name, f"{column.name}: not missing", Not(Missing(column.name)))


def statements(model: Model, schema: Schema) -> Iterator[Statement]:
    """Yield one statement for each sentence of the model that rows can break."""
    for sentence, condition in said_conditions(model.sentences, model.rules, model.gaps, model.facts, schema):
        if condition is not None:
            yield Statement(f"rule_{sentence.id}", f"{sentence.text} ({sentence.id})", condition)
