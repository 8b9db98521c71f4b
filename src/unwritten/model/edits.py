"""Edits of a model's rules by a person: add, drop, confirm. Each returns a new model that remembers the edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.errors import DataError
from unwritten.facts import Fact, read_written
from unwritten.rules import GIVEN, MINED, Gaps, RuleSet

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
    written = read_written(given, model.variables, model.schema)
    rules = model.rules + RuleSet.of(model.variables, written.rows, GIVEN).over(model.extended)
    return replace(
        model,
        rules=rules,
        gaps=model.gaps + Gaps(model.variables, written.gaps),
        facts=joined_facts(written.facts, model.facts),
        forecast=None,  # it was about other rules
    )


def joined_facts(given: Sequence[Fact], mined: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return the facts that a person gave, and the others; one that was mined, too, keeps what was learned of it."""
    known = {fact.digest: fact for fact in mined}
    first = {fact.digest: replace(known.get(fact.digest, fact), origin=GIVEN) for fact in given}
    return (*first.values(), *(fact for fact in mined if fact.digest not in first))


def without(model: Model, ids: Iterable[str]) -> Model:
    """The model without the sentences that have these ids; it remembers which mined rows were dropped."""
    names = _listed(ids)
    dropped = np.zeros(len(model.rules), bool)
    dropped[_rule_places(model, names)] = True
    dropped_gaps = np.zeros(len(model.gaps), bool)
    dropped_gaps[_gap_places(model, names)] = True
    dropped_facts = set(_fact_places(model, names))
    mined = model.rules[dropped].by_origin(MINED)
    newly = [row for row in mined.triples() if row not in model.dropped]
    return replace(
        model,
        rules=model.rules[~dropped],
        redundant=model.redundant[:0],
        matroid=None,
        dropped=(*model.dropped, *newly),
        forecast=None,
        gaps=model.gaps[~dropped_gaps],
        dropped_gaps=tuple(dict.fromkeys([*model.dropped_gaps, *_mined_words(model.gaps[dropped_gaps])])),
        facts=tuple(fact for k, fact in enumerate(model.facts) if k not in dropped_facts),
        dropped_facts=tuple(
            dict.fromkeys([*model.dropped_facts, *(model.facts[k].digest for k in sorted(dropped_facts))])
        ),
    )


def pinned(model: Model, ids: Iterable[str]) -> Model:
    """The model in which a person has confirmed the sentences with these ids: they are given, with their evidence.

    A habit that is confirmed is a rule from now on.
    """
    names = _listed(ids)
    of_habits = [name for name in names if _hits(model.habit_sentences, name) and not _is_rule(model, name)]
    of_rules = [name for name in names if name not in of_habits]
    confirmed = set(_rule_places(model, of_rules))
    origins = tuple(GIVEN if k in confirmed else origin for k, origin in enumerate(model.rules.origins))
    chosen = np.zeros(len(model.habits), bool)
    for name in of_habits:
        chosen[list(_the_one(_hits(model.habit_sentences, name), name).rules)] = True
    habits = model.habits[chosen]
    rules = replace(model.rules, origins=origins) + replace(habits, origins=(GIVEN,) * len(habits))
    gaps = model.gaps.with_origin(_gap_places(model, of_rules), GIVEN)
    known = set(_fact_places(model, of_rules))
    facts = tuple(replace(fact, origin=GIVEN) if k in known else fact for k, fact in enumerate(model.facts))
    return replace(model, rules=rules, habits=model.habits[~chosen], gaps=gaps, facts=facts)


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
    present = {_key(row) for row in model.rules.triples()}
    given = [row for row in old.rules.by_origin(GIVEN).triples() if set(row[0]) <= names]
    given_keys = {_key(row) for row in given}
    new = [row for row in given if _key(row) not in present]
    dropped = [row for row in old.dropped if set(row[0]) <= names]
    dropped_keys = {_key(row) for row in dropped}
    keys = [_key(row) for row in model.rules.triples()]
    stays = np.array(
        [key not in dropped_keys or origin != MINED for key, origin in zip(keys, model.rules.origins, strict=True)],
        bool,
    )
    origins = tuple(
        GIVEN if key in given_keys and origin == MINED else origin
        for key, origin in zip(keys, model.rules.origins, strict=True)
    )
    given_gaps = [gap for gap in old.gaps if gap.origin == GIVEN and set(gap.variables) <= names]
    given_words = {gap.words for gap in given_gaps}
    gaps = [gap for gap in model.gaps if gap.origin != MINED or gap.words not in {*old.dropped_gaps, *given_words}]
    said = {gap.words for gap in gaps}
    known_facts = [fact for fact in old.facts if fact.origin == GIVEN and _has_columns(model, fact.columns)]
    settled = {*old.dropped_facts, *(fact.digest for fact in known_facts)}
    facts = [fact for fact in model.facts if fact.origin != MINED or fact.digest not in settled]
    edited = replace(
        model,
        gaps=Gaps(model.variables, (*gaps, *(gap for gap in given_gaps if gap.words not in said))),
        dropped_gaps=old.dropped_gaps,
        facts=(*known_facts, *facts),
        dropped_facts=old.dropped_facts,
        rules=replace(model.rules, origins=origins)[stays],
        redundant=model.redundant if stays.all() else model.redundant[:0],
        dropped=tuple(dropped),
        forecast=model.forecast if stays.all() else None,
        habits=model.habits[np.array([_key(row) not in given_keys for row in model.habits.triples()], bool)],
    )
    return with_rules(edited, new) if new else edited


def sentence_with_id(model: Model, name: str) -> Sentence:
    """The sentence with this id; the beginning of an id is enough if only one sentence has it.

    A rule in a pattern can be named by its own id, too.
    """
    return _the_one(_hits(model.sentences, name) or _hits(model.rule_sentences, name), name)


def _hits(sentences: Iterable[Sentence], name: str) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.id.startswith(name)] if name else []


def _is_rule(model: Model, name: str) -> bool:
    return bool(_hits(model.sentences, name) or _hits(model.rule_sentences, name))


def _the_one(hits: list[Sentence], name: str) -> Sentence:
    if len(hits) != 1:
        what = "several rules have" if hits else "no rule has"
        raise DataError(f"{what} the id {name!r}: take one from model.sentences or `unwritten rules MODEL`")
    return hits[0]


def _listed(ids: Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        raise DataError("ids must be a list: write ['1f3a2b']")
    return list(ids)


def _rule_places(model: Model, ids: Iterable[str]) -> list[int]:
    return [k for name in _listed(ids) for k in sentence_with_id(model, name).rules]


def _gap_places(model: Model, ids: Iterable[str]) -> list[int]:
    return [k for name in ids for k in sentence_with_id(model, name).gaps]


def _fact_places(model: Model, ids: Iterable[str]) -> list[int]:
    return [k for name in ids for k in sentence_with_id(model, name).facts]


def _has_columns(model: Model, names: Iterable[str]) -> bool:
    return model.schema is not None and set(names) <= {column.name for column in model.schema.columns}


def _mined_words(gaps: Gaps) -> list[str]:
    return [gap.words for gap in gaps if gap.origin == MINED]


def _key(row: tuple[dict[str, int], str, int]) -> tuple[Any, ...]:
    return tuple(sorted(row[0].items())), row[1], row[2]
