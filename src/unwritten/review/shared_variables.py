"""Shared variables: the columns that two models have in common, and the rules of each model over these columns.

A value that one model has never seen counts as absent there: its 0/1 variable is fixed to 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unwritten.data import BoolArray, IntArray, Variables
from unwritten.errors import DataError
from unwritten.rules import DEFINITION, Row, RuleSet, Sentence, parse_rule
from unwritten.tables import Column, Schema

if TYPE_CHECKING:
    from unwritten.model import Model

VariableKey = tuple[str | None, ...]  # (column, level), or (name,) for a variable that is not one-hot
CHOICE_KINDS = ("category", "boolean")


@dataclass(frozen=True, eq=False)
class SharedVariables:
    """The columns that both models have and that can be compared, with the values of both models.

    `places` gives the index of each shared variable by its key. `schema` is None if no column can be compared.
    """

    schema: Schema | None
    variables: Variables
    places: dict[VariableKey, int]

    @classmethod
    def of(cls, old: Model, new: Model) -> SharedVariables:
        """Collect what two models share; raise if they share nothing."""
        if (old.schema is None) != (new.schema is None):
            raise DataError("one model was mined from a table and the other was not: mine both in the same way")
        columns: list[Column] = []
        if old.schema is not None and new.schema is not None:
            old_columns = {column.name: column for column in old.schema.used}
            pairs = [(old_columns[column.name], column) for column in new.schema.used if column.name in old_columns]
            if not pairs:
                raise DataError("the two models have no column in common: compare models of the same kind of table")
            columns = [merged for pair in pairs if (merged := _merged_column(*pair)) is not None]
        schema = Schema(tuple(columns)) if columns else None
        others = _shared_outside_tables(old, new)
        if old.schema is None and not len(others):
            raise DataError("the two models have no variable in common: compare models of the same kind of label")
        variables = others if schema is None else schema.variables + others if len(others) else schema.variables
        keys = [key for column in columns for key in _keys(column)] + [(name,) for name in others.names]
        return cls(schema, variables, {key: j for j, key in enumerate(keys)})

    def rows_of(self, model: Model, sentence: Sentence) -> list[Row] | None:
        """Return the rows of a sentence over the shared variables; None if it uses other variables too."""
        if not set(sentence.columns) <= {str(key[0]) for key in self.places}:
            return None
        try:  # the words keep their meaning even if the other model has more values
            return parse_rule(sentence.text, self.variables, self.schema)
        except DataError:
            rules, is_shared = self._over_shared(model.rules[list(sentence.rules)], model)
            return rules.triples() if is_shared.all() else None

    def rules_of(self, model: Model) -> RuleSet:
        """Return all rules of a model over the shared variables, with its unseen values fixed to 0."""
        rules, is_shared = self._over_shared(model.rules + model.redundant, model)
        columns = self.schema.used if self.schema is not None else ()
        rows: list[tuple[object, str, object]] = [({name: 1}, "==", 0) for name in sorted(self.absent_in(model))]
        rows += [(dict.fromkeys(column.names, 1), "==", 1) for column in columns if column.one_hot]
        return rules[is_shared] + RuleSet.of(self.variables, rows, DEFINITION)

    def absent_in(self, model: Model) -> set[str]:
        """Return the variables of values that a model has never seen."""
        if self.schema is None or model.schema is None:
            return set()
        return {
            name
            for column in self.schema.used
            if column.one_hot
            for name, level in zip(column.names, column.levels, strict=True)
            if level not in model.schema[column.name].levels
        }

    def _over_shared(self, rules: RuleSet, model: Model) -> tuple[RuleSet, BoolArray]:
        """Return the rules over the shared variables, and which of the rules use no other variable."""
        columns = model.schema.used if model.schema is not None else ()
        width = sum(column.width for column in columns)
        keys = [key for column in columns for key in _keys(column)]
        keys += [(name,) for name in model.extended.names[width:]]
        places = np.array([self.places.get(key, -1) for key in keys], np.int64)
        is_shared: BoolArray = np.asarray(~rules.matrix[:, places < 0].any(axis=1))
        matrix: IntArray = np.zeros((len(rules), len(self.variables)), np.int64)
        matrix[:, places[places >= 0]] = rules.matrix[:, places >= 0]
        return RuleSet(self.variables, matrix, rules.equality, rules.rhs, rules.origins, rules.evidence), is_shared


def _merged_column(old: Column, new: Column) -> Column | None:
    """Return one column with the values of both; None if their kinds cannot be compared."""
    if old.kind == new.kind == "integer":
        return Column(new.name, "integer", (), new.dtype, min(old.lower, new.lower), max(old.upper, new.upper))
    if old.kind in CHOICE_KINDS and new.kind in CHOICE_KINDS:
        if old.kind == new.kind == "boolean" and old.levels == new.levels:
            return new
        only_old = tuple(level for level in old.levels if level not in new.levels)
        return Column(new.name, "category", new.levels + only_old, new.dtype if new.dtype == old.dtype else "text")
    return new if (old.kind, old.levels, old.edges) == (new.kind, new.levels, new.edges) else None


def _keys(column: Column) -> list[VariableKey]:
    """Return one key per variable of a column; the variable of a boolean is 1 for its second level."""
    if column.kind == "boolean":
        return [(column.name, column.levels[1])]
    return [(column.name, level) for level in column.levels] if column.one_hot else [(column.name,)]


def _shared_outside_tables(old: Model, new: Model) -> Variables:
    """Return the variables of both models that belong to no table column: labels and latents."""
    old_all, new_all = old.extended, new.extended
    old_start, new_start = (len(m.schema.variables) if m.schema is not None else 0 for m in (old, new))
    old_names = set(old_all.names[old_start:])
    names = [name for name in new_all.names[new_start:] if name in old_names]
    in_new, in_old = [new_all.index[name] for name in names], [old_all.index[name] for name in names]
    lower = np.minimum(new_all.lower[in_new], old_all.lower[in_old])
    return Variables(tuple(names), lower, np.maximum(new_all.upper[in_new], old_all.upper[in_old]))
