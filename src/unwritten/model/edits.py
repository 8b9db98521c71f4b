"""Edits of a model's rules by a person: add, drop, confirm. Each returns a new model that remembers the edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts import Fact, read_written
from unwritten.rules import GIVEN, MINED, Gaps, RuleSet
from unwritten.rules.language.gap_sentences import gap_digest
from unwritten.rules.language.identity import row_digests

if TYPE_CHECKING:
    from unwritten.model.model import Model
    from unwritten.rules import Sentence


def with_rules(model: Model, rows: RuleSet | Iterable[Any]) -> Model:
    """The model with rules that a person knows, whether or not the examples obey them."""
    if not isinstance(rows, Iterable) or isinstance(rows, str):
        raise DataError(
            "rules must be a RuleSet or a list of (coefficients, sense, right-hand side) triples or sentences: "
            "write ['a requires b']"
        )
    given = rows.triples() if isinstance(rows, RuleSet) else rows
    alone = [model.facts[k] for s in model.sentences if not s.rules for k in s.facts] if model.facts else []
    written = read_written(given, model.extended, model.schema, alone)
    return replace(
        model,
        rules=model.rules + _rules_given(model, written.rows),
        gaps=model.gaps + Gaps(model.variables, written.gaps),
        facts=joined_facts(written.facts, model.facts),
        forecast=None,  # it was about other rules
    )


def _rules_given(model: Model, rows: Sequence[Any]) -> RuleSet:
    """Rules from triples: coefficients by name may be those of latents, a sequence has one number per variable."""
    by_name: list[Any] = []
    others: list[Any] = []
    for row in rows:
        (by_name if isinstance(row, tuple) and row and isinstance(row[0], dict) else others).append(row)
    in_order = RuleSet.of(model.variables, others, GIVEN).over(model.extended)
    return in_order + RuleSet.of(model.extended, by_name, GIVEN)


def joined_facts(given: Sequence[Fact], mined: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts that a person gave, and the others; one that was mined, too, keeps what was learned of it."""
    known = {fact.digest: fact for fact in mined}
    first = {fact.digest: replace(known.get(fact.digest, fact), origin=GIVEN) for fact in given}
    return (*first.values(), *(fact for fact in mined if fact.digest not in first))


def without(model: Model, ids: Iterable[str]) -> Model:
    """The model without the sentences that have these ids; it remembers what was dropped, of whatever kind."""
    chosen = _chosen(model, ids)
    dropped = [
        digest
        for digests, marks in zip(_digests(model), chosen, strict=True)
        for digest, mark in zip(digests, marks.tolist(), strict=True)
        if mark
    ]
    return replace(
        model,
        rules=model.rules[~chosen.rows],
        gaps=model.gaps[~chosen.gaps],
        facts=tuple(compress(model.facts, ~chosen.facts)),
        habits=model.habits[~chosen.habits],
        doubtful=model.doubtful[~chosen.doubtful],
        redundant=model.redundant[:0],
        matroid=None,
        forecast=None,
        dropped=tuple(dict.fromkeys([*model.dropped, *dropped])),
    )


def pinned(model: Model, ids: Iterable[str]) -> Model:
    """The model in which a person has confirmed the sentences with these ids: they are given, with their evidence.

    A habit or a doubtful rule that is confirmed is a rule from now on.
    """
    chosen = _chosen(model, ids)
    settled = model.doubtful[chosen.doubtful]
    evidence = tuple(None if e is None else replace(e, needed=0) for e in settled.evidence)
    more = model.habits[chosen.habits] + replace(settled, evidence=evidence)
    return replace(
        model,
        rules=_given(model.rules, chosen.rows) + replace(more, origins=(GIVEN,) * len(more)),
        gaps=model.gaps.with_origin(np.flatnonzero(chosen.gaps).tolist(), GIVEN),
        facts=tuple(
            replace(fact, origin=GIVEN) if mark else fact
            for fact, mark in zip(model.facts, chosen.facts.tolist(), strict=True)
        ),
        habits=model.habits[~chosen.habits],
        doubtful=model.doubtful[~chosen.doubtful],
    )


def with_habits(model: Model) -> Model:
    """The model in which habits are rules; a habit and a rule that are two sides of an equality are joined to it."""
    rules, habits = model.rules, model.habits
    other_side = {(*(-row).tolist(), -b): k for k, (row, b) in enumerate(zip(rules.matrix, rules.rhs, strict=True))}
    equality, joined = rules.equality.copy(), np.zeros(len(habits), bool)
    for i in np.flatnonzero(~habits.equality):
        k = other_side.get((*habits.matrix[i].tolist(), habits.rhs[i]))
        if k is not None and rules.origins[k] == MINED:
            equality[k] = joined[i] = True
    added = habits[~joined]
    return replace(
        model,
        rules=replace(rules, equality=equality) + replace(added, origins=(MINED,) * len(added)),
        habits=habits[:0],
    )


def with_edits_from(model: Model, old: Model) -> Model:
    """The model with the edits of an older one: rules that people gave are added, rules that they dropped stay out."""
    names = set(model.variables.names)
    columns = set() if model.schema is None else {column.name for column in model.schema.columns}
    given_rows = [row for row in old.rules.by_origin(GIVEN).triples() if set(row[0]) <= names]
    given_gaps = [gap for gap in old.gaps if gap.origin == GIVEN and set(gap.variables) <= names]
    given_facts = [fact for fact in old.facts if fact.origin == GIVEN and set(fact.columns) <= columns]
    rows, gaps, facts, habits, _ = _digests(model)
    of_given_rows = row_digests(RuleSet.of(model.variables, given_rows))
    dropped, known = set(old.dropped), {*of_given_rows, *map(gap_digest, given_gaps)}
    stays = np.array([o != MINED or d not in dropped for d, o in zip(rows, model.rules.origins, strict=True)], bool)
    rules = _given(model.rules, np.array([digest in known for digest in rows], bool))[stays]
    new = [row for row, digest in zip(given_rows, of_given_rows, strict=True) if digest not in rows]
    kept_gaps = [
        gap for gap, d in zip(model.gaps, gaps, strict=True) if d not in known | dropped or gap.origin != MINED
    ]
    kept_facts = [fact for fact, d in zip(model.facts, facts, strict=True) if d not in dropped or fact.origin != MINED]
    said = {gap_digest(gap) for gap in kept_gaps}
    return replace(
        model,
        rules=rules + RuleSet.of(model.variables, new, GIVEN).over(model.extended),
        gaps=Gaps(model.variables, (*kept_gaps, *(gap for gap in given_gaps if gap_digest(gap) not in said))),
        facts=joined_facts(given_facts, kept_facts),
        habits=model.habits[np.array([digest not in known for digest in habits], bool)],
        redundant=model.redundant if stays.all() else model.redundant[:0],
        forecast=model.forecast if stays.all() and not new else None,
        dropped=old.dropped,
    )


class _Chosen(NamedTuple):
    """Which rules of a model are meant, by where they stand."""

    rows: BoolArray
    gaps: BoolArray
    facts: BoolArray
    habits: BoolArray
    doubtful: BoolArray


def _chosen(model: Model, ids: Iterable[str]) -> _Chosen:
    """The rules of the sentences with these ids; stated ones go before habits, and these before doubtful ones."""
    if isinstance(ids, str):
        raise DataError("ids must be a list: write ['1f3a2b']")
    parts = (model.rules, model.gaps, model.facts, model.habits, model.doubtful)
    chosen = _Chosen(*(np.zeros(len(part), bool) for part in parts))
    for name in ids:
        stated = _hits(model.sentences, name) or _hits(model.rule_sentences, name)
        of_habits = [] if stated else _hits(model.habit_sentences, name)
        if stated or of_habits or not _hits(model.doubtful_sentences, name):
            sentence = _the_one(stated or of_habits, name)
            (chosen.habits if of_habits else chosen.rows)[list(sentence.rules)] = True
            chosen.gaps[list(sentence.gaps)] = chosen.facts[list(sentence.facts)] = True
        else:
            chosen.doubtful[list(_the_one(_hits(model.doubtful_sentences, name), name).rules)] = True
    return chosen


def _digests(model: Model) -> _Digests:
    """What each rule means, by where it stands."""
    return _Digests(
        row_digests(model.rules),
        [gap_digest(gap) for gap in model.gaps],
        [fact.digest for fact in model.facts],
        row_digests(model.habits),
        row_digests(model.doubtful),
    )


class _Digests(NamedTuple):
    rows: list[str]
    gaps: list[str]
    facts: list[str]
    habits: list[str]
    doubtful: list[str]


def _given(rules: RuleSet, chosen: BoolArray) -> RuleSet:
    """The same rules, of which some that were mined are given from now on."""
    origins = zip(rules.origins, chosen.tolist(), strict=True)
    return replace(rules, origins=tuple(GIVEN if mark and origin == MINED else origin for origin, mark in origins))


def _hits(sentences: Iterable[Sentence], name: str) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.id.startswith(name)] if name else []


def _the_one(hits: list[Sentence], name: str) -> Sentence:
    if len(hits) != 1:
        what = "several rules have" if hits else "no rule has"
        raise DataError(f"{what} the id {name!r}: take one from model.sentences or `unwritten rules MODEL`")
    return hits[0]
