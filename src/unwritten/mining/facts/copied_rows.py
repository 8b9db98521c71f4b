"""Copied rows: rules about columns that all depend on one other column, such as the school of each pupil.

The rows of a school repeat what is known of the school, so it counts as one row. If the rule is then no longer sure, it
is an accident of these few schools; a dependency already says which values come with each school.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray
from unwritten.facts import Dependency, Fact
from unwritten.mining.facts.fewer_rows import evidence_of_fewer_rows
from unwritten.mining.facts.row_sample import Sample
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.rules.rule import MINED
from unwritten.tables import Schema

REPEATED = 0.5  # groups by row, below which the rows of a group are copies


def rest_on_copies(
    rules: RuleSet, schema: Schema, sample: Sample, facts: Sequence[Fact], confidence: float
) -> BoolArray:
    """Return which mined rules about values of several columns are not sure if copied rows count as one."""
    groups = _groups(sample, facts)
    doubtful = np.zeros(len(rules), bool)
    if not groups:
        return doubtful
    scope = Scope.of(schema.variables, schema)
    for i, (origin, evidence) in enumerate(zip(rules.origins, rules.evidence, strict=True)):
        if origin != MINED or evidence is None:
            continue
        levels, numbers = level_values(rules.matrix[i], scope)
        names = {scope.columns[c].name for c in levels}
        if numbers or len(names) < 2:
            continue
        fewest = min((count for count, decided in groups if names <= decided), default=sample.n)
        if fewest < evidence.examples:  # equal rows may count once already
            fewer = evidence_of_fewer_rows(rules, i, levels, scope, sample, fewest / evidence.examples)
            doubtful[i] = fewer.confidence < confidence
    return doubtful


def _groups(sample: Sample, facts: Sequence[Fact]) -> list[tuple[int, frozenset[str]]]:
    """Return for each column that decides others how many values it has, and the columns that it decides."""
    ways: dict[str, set[str]] = {}
    for fact in facts:
        if isinstance(fact, Dependency) and len(fact.left) == 1 and not (fact.evidence and fact.evidence.violations):
            ways.setdefault(fact.left[0], set()).add(fact.right)
            if fact.both:
                ways.setdefault(fact.right, set()).add(fact.left[0])
    groups = []
    for name in ways:
        decided, new = {name}, {name}
        while new:
            new = set().union(*(ways.get(each, set()) for each in new)) - decided
            decided |= new
        count = int(sample.codes(name).max()) + 1 if name in sample.rows.names else sample.n
        if budgets.FACT_TRIALS <= count <= REPEATED * sample.n:
            groups.append((count, frozenset(decided - {name})))
    return groups
