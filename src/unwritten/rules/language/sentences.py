"""Sentences: a rule set in words, over the columns of the table that it was mined from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.rules.columns.normal_row import normal_row
from unwritten.rules.columns.scope import Scope
from unwritten.rules.gaps import Gaps
from unwritten.rules.language.gap_sentences import gap_sentences
from unwritten.rules.language.identity import digest, named_rows, row_digests
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
    rules: RuleSet,
    schema: Schema | None,
    labels: IntArray,
    counts: IntArray,
    gaps: Gaps | None = None,
    *,
    patterns: bool = True,
    sums: Sequence[int] | None = None,
    total: int | None = None,
) -> tuple[Sentence, ...]:
    """Put the rules and gaps into words, the most useful sentence first.

    Definitions and rows that always hold are left out. Without a schema, rules that are alike along the axes of the
    variables share a sentence, unless `patterns` is False. `labels` are the distinct labels seen (over the variables of
    the schema), and `counts` says how often each of them was seen. If they are a sample, `total` is the number of all
    examples, and `sums` adds up each variable over all of them: rows are counted by these.

    >>> from unwritten.tables.column import Column
    >>> schema = Schema((Column("trim", "category", ("base", "sport")), Column("roof", "boolean", ("no", "yes"))))
    >>> rules = RuleSet.of(schema.variables, [({"trim=sport": 1, "roof": -1}, "<=", 0)])
    >>> print(*sentences(rules, schema, np.array([[1, 0, 0], [0, 1, 1]]), np.array([3, 4])))
    trim = sport requires roof = yes
    """
    rows = CountedRows(labels, counts, sums, int(counts.sum()) if total is None else total)
    unsorted = _over_variables(rules, rows, patterns) if schema is None else _over_columns(rules, schema, rows)
    strength = {s: sum(e.nats for i in s.rules if (e := rules.evidence[i]) is not None) for s in unsorted}
    if gaps is not None:
        said = gap_sentences(gaps, schema, rows.total)
        unsorted, strength = unsorted + said, strength | {s: s.evidence.nats if s.evidence else 0.0 for s in said}
    order = sorted(unsorted, key=lambda s: (s.origin != GIVEN, _difficulty(s), -strength[s], s.text))
    return tuple(with_short_ids(order))


@dataclass(frozen=True, eq=False)
class CountedRows:
    """The distinct labels seen with their counts and, if they are a sample, the sums of variables over all examples."""

    labels: IntArray
    counts: IntArray
    sums: Sequence[int] | None
    total: int

    def with_one_of(self, variables: list[int]) -> int:
        """In how many examples one of these 0/1 variables is 1; never two of them are."""
        if self.sums is not None:
            return sum(self.sums[j] for j in variables)
        return int(self.counts[(self.labels[:, variables] > 0).any(axis=1)].sum())


def _difficulty(sentence: Sentence) -> int:
    """How hard a sentence is to understand: 0 for one about two columns, 1 for a count, 2 for a sum with conditions."""
    if sentence.kind in COUNT_KINDS and len(sentence.columns) > 2:
        return 1
    return 2 if sentence.kind in SUM_KINDS and "[" in sentence.text else 0


def _over_variables(rules: RuleSet, rows: CountedRows, patterns: bool) -> list[Sentence]:
    """One sentence per rule, in the rule's own words, or one per pattern."""
    in_patterns = [said for said in rules.said if said.pattern is not None] if patterns else []
    in_patterns = [said for said in in_patterns if rules.origins[said.rules[0]] != DEFINITION]
    written = [_pattern_sentence(rules, said, rows.total) for said in in_patterns]
    said_already = {i for said in in_patterns for i in said.rules}
    for i in range(len(rules)):
        if i in said_already or rules.origins[i] == DEFINITION:
            continue
        rule = rules[i]
        touched = np.flatnonzero(rule.coefficients)
        names = tuple(rules.variables.names[j] for j in touched)
        support = rows.total
        if rule.kind == "implies" and (j := int(np.argmax(rule.coefficients))) < rows.labels.shape[1]:
            support = rows.with_one_of([j])
        key = row_digests(rules[[i]])[0]
        written.append(Sentence(key, rule.text, rule.kind, names, (i,), rule.origin, support, rule.evidence))
    return written


def _pattern_sentence(rules: RuleSet, said: SaidRules, support: int) -> Sentence:
    touched = np.flatnonzero(rules.matrix[list(said.rules)].any(axis=0))
    names = tuple(rules.variables.names[j] for j in touched)
    key = digest(named_rows(rules[list(said.rules)]))
    return Sentence(key, said.text, said.kind, names, said.rules, said.origin, support, said.evidence)


def _over_columns(rules: RuleSet, schema: Schema, rows: CountedRows) -> list[Sentence]:
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
    writer = _Writer(rules, scope, schema, rows)
    return [writer.sentence(stated, origin) for origin, group in groups for stated in merged(group, scope)]


class _Writer:
    """Writes the sentences of one rule set over the columns of a table."""

    def __init__(self, rules: RuleSet, scope: Scope, schema: Schema, rows: CountedRows) -> None:
        self._rules, self._scope, self._rows = rules, scope, rows
        blocks = [column.names for column in schema.used if column.one_hot]
        self._blocks = {name: names for names in blocks for name in names}

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
            return self._rows.total
        sides = [statement.left, statement.right] if statement.word == EXACTLY_WHEN else [statement.left]
        if any(self._scope.starts[side.column] >= self._rows.labels.shape[1] for side in sides):
            return self._rows.total  # latents are not among the labels
        if self._rows.sums is None:
            counts = self._rows.counts
            return int(counts[np.any([self._holds(side) for side in sides], axis=0)].sum())
        return self._holding_in_all(statement.left)  # both sides of "exactly when" hold in the same examples

    def _holds(self, literal: ColumnLiteral) -> BoolArray:
        """For which labels the literal is true."""
        start, labels = self._scope.starts[literal.column], self._rows.labels
        if self._scope.columns[literal.column].one_hot:
            return np.asarray((labels[:, [start + k for k in literal.levels]] > 0).any(axis=1))
        return np.isin(labels[:, start], literal.levels)

    def _holding_in_all(self, literal: ColumnLiteral) -> int:
        """In how many of all examples the literal is true, although only a sample of them was kept."""
        start = self._scope.starts[literal.column]
        if self._scope.columns[literal.column].one_hot:
            return self._rows.with_one_of([start + k for k in literal.levels])
        ones = self._rows.with_one_of([start])
        return sum(ones if level else self._rows.total - ones for level in literal.levels)


def with_short_ids(written: Sequence[Sentence]) -> list[Sentence]:
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
