"""Lost rules: which sentences that only the old model says are broken by the rows of the new model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unwritten.data import IntArray
from unwritten.mining import lifted_labels
from unwritten.review.pairing import UnmatchedSentence
from unwritten.review.shared_variables import SharedVariables
from unwritten.rules import MINED, RuleSet, Sentence
from unwritten.tables import open_table
from unwritten.tables.typed_rows import TypedRows

if TYPE_CHECKING:
    from unwritten.model import Model


@dataclass(frozen=True)
class OldOnly:
    """What only the old model says, by what the new rows say of it.

    `broken`: a row breaks it, or it is about a column that is gone, or a person gave it. `unshown`: no row breaks it,
    but the rows are too few to show it again. `untested`: it is about whole columns, whose rows are not at hand.
    """

    broken: tuple[Sentence, ...]
    unshown: tuple[Sentence, ...]
    untested: tuple[Sentence, ...]


def judged_by_rows(
    old: Model, new: Model, unmatched: Sequence[UnmatchedSentence], shared: SharedVariables, rows: object
) -> OldOnly:
    """Sort sentences of the old model by what the rows of the new one say; `rows` is its table, if it is at hand."""
    labels = shared_labels(new, shared) if len(new.seen) else None
    facts = _broken_facts(old, new, rows, [k for x in unmatched for k in x.sentence.facts])
    broken: list[Sentence] = []
    unshown: list[Sentence] = []
    untested: list[Sentence] = []
    for x in unmatched:
        sentence = x.sentence
        if sentence.origin != MINED:
            broken.append(sentence)
        elif sentence.facts and not sentence.rules:
            verdicts = [facts[k] for k in sentence.facts]
            kind = broken if True in verdicts else untested if None in verdicts else unshown
            kind.append(sentence)
        elif labels is None or (x.rows is None and not sentence.gaps):
            broken.append(sentence)
        elif sentence.gaps:
            wrong = _breaks_gap(old, new, sentence)
            (broken if wrong else unshown).append(sentence)
        else:
            wrong = bool(RuleSet.of(shared.variables, x.rows or []).broken(labels).any())
            (broken if wrong else unshown).append(sentence)
    return OldOnly(tuple(broken), tuple(unshown), tuple(untested))


def shared_labels(model: Model, shared: SharedVariables) -> IntArray:
    """Return the seen labels of a model over the shared variables."""
    seen = model.seen
    out = np.zeros((len(seen), len(shared.variables)), np.int64)
    width = 0
    if shared.schema is not None and model.schema is not None:
        for column in shared.schema.used:
            own, block = model.schema[column.name], seen[:, model.schema.places[column.name]]
            codes = block.argmax(axis=1) if own.one_hot else block[:, 0]
            if column.kind != "integer":
                codes = np.array([column.levels.index(level) for level in own.levels], np.int64)[codes]
            column.fill(out[:, shared.schema.places[column.name]], codes)
        width = len(shared.schema.variables)
    others = shared.variables.names[width:]
    if others:
        lifted = lifted_labels(model.lifts, seen)
        out[:, width:] = lifted[:, [model.extended.index[name] for name in others]]
    return out


def _breaks_gap(old: Model, new: Model, sentence: Sentence) -> bool:
    """True if a seen label of the new model breaks a gap, or the new model lacks one of its variables."""
    gaps = [old.gaps[k] for k in sentence.gaps]
    if not all(name in new.variables.index for gap in gaps for name in gap.variables):
        return True
    labels = np.zeros((len(new.seen), len(old.variables)), np.int64)
    for name in {name for gap in gaps for name in gap.variables}:
        labels[:, old.variables.index[name]] = new.seen[:, new.variables.index[name]]
    return bool(old.gaps.broken(labels)[:, list(sentence.gaps)].any())


def _broken_facts(old: Model, new: Model, rows: object, facts: list[int]) -> dict[int, bool | None]:
    """Return which facts of the old model a row of the new table breaks; None if there are no rows to look at.

    A fact about a column that is gone counts as broken.
    """
    schema = old.schema
    if schema is None or not facts:
        return {}
    present = set() if new.schema is None else {column.name for column in new.schema.columns}
    verdicts: dict[int, bool | None] = {k: None if set(old.facts[k].columns) <= present else True for k in facts}
    tested = [k for k in facts if verdicts[k] is None]
    if rows is None or not tested:
        return verdicts
    checkers = {k: old.facts[k].checker() for k in tested}
    broken = dict.fromkeys(tested, False)
    for batch, _ in open_table(rows).batches():
        typed = TypedRows.of_batch(schema, batch)
        broken = {k: wrong or bool(checkers[k](typed).any()) for k, wrong in broken.items()}
    return verdicts | broken
