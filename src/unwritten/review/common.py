"""Common ground: the columns and values of two models, and the rules of each over all of them.

A value that one model has never seen counts as absent there: its variable is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, IntArray, Variables
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.rules import DEFINITION, Row, RuleSet, Sentence, parse_rule
from unwritten.tables import Column, Schema

Key = tuple[str | None, ...]  # a column and one of its levels, or a name alone
CHOICES = ("category", "boolean")


@dataclass(frozen=True, eq=False)
class Common:
    """The columns that both models have and that can be compared, with the values of both; `places` of variables."""

    schema: Schema | None
    variables: Variables
    places: dict[Key, int]

    @classmethod
    def of(cls, old: Model, new: Model) -> Common:
        """What two models share; an error where that is nothing."""
        if (old.schema is None) != (new.schema is None):
            raise DataError("one model was mined from a table and the other was not: mine both in the same way")
        columns: list[Column] = []
        if old.schema is not None and new.schema is not None:
            before = {column.name: column for column in old.schema.used}
            shared = [(before[column.name], column) for column in new.schema.used if column.name in before]
            if not shared:
                raise DataError("the two models have no column in common: compare models of the same kind of table")
            columns = [both for pair in shared if (both := _both(*pair)) is not None]
        schema = Schema(tuple(columns)) if columns else None
        rest = _others(old, new)
        if old.schema is None and not len(rest):
            raise DataError("the two models have no variable in common: compare models of the same kind of label")
        variables = rest if schema is None else schema.variables + rest if len(rest) else schema.variables
        keys = [key for column in columns for key in _keys(column)] + [(name,) for name in rest.names]
        return cls(schema, variables, {key: j for j, key in enumerate(keys)})

    def rows_of(self, model: Model, sentence: Sentence) -> list[Row] | None:
        """The rows that a sentence says over the common variables; None if it speaks of others too."""
        if not set(sentence.columns) <= {str(key[0]) for key in self.places}:
            return None
        try:  # what its words say, whichever values the other model has besides
            return parse_rule(sentence.text, self.variables, self.schema)
        except DataError:
            rules, kept = self._mapped(model.rules[list(sentence.rules)], model)
            return rules.triples() if kept.all() else None

    def rules_of(self, model: Model) -> RuleSet:
        """All that a model says over the common variables, and that the values it has never seen are absent."""
        rules, kept = self._mapped(model.rules + model.redundant, model)
        columns = self.schema.used if self.schema is not None else ()
        rows: list[tuple[object, str, object]] = [({name: 1}, "==", 0) for name in sorted(self.absent_in(model))]
        rows += [(dict.fromkeys(column.names, 1), "==", 1) for column in columns if column.one_hot]
        return rules[kept] + RuleSet.of(self.variables, rows, DEFINITION)

    def absent_in(self, model: Model) -> set[str]:
        """The variables of values that a model has never seen."""
        if self.schema is None or model.schema is None:
            return set()
        return {
            name
            for column in self.schema.used
            if column.one_hot
            for name, level in zip(column.names, column.levels, strict=True)
            if level not in model.schema[column.name].levels
        }

    def _mapped(self, rules: RuleSet, model: Model) -> tuple[RuleSet, BoolArray]:
        """Rules over the common variables, and which of them speak of nothing else."""
        columns = model.schema.used if model.schema is not None else ()
        width = sum(column.width for column in columns)
        keys = [key for column in columns for key in _keys(column)]
        keys += [(name,) for name in model.extended.names[width:]]
        to = np.array([self.places.get(key, -1) for key in keys], np.int64)
        kept: BoolArray = np.asarray(~rules.matrix[:, to < 0].any(axis=1))
        matrix: IntArray = np.zeros((len(rules), len(self.variables)), np.int64)
        matrix[:, to[to >= 0]] = rules.matrix[:, to >= 0]
        return RuleSet(self.variables, matrix, rules.equality, rules.rhs, rules.origins, rules.evidence), kept


def _both(old: Column, new: Column) -> Column | None:
    """One column with the values of both; None where they cannot be compared."""
    if old.kind == new.kind == "integer":
        return Column(new.name, "integer", (), new.dtype, min(old.lower, new.lower), max(old.upper, new.upper))
    if old.kind in CHOICES and new.kind in CHOICES:
        if old.kind == new.kind == "boolean" and old.levels == new.levels:
            return new
        more = tuple(level for level in old.levels if level not in new.levels)
        return Column(new.name, "category", new.levels + more, new.dtype if new.dtype == old.dtype else "text")
    return new if (old.kind, old.levels, old.edges) == (new.kind, new.levels, new.edges) else None


def _keys(column: Column) -> list[Key]:
    """One per variable: a boolean is 1 for its second level."""
    if column.kind == "boolean":
        return [(column.name, column.levels[1])]
    return [(column.name, level) for level in column.levels] if column.one_hot else [(column.name,)]


def _others(old: Model, new: Model) -> Variables:
    """The variables beside those of tables that both models have, latents included."""
    start, before = len(new.schema.variables) if new.schema is not None else 0, old.extended
    known = set(before.names[len(old.schema.variables) if old.schema is not None else 0 :])
    after = new.extended
    names = [name for name in after.names[start:] if name in known]
    mine, theirs = [after.index[name] for name in names], [before.index[name] for name in names]
    lower = np.minimum(after.lower[mine], before.lower[theirs])
    return Variables(tuple(names), lower, np.maximum(after.upper[mine], before.upper[theirs]))
