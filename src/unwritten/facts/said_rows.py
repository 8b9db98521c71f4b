"""Said rows: linear rows that say no more than facts do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.conditions import Condition, NotLinearError, clauses
from unwritten.conditions.condition_clauses import Clause
from unwritten.data import BoolArray
from unwritten.facts.fact import Fact
from unwritten.rules import RuleSet
from unwritten.rules.columns.row_condition import row_condition
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Schema


def said_by_facts(rules: RuleSet, facts: Sequence[Fact], schema: Schema) -> BoolArray:
    """Return which rules over the columns of a table say no more than facts that are stated."""
    stated = {clause for fact in facts for clause in _clauses_of(fact.condition, schema)}
    scope = Scope.of(rules.variables, schema)
    said = np.zeros(len(rules), bool)
    for i in range(len(rules)):
        if rules.matrix[i, len(schema.variables) :].any():
            continue  # no fact is about latent variables
        condition = row_condition(scope, rules.matrix[i], bool(rules.equality[i]), int(rules.rhs[i]))
        parts = [] if condition is None else _clauses_of(condition, schema)
        said[i] = bool(parts) and stated.issuperset(parts)
    return said


def _clauses_of(condition: Condition, schema: Schema) -> list[Clause]:
    try:
        return clauses(condition, schema)
    except NotLinearError:
        return []
