"""Statements: what a model says of the rows of a table, each with a name, its words and its condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.conditions import All, Condition, Either, Known, Missing, Not, OneOf, Within
from unwritten.errors import DataError
from unwritten.rules import Sentence
from unwritten.rules.columns.row_condition import row_condition
from unwritten.rules.columns.scope import Scope
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


def statements(model: Model, schema: Schema) -> Iterator[Statement]:
    """Yield one statement for each sentence of the model that rows can break, then one for values seen together."""
    conditions = _Conditions(model, schema)
    for sentence in model.sentences:
        parts = tuple(conditions.of(sentence))
        if parts:
            yield Statement(f"rule_{sentence.id}", f"{sentence.text} ({sentence.id})", _all(parts))
    for k, companions in enumerate(model.companions, 1):
        tests = [OneOf(name, (level,)) for name, level in companions.cells]
        for i, (test, other) in enumerate(zip(tests, [*tests[1:], tests[0]], strict=True), 1):
            text = companions.text(test.column)
            yield Statement(f"companions_{k}_{i}", text, Either((Not(test), other)))


class _Conditions:
    """The conditions of the sentences of one model."""

    def __init__(self, model: Model, schema: Schema) -> None:
        self._model, self._schema = model, schema
        self._scope = Scope.of(schema.variables, schema)
        self._names = {column.names[0]: column.name for column in schema.used if not column.one_hot}

    def of(self, sentence: Sentence) -> Iterator[Condition]:
        """Yield the conditions that a sentence states together."""
        facts = [self._model.facts[k].condition for k in sentence.facts]
        for i in sentence.rules:
            condition = self._row(i, sentence)
            if condition is not None and not any(_is_same_sum(condition, fact) for fact in facts):
                yield condition
        for k in sentence.gaps:
            for part in self._model.gaps[k].parts:
                terms = tuple((factor, self._names[name]) for name, factor in part.terms)
                yield Not(Within(terms, part.low + 1, part.high - 1))
        yield from facts

    def _row(self, i: int, sentence: Sentence) -> Condition | None:
        """Return what a row states; it says nothing of a new value where such are to be expected."""
        rules = self._model.rules
        condition = row_condition(self._scope, rules.matrix[i], bool(rules.equality[i]), int(rules.rhs[i]))
        if condition is None:
            return None
        unlike = isinstance(condition, Not)  # its tests name values that were seen, and fail for others
        tested = condition.columns if unlike else ()
        open_columns = [name for name in sentence.columns if not self._schema[name].closed and name not in tested]
        unseen = tuple(Not(Known(name)) for name in open_columns)
        return Either((*unseen, condition)) if unseen else condition


def _all(parts: tuple[Condition, ...]) -> Condition:
    return parts[0] if len(parts) == 1 else All(parts)


def _is_same_sum(condition: Condition, fact: Condition) -> bool:
    """True if a row is the sum that a fact states, which also speaks of values that were never seen."""
    sums = [each for each in (condition, fact) if isinstance(each, Within) and len(each.numbers) == len(each.terms)]
    return len(sums) == 2 and _normal(sums[0]) == _normal(sums[1])


def _normal(total: Within) -> object:
    """Return a sum in a form that does not depend on the order and the signs of its terms."""
    if total.lowest is None or total.lowest != total.highest:
        return total
    terms = sorted((str(name), factor) for factor, name in total.terms)
    sign = -1 if terms[0][1] < 0 else 1
    return [(name, sign * factor) for name, factor in terms], sign * total.lowest, total.tolerance
