"""Sentences: a rule set in words, over the columns of the table that it was mined from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from unwritten.data import IntArray
from unwritten.rules.columns.profile import profile_of
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.identity import digest
from unwritten.rules.language.merging import Facts, Said, merged
from unwritten.rules.language.phrases import kind_of, noise_text, text_of
from unwritten.rules.language.sentence import Sentence
from unwritten.rules.language.statements import EXACTLY_WHEN, Literal, Pair, Statement, columns_of, rows
from unwritten.rules.rule import DEFINITION, GIVEN, Evidence
from unwritten.rules.ruleset import RuleSet
from unwritten.tables.schema import Schema

SHORTEST_ID = 6
COUNTS = ("exactly", "at-most", "at-least")
SUMS = ("linear", "sum", "inequality")


def sentences(rules: RuleSet, schema: Schema | None, labels: IntArray, counts: IntArray) -> tuple[Sentence, ...]:
    """What the rules say beyond their definitions, the most useful first; rows that always hold are not said.

    `labels` are the distinct labels seen (over the variables of the schema) and `counts` how often each was.

    >>> from unwritten.tables.column import Column
    >>> schema = Schema((Column("trim", "category", ("base", "sport")), Column("roof", "boolean", ("no", "yes"))))
    >>> rules = RuleSet.of(schema.variables, [({"trim=sport": 1, "roof": -1}, "<=", 0)])
    >>> print(*sentences(rules, schema, np.array([[1, 0, 0], [0, 1, 1]]), np.array([3, 4])))
    trim = sport requires roof = yes
    """
    said = _plain(rules, labels, counts) if schema is None else _over(rules, schema, labels, counts)
    strength = {s: sum(e.nats for i in s.rules if (e := rules.evidence[i]) is not None) for s in said}
    return tuple(_named(sorted(said, key=lambda s: (s.origin != GIVEN, _hard(s), -strength[s], s.text))))


def _hard(sentence: Sentence) -> int:
    """How hard a sentence is to take in: easy about two columns, less so as a count, and least as a sum of cases."""
    if sentence.kind in COUNTS and len(sentence.columns) > 2:
        return 1
    return 2 if sentence.kind in SUMS and "[" in sentence.text else 0


def _plain(rules: RuleSet, labels: IntArray, counts: IntArray) -> list[Sentence]:
    """One sentence per rule, over variables."""
    found = []
    for i, rule in enumerate(rules):
        if rule.origin == DEFINITION:
            continue
        support = np.flatnonzero(rule.coefficients)
        names = tuple(rules.variables.names[j] for j in support)
        asked = int(counts.sum())
        if rule.kind == "implies" and (j := int(np.argmax(rule.coefficients))) < labels.shape[1]:
            asked = int(counts[labels[:, j] > 0].sum())
        entries = {names[k]: int(rule.coefficients[j]) for k, j in enumerate(support)}
        key = digest([(entries, rule.sense == "==", rule.rhs)])
        found.append(Sentence(key, rule.text, rule.kind, names, (i,), rule.origin, asked, rule.evidence))
    return found


def _over(rules: RuleSet, schema: Schema, labels: IntArray, counts: IntArray) -> list[Sentence]:
    """Sentences over columns: given and mined rows apart, and rows that examples break each by itself."""
    scope = Scope.of(rules.variables, schema)
    facts: dict[str, Facts] = defaultdict(dict)
    alone: list[tuple[str, Facts]] = []
    for i, origin in enumerate(rules.origins):
        profile = profile_of(rules.matrix[i], bool(rules.equality[i]), int(rules.rhs[i]), scope)
        if origin == DEFINITION or profile.trivial:
            continue
        evidence = rules.evidence[i]
        if evidence is not None and evidence.violations:
            alone.append((origin, {profile: (i,)}))
        else:
            facts[origin][profile] = (*facts[origin].get(profile, ()), i)
    found = [(origin, said) for origin, part in [*sorted(facts.items()), *alone] for said in merged(part, scope)]
    blocks = {name: column.names for column in schema.used if column.one_hot for name in column.names}
    return [_sentence(said, origin, rules, scope, blocks, labels, counts) for origin, said in found]


def _sentence(
    said: Said,
    origin: str,
    rules: RuleSet,
    scope: Scope,
    blocks: dict[str, list[str]],
    labels: IntArray,
    counts: IntArray,
) -> Sentence:
    statement, places = said
    evidence = _weakest(rules.evidence[i] for i in places)
    names = rules.variables.names
    named = [({names[j]: value for j, value in a.items()}, equal, b) for a, equal, b in rows(statement, scope)]
    return Sentence(
        digest(named, blocks),
        text_of(statement, scope) + noise_text(evidence),
        kind_of(statement),
        tuple(scope.columns[c].name for c in columns_of(statement)),
        places,
        origin,
        _support(statement, scope, labels, counts),
        evidence,
    )


def _weakest(evidence: Iterable[Evidence | None]) -> Evidence | None:
    known = [part for part in evidence if part is not None]
    return min(known, key=lambda part: (part.nats, part.examples), default=None)


def _support(statement: Statement, scope: Scope, labels: IntArray, counts: IntArray) -> int:
    """How many examples meet the condition; all of them where there is none."""
    if not isinstance(statement, Pair):
        return int(counts.sum())
    sides = [statement.left, statement.right] if statement.word == EXACTLY_WHEN else [statement.left]
    if any(scope.starts[side.column] >= labels.shape[1] for side in sides):
        return int(counts.sum())  # latents are not among the labels
    return int(counts[np.any([_true(side, scope, labels) for side in sides], axis=0)].sum())


def _true(literal: Literal, scope: Scope, labels: IntArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    start = scope.starts[literal.column]
    if scope.columns[literal.column].one_hot:
        return np.asarray((labels[:, [start + k for k in literal.levels]] > 0).any(axis=1))
    return np.isin(labels[:, start], literal.levels)


def _named(said: Sequence[Sentence]) -> list[Sentence]:
    """The same with short ids: as many digits of the digest as tell them apart, and another digest for a repetition."""
    keys: dict[str, int] = {}
    for place, sentence in enumerate(said):
        key, time = sentence.id, 0
        while key in keys:
            time += 1
            key = digest([({sentence.id: 1}, True, time)])
        keys[key] = place
    width = SHORTEST_ID
    while max(Counter(key[:width] for key in keys).values(), default=1) > 1:
        width += 1
    alike = Counter(key[:SHORTEST_ID] for key in keys)
    return [
        replace(said[place], id=key[: SHORTEST_ID if alike[key[:SHORTEST_ID]] == 1 else width])
        for key, place in keys.items()
    ]
