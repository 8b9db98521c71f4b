"""Edits of a model's rules by a person: add, drop, confirm. Each returns a new model that remembers the edit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.rules import GIVEN, MINED, RuleSet, parse_rule

if TYPE_CHECKING:
    from unwritten.model.model import Model
    from unwritten.rules import Sentence
    from unwritten.tables import Schema


def rules_as_triples(rows: Iterable[Any], variables: Variables, schema: Schema | None) -> list[Any]:
    """Turn sentences into triples that say the same; triples stay unchanged."""
    rows = list(rows)
    triples: list[Any] = []
    if len(rows) == 3 and isinstance(rows[1], str) and not isinstance(rows[0], str):
        return rows  # one row instead of a list of rows: RuleSet.of refuses it with the cure
    for row in rows:
        triples += parse_rule(row, variables, schema) if isinstance(row, str) else [row]
    return triples


def with_rules(model: Model, rows: RuleSet | Iterable[Any]) -> Model:
    """The model with rules that a person knows, whether or not the examples obey them."""
    if not isinstance(rows, Iterable) or isinstance(rows, str):
        raise DataError(
            "rules must be a RuleSet or a list of (coefficients, sense, right-hand side) triples or sentences: "
            "write ['a requires b']"
        )
    triples = rows.triples() if isinstance(rows, RuleSet) else rules_as_triples(rows, model.variables, model.schema)
    rules = model.rules + RuleSet.of(model.variables, triples, GIVEN).over(model.extended)
    return replace(model, rules=rules, forecast=None)  # the forecast was about other rules


def without(model: Model, ids: Iterable[str]) -> Model:
    """The model without the sentences that have these ids; it remembers which mined rows were dropped."""
    dropped = np.zeros(len(model.rules), bool)
    dropped[_rule_places(model, ids)] = True
    mined = model.rules[dropped].by_origin(MINED)
    newly = [row for row in mined.triples() if row not in model.dropped]
    return replace(
        model,
        rules=model.rules[~dropped],
        redundant=model.redundant[:0],
        matroid=None,
        dropped=(*model.dropped, *newly),
        forecast=None,
    )


def pinned(model: Model, ids: Iterable[str]) -> Model:
    """The model in which a person has confirmed the sentences with these ids: they are given, with their evidence.

    A habit that is confirmed is a rule from now on.
    """
    names = _listed(ids)
    of_habits = [name for name in names if _hits(model.habit_sentences, name) and not _is_rule(model, name)]
    confirmed = set(_rule_places(model, [name for name in names if name not in of_habits]))
    origins = tuple(GIVEN if k in confirmed else origin for k, origin in enumerate(model.rules.origins))
    chosen = np.zeros(len(model.habits), bool)
    for name in of_habits:
        chosen[list(_the_one(_hits(model.habit_sentences, name), name).rules)] = True
    habits = model.habits[chosen]
    rules = replace(model.rules, origins=origins) + replace(habits, origins=(GIVEN,) * len(habits))
    return replace(model, rules=rules, habits=model.habits[~chosen])


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
    edited = replace(
        model,
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


def _key(row: tuple[dict[str, int], str, int]) -> tuple[Any, ...]:
    return tuple(sorted(row[0].items())), row[1], row[2]
