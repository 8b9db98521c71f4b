"""Loaded models: change a model as its file holds it, load it, and use it in every way that a caller can.

An input is a few random bytes, from which the change and the uses follow. Most changes go to the reader of headers and
arrays directly, which takes a thousandth of the time of a file; some go through a file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import unwritten
from attack.mutators import VALUES, array_changed, json_changed, json_places
from attack.readers.rich_models import rich_models
from unwritten import Model
from unwritten.errors import UnwrittenError
from unwritten.exports.export_targets import TARGETS
from unwritten.formats import write_archive
from unwritten.model.state import Parts, pack, unpack

THROUGH_FILES = 0.02  # the share of inputs that are written and read as files
USES = 3  # how many of the uses an input is put to


@cache
def parts() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the header (as JSON) and the arrays of every model."""
    return tuple((json.dumps(header), arrays) for header, arrays in map(pack, rich_models()))


def loaded_made(rng: random.Random) -> bytes:
    """Return the bytes from which a change and its uses follow."""
    return rng.randbytes(8)


def changed_parts(rng: random.Random) -> Parts:
    """Change an entry of the header of a model, the arrays, or both; entries that hold much are changed more often."""
    key = rng.choice(places())
    text, arrays = rng.choice(parts_with(key))
    header, other = json.loads(text), json.loads(rng.choice(parts())[0])
    kind = rng.randrange(24)
    if kind == 0:
        header[key] = other.get(key)
    elif kind == 1:
        header |= {name: other[name] for name in rng.sample(list(other), 3)}
    elif kind == 2:
        header = json_changed(rng, header)
    elif kind < 8:
        header[key] = json_changed(rng, header[key])
    elif kind < 19:
        header[key] = one_changed(rng, header[key])
    if kind >= 18:
        arrays = dict(arrays)
        for name in rng.sample(sorted(arrays), rng.choice((1, 1, 2))):
            arrays[name] = array_changed(rng, deepcopy(arrays[name]))
    return header, arrays


@cache
def parts_with(key: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the parts of the models that have something in an entry."""
    return [part for part in parts() if json.loads(part[0]).get(key)]


@cache
def places() -> tuple[str, ...]:
    """Return the entries of headers, each once, and once more for each kind of part that it has."""
    keys = []
    for text, _ in parts():
        for key, value in json.loads(text).items():
            kinds = (
                {part.get("kind", "") for part in value if isinstance(part, dict)} if isinstance(value, list) else {}
            )
            keys += [(key, kind) for kind in ("", *kinds) if value]
    return tuple(key for key, _ in sorted(set(keys)))


def one_changed(rng: random.Random, value: Any) -> Any:
    """Change one part of an entry to something near: another number or text, or another part of the entry."""
    whole = [value]
    holder, key = descended(rng, whole)
    old = holder[key]
    alike = [there[place] for there, place in json_places(whole) if type(there[place]) is type(old)]
    near = {
        bool: [not old],
        int: [-1, 0, 1, 2, 3, 100],
        float: [0.0, -1.0, 0.5, 1.0, 1e9, -1e15, 1e300, 3],
        str: [
            "",
            "x",
            "0",
            "-5",
            "2.5",
            "true",
            "missing",
            "2024-01-01",
            "a\nb",
            'q"',
            "'",
            "\u202e",
            "𝔘",
            "%",
            "--",
            "*/",
        ],
    }.get(type(old), [None, "x", 1, []])
    if type(old) is int:
        near += [old + 1, old - 1, -old, 10 * old]
    if isinstance(old, list):
        near += [old[::-1], old[1:], old + old, old[:-1], [old]]
    holder[key] = deepcopy(rng.choice(rng.choice((near, near, alike, VALUES))))
    return whole[0]


def descended(rng: random.Random, holder: Any) -> tuple[Any, Any]:
    """Return a place inside a list: each part of a record or list is as likely as the others, however much it holds."""
    key: Any = 0
    while isinstance(holder[key], dict | list) and holder[key] and rng.random() < 0.9:
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    return holder, key


def loaded_read(data: bytes) -> None:
    """Load a changed model, and use it in some ways; a use may be refused with a sentence."""
    rng = random.Random(data)
    header, arrays = changed_parts(rng)
    if rng.random() < THROUGH_FILES:
        try:
            write_archive("loaded.rules", header, arrays)
        except UnwrittenError:
            return  # JSON without NaN, arrays of other types: no file holds them
        model = unwritten.load("loaded.rules")
    else:
        model = Model(**unpack(header, arrays))
    for use in rng.sample(WAYS, USES):
        try:
            use(model, rng)
        except UnwrittenError as error:
            assert "\n" not in str(error), f"{use.__name__} refused the model in several lines: {error}"


def _said(model: Model, _: random.Random) -> None:
    _ = str(model), repr(model), model._repr_html_(), model.summary(), model.evidence
    for sentence in (*model.sentences, *model.habit_sentences, *model.doubtful_sentences, *model.rule_sentences):
        _ = str(sentence), repr(sentence), sentence.text, sentence.evidence and str(sentence.evidence)


def _listed(model: Model, _: random.Random) -> None:
    for rules in (model.rules, model.habits, model.doubtful, model.redundant, model.gaps):
        _ = str(rules), repr(rules), rules._repr_html_(), [(rule.text, rule.evidence, repr(rule)) for rule in rules]
    _ = model.forecast and str(model.forecast), model.matroid and repr(model.matroid), repr(model.cuts)
    _ = repr(model.variables), repr(model.schema), [str(part) for part in model.facts], model.notes, model.rules.rank


def _row(model: Model, rng: random.Random) -> Any:
    if model.schema is None:
        return model.seen[rng.randrange(len(model.seen))] if len(model.seen) else np.zeros(len(model.variables), int)
    texts = ["1", "-1", "2024-02-29", "2024-02-29 10:00:00", "x", None]
    row = {column.name: rng.choice([*column.levels, *texts][:9]) for column in model.schema.columns}
    return {name: value for name, value in row.items() if rng.random() < 0.99}


def _checked(model: Model, rng: random.Random) -> None:
    rows = [_row(model, rng) for _ in range(4)]
    _ = model.check(model.seen, strict=rng.random() < 0.5).summary()
    checked = model.check(rows if model.schema is not None else np.array(rows))
    _ = str(checked), checked.summary(), checked.feasible


def _explained(model: Model, rng: random.Random) -> None:
    explained = model.explain(_row(model, rng), time_limit=0.2)
    _ = str(explained), repr(explained), json.dumps(explained.state())


def _decided(model: Model, rng: random.Random) -> None:
    weights = np.random.default_rng(rng.randrange(99)).integers(-5, 6, (2, len(model.variables)))
    decided = model.decide(weights, time_limit=0.2)
    _ = str(decided), decided.values, decided.status


def _compared(model: Model, rng: random.Random) -> None:
    other = rng.choice(rich_models())
    _ = str(model.diff(other)), str(other.diff(model)), model == other, other == model
    _ = json.dumps(model.diff(other).state())


def _edited(model: Model, rng: random.Random) -> None:
    said = (*model.sentences, *model.habit_sentences, *model.doubtful_sentences)
    if said:
        chosen = rng.choice(said)
        for edit in (model.without, model.pinned):
            with suppress(UnwrittenError):
                _ = str(edit([chosen.id]))
        _ = str(model.with_rules([chosen.text]))
    _ = str(model.with_habits()), str(model.with_edits_from(rng.choice(rich_models())))
    _ = str(rng.choice(rich_models()).with_edits_from(model))


def _exported(model: Model, rng: random.Random) -> None:
    _ = model.export(rng.choice(list(TARGETS))).encode()


def _reported(model: Model, _: random.Random) -> None:
    _ = model.report().encode()


def _saved(model: Model, _: random.Random) -> None:
    model.save("again.rules")
    assert unwritten.load("again.rules") == model
    Path("again.rules").unlink()


WAYS: tuple[Callable[[Model, random.Random], None], ...] = (
    *(_said, _listed, _checked, _explained, _decided, _compared, _edited),
    *(_exported, _exported, _exported, _exported, _reported, _saved),
)
