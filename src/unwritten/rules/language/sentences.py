"""Sentences: a rule set in words, over the columns of the table that it was mined from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.rules.columns.normal_row import normal_row
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.identity import NamedRow, digest
from unwritten.rules.language.merging import RulesByRow, StatedRules, merged
from unwritten.rules.language.phrases import kind_of, text_of
from unwritten.rules.language.sentence import Sentence
from unwritten.rules.language.statements import EXACTLY_WHEN, ColumnLiteral, Pair, Statement, columns_of, rows_of
from unwritten.rules.patterns import SaidRules
from unwritten.rules.rule import DEFINITION, GIVEN, weakest
from unwritten.rules.ruleset import RuleSet
from unwritten.rules.words import noise_text
from unwritten.tables.schema import Schema

SHORTEST_ID = 6  # hexadecimal digits
COUNT_KINDS = ("exactly", "at-most", "at-least")
SUM_KINDS = ("linear", "sum", "inequality")


def sentences(
    rules: RuleSet, schema: Schema | None, labels: IntArray, counts: IntArray, patterns: bool = True
) -> tuple[Sentence, ...]:
    """Put the rules into words, the most useful sentence first.

    Definitions and rows that always hold are left out. Without a schema, rules that are alike along the axes of the
    variables share a sentence, unless `patterns` is False. `labels` are the distinct labels seen (over the variables of
    the schema), and `counts` says how often each of them was seen.

    >>> from unwritten.tables.column import Column
    >>> schema = Schema((Column("trim", "category", ("base", "sport")), Column("roof", "boolean", ("no", "yes"))))
    >>> rules = RuleSet.of(schema.variables, [({"trim=sport": 1, "roof": -1}, "<=", 0)])
    >>> print(*sentences(rules, schema, np.array([[1, 0, 0], [0, 1, 1]]), np.array([3, 4])))
    trim = sport requires roof = yes
    """
    if schema is None:
        unsorted = _over_variables(rules, labels, counts, patterns)
    else:
        unsorted = _over_columns(rules, schema, labels, counts)
    strength = {s: sum(e.nats for i in s.rules if (e := rules.evidence[i]) is not None) for s in unsorted}
    order = sorted(unsorted, key=lambda s: (s.origin != GIVEN, _difficulty(s), -strength[s], s.text))
    return tuple(_with_short_ids(order))


def _difficulty(sentence: Sentence) -> int:
    """How hard a sentence is to understand: 0 for one about two columns, 1 for a count, 2 for a sum with conditions."""
    if sentence.kind in COUNT_KINDS and len(sentence.columns) > 2:
        return 1
    return 2 if sentence.kind in SUM_KINDS and "[" in sentence.text else 0


def _over_variables(rules: RuleSet, labels: IntArray, counts: IntArray, patterns: bool) -> list[Sentence]:
    """One sentence per rule, in the rule's own words, or one per pattern."""
    in_patterns = [said for said in rules.said if said.pattern is not None] if patterns else []
    written = [_pattern_sentence(rules, said, int(counts.sum())) for said in in_patterns]
    said_already = {i for said in in_patterns for i in said.rules}
    for i in range(len(rules)):
        if i in said_already or rules.origins[i] == DEFINITION:
            continue
        rule = rules[i]
        touched = np.flatnonzero(rule.coefficients)
        names = tuple(rules.variables.names[j] for j in touched)
        support = int(counts.sum())
        if rule.kind == "implies" and (j := int(np.argmax(rule.coefficients))) < labels.shape[1]:
            support = int(counts[labels[:, j] > 0].sum())
        key = digest([_named_row(rules, i)])
        written.append(Sentence(key, rule.text, rule.kind, names, (i,), rule.origin, support, rule.evidence))
    return written


def _pattern_sentence(rules: RuleSet, said: SaidRules, support: int) -> Sentence:
    touched = np.flatnonzero(rules.matrix[list(said.rules)].any(axis=0))
    names = tuple(rules.variables.names[j] for j in touched)
    key = digest([_named_row(rules, i) for i in said.rules])
    return Sentence(key, said.text, said.kind, names, said.rules, said.origin, support, said.evidence)


def _named_row(rules: RuleSet, i: int) -> NamedRow:
    row = rules.matrix[i]
    entries = {rules.variables.names[j]: int(row[j]) for j in np.flatnonzero(row)}
    return entries, bool(rules.equality[i]), int(rules.rhs[i])


def _over_columns(rules: RuleSet, schema: Schema, labels: IntArray, counts: IntArray) -> list[Sentence]:
    """Sentences over columns.

    Rules are merged only with rules of the same origin, and rules that some examples break are not merged at all.
    """
    scope = Scope.of(rules.variables, schema)
    by_origin: dict[str, RulesByRow] = defaultdict(dict)
    noisy: list[tuple[str, RulesByRow]] = []
    for i, origin in enumerate(rules.origins):
        row = normal_row(rules.matrix[i], bool(rules.equality[i]), int(rules.rhs[i]), scope)
        if origin == DEFINITION or row.always_holds:
            continue
        evidence = rules.evidence[i]
        if evidence is not None and evidence.violations:
            noisy.append((origin, {row: (i,)}))
        else:
            by_origin[origin][row] = (*by_origin[origin].get(row, ()), i)
    groups = [*sorted(by_origin.items()), *noisy]
    writer = _Writer(rules, scope, schema, labels, counts)
    return [writer.sentence(stated, origin) for origin, rows in groups for stated in merged(rows, scope)]


class _Writer:
    """Writes the sentences of one rule set over the columns of a table."""

    def __init__(self, rules: RuleSet, scope: Scope, schema: Schema, labels: IntArray, counts: IntArray) -> None:
        self._rules, self._scope, self._labels, self._counts = rules, scope, labels, counts
        self._blocks = {name: column.names for column in schema.used if column.one_hot for name in column.names}

    def sentence(self, stated: StatedRules, origin: str) -> Sentence:
        """The sentence for one statement; its id is still the full digest."""
        statement, scope = stated.statement, self._scope
        evidence = weakest(self._rules.evidence[i] for i in stated.rules)
        names = self._rules.variables.names
        named = [({names[j]: value for j, value in a.items()}, equal, b) for a, equal, b in rows_of(statement, scope)]
        return Sentence(
            digest(named, self._blocks),
            text_of(statement, scope) + noise_text(evidence),
            kind_of(statement),
            tuple(scope.columns[c].name for c in columns_of(statement)),
            stated.rules,
            origin,
            self._support(statement),
            evidence,
        )

    def _support(self, statement: Statement) -> int:
        """The number of examples that meet the statement's condition; all of them if it has none."""
        if not isinstance(statement, Pair):
            return int(self._counts.sum())
        sides = [statement.left, statement.right] if statement.word == EXACTLY_WHEN else [statement.left]
        if any(self._scope.starts[side.column] >= self._labels.shape[1] for side in sides):
            return int(self._counts.sum())  # latents are not among the labels
        return int(self._counts[np.any([self._holds(side) for side in sides], axis=0)].sum())

    def _holds(self, literal: ColumnLiteral) -> BoolArray:
        """For which labels the literal is true."""
        start = self._scope.starts[literal.column]
        if self._scope.columns[literal.column].one_hot:
            return np.asarray((self._labels[:, [start + k for k in literal.levels]] > 0).any(axis=1))
        return np.isin(self._labels[:, start], literal.levels)


def _with_short_ids(written: Sequence[Sentence]) -> list[Sentence]:
    """Shorten the ids to as few digits of the digest as keep them apart; sentences with equal digests get new ones."""
    place_of: dict[str, int] = {}
    for place, sentence in enumerate(written):
        key, repetition = sentence.id, 0
        while key in place_of:
            repetition += 1
            key = digest([({sentence.id: 1}, True, repetition)])
        place_of[key] = place
    width = SHORTEST_ID
    while max(Counter(key[:width] for key in place_of).values(), default=1) > 1:
        width += 1
    shared = Counter(key[:SHORTEST_ID] for key in place_of)
    return [
        replace(written[place], id=key[: SHORTEST_ID if shared[key[:SHORTEST_ID]] == 1 else width])
        for key, place in place_of.items()
    ]
