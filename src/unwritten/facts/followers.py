"""Followers: sentences of rules that follow from facts and from the other sentences.

If hours are a sum of two columns, "end = 20 requires start = 14" says nothing new. Whether it does is tried with every
combination of the values of few columns: a sentence follows if no combination breaks it that obeys all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.facts.fact import Fact
from unwritten.facts.key import Key
from unwritten.facts.missing import MissingTogether
from unwritten.rules import RuleSet, Sentence
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.rules.rule import GIVEN, Evidence
from unwritten.tables import Schema
from unwritten.tables.typed_rows import TypedRows


def without_followers(
    sentences: Sequence[Sentence], rules: RuleSet, facts: Sequence[Fact], schema: Schema
) -> list[Sentence]:
    """Return the sentences without mined ones that follow from facts and the rest; the last are dropped first."""
    trial = _Trial(rules, facts, schema)
    independent = list(sentences)
    for sentence in reversed(sentences):
        says_facts = sentence.facts or not sentence.rules
        if sentence.origin == GIVEN or says_facts or not trial.is_about_levels(sentence.columns):
            continue
        others = [other for other in independent if other is not sentence]
        if trial.follows(sentence, others):
            independent = others
    return independent


class _Trial:
    """Tries sentences with all combinations of the values of some columns."""

    def __init__(self, rules: RuleSet, facts: Sequence[Fact], schema: Schema) -> None:
        self._rules, self._schema = rules, schema
        self._scope = Scope.of(rules.variables, schema)
        self._levels = {
            column.name: column.levels
            for column in schema.used
            if column.kind in ("category", "boolean") and column.levels
        }
        self._facts = [
            fact
            for fact in (self._about_levels_alone(fact) for fact in facts)
            if not isinstance(fact, Key)
            and fact.columns
            and _has_no_exception(fact.evidence)
            and self.is_about_levels(fact.columns)
        ]

    def _about_levels_alone(self, fact: Fact) -> Fact:
        """Return what columns that are missing together mean for those of them whose values can be listed."""
        if isinstance(fact, MissingTogether):
            return replace(fact, names=tuple(name for name in fact.names if name in self._levels))
        return fact

    def is_about_levels(self, columns: Sequence[str]) -> bool:
        """True if all values of these columns can be listed."""
        return all(name in self._levels for name in columns)

    def follows(self, sentence: Sentence, others: Sequence[Sentence]) -> bool:
        """True if a fact and other sentences leave no combination of values that breaks the sentence."""
        columns = self._columns_around(sentence)
        near = [fact for fact in self._facts if columns.issuperset(fact.columns)]
        if not near or not self._can_be_listed(columns):
            return False
        names = [name for name in self._levels if name in columns]
        sizes = [len(self._levels[name]) for name in names]
        index = dict(zip(names, (part.ravel() for part in np.indices(sizes)), strict=True))
        broken = self._broken_rules(sentence, index)
        rows = TypedRows.of_cells(
            self._schema,
            int(broken.sum()),
            {name: (list(self._levels[name]), codes[broken]) for name, codes in index.items()},
        )
        allowed = ~np.logical_or.reduce([np.zeros(rows.rows, bool), *(fact.checker()(rows) for fact in near)])
        index = {name: codes[broken][allowed] for name, codes in index.items()}
        for other in others:
            if not len(index[names[0]]):
                break
            if _is_exact(other) and columns.issuperset(other.columns):
                excluded = self._broken_rules(other, index)
                index = {name: codes[~excluded] for name, codes in index.items()}
        return not len(index[names[0]])

    def _columns_around(self, sentence: Sentence) -> set[str]:
        """The columns of a sentence and, as far as combinations can be listed, of the facts that touch them."""
        columns = set(sentence.columns)
        touching = [fact for fact in self._facts if columns.intersection(fact.columns)]
        for fact in sorted(touching, key=lambda fact: len(columns.union(fact.columns))):
            wider = columns.union(fact.columns)
            columns = wider if self._can_be_listed(wider) else columns
        return columns

    def _can_be_listed(self, columns: set[str]) -> bool:
        return prod(len(self._levels[name]) for name in columns) <= budgets.FACT_COMBINATIONS

    def _broken_rules(self, sentence: Sentence, index: dict[str, IntArray]) -> BoolArray:
        """Return which combinations of levels break a rule of the sentence."""
        size = len(next(iter(index.values())))
        broken = np.zeros(size, bool)
        for i in sentence.rules:
            total = np.zeros(size, np.int64)
            for place, added in level_values(self._rules.matrix[i], self._scope)[0].items():
                total += np.array(added, np.int64)[index[self._scope.columns[place].name]]
            rhs = int(self._rules.rhs[i])
            broken |= (total != rhs) if self._rules.equality[i] else (total > rhs)
        return broken


def _is_exact(sentence: Sentence) -> bool:
    return bool(sentence.rules) and _has_no_exception(sentence.evidence)


def _has_no_exception(evidence: Evidence | None) -> bool:
    return evidence is None or not evidence.violations
