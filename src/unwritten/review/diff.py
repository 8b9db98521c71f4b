"""Diff: what the rules of a new model say that those of an old one did not, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.model import Model
from unwritten.review.columns import ColumnChanges, column_changes
from unwritten.review.common import Common
from unwritten.review.implied import Knowledge
from unwritten.review.pairing import Open, paired
from unwritten.rules import Sentence
from unwritten.tables.quoting import shown


@dataclass(frozen=True)
class Difference:
    """Sentences that only the new model says (`gained`) or only the old one (`lost`), and pairs that are one rule of
    which the values `changed`.

    What the other model implies is no difference, nor is how sure either is. `structure` tells whether the matroids
    differ, and `notes` what to know besides.
    """

    gained: tuple[Sentence, ...]
    lost: tuple[Sentence, ...]
    changed: tuple[tuple[Sentence, Sentence], ...]
    columns: ColumnChanges
    structure: bool = False
    notes: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether there is no difference at all."""
        return not (self.gained or self.lost or self.changed or self.structure) and self.columns.same

    def summary(self) -> str:
        """Plain words, for a terminal: + gained, − lost, ~ changed."""
        if self.same:
            return "\n".join(["The two models say the same.", *self.notes])
        counts = f"{len(self.gained)} gained, {len(self.lost)} lost, {len(self.changed)} changed"
        lines = [f"Rules: {counts}"]
        lines += [f"+ {shown(sentence.text)}" for sentence in self.gained]
        lines += [f"− {shown(sentence.text)}" for sentence in self.lost]
        lines += [f"~ {shown(old.text)}\n  now: {shown(new.text)}" for old, new in self.changed]
        lines += self.columns.texts
        lines += ["the matroid of the examples is another one"] if self.structure else []
        return "\n".join([*lines, *self.notes])

    __str__ = summary

    def state(self) -> dict[str, Any]:
        """The difference as plain JSON."""
        return {
            "same": self.same,
            "gained": [_state(sentence) for sentence in self.gained],
            "lost": [_state(sentence) for sentence in self.lost],
            "changed": [{"old": _state(old), "new": _state(new)} for old, new in self.changed],
            "columns": self.columns.state(),
            "structure": self.structure,
            "notes": list(self.notes),
        }


def diff(old: Model, new: Model) -> Difference:
    """Compare two models of the same kind of table, or of the same variables.

    A sentence is not a difference if the other model has it, or if its rules are seen to imply it. Where one model has
    never seen a value, it counts as absent there.

    Examples
    --------
    >>> import unwritten
    >>> one = unwritten.mine([[1, 0], [0, 1]] * 20, names=["red", "green"])
    >>> two = unwritten.mine([[1, 0], [0, 1], [1, 1]] * 20, names=["red", "green"])
    >>> print(diff(one, two))
    Rules: 0 gained, 0 lost, 1 changed
    ~ exactly one of red, green
      now: at least one of red, green
    """
    common = Common.of(old, new)
    before, after = _open(old, new, common), _open(new, old, common)
    changed = paired(before, after, common)
    done = {id(sentence) for pair in changed for sentence in pair}
    before, after = ([x for x in side if id(x.sentence) not in done] for side in (before, after))
    return Difference(
        tuple(x.sentence for x in after if not x.implied),
        tuple(x.sentence for x in before if not x.implied),
        changed,
        column_changes(old, new),
        old.matroid != new.matroid,
        (*_absent("old", before, common.absent_in(new)), *_absent("new", after, common.absent_in(old))),
    )


def _open(model: Model, other: Model, common: Common) -> list[Open]:
    """The sentences of a model that another does not have, though it may imply them."""
    known = {_identity(sentence) for sentence in other.sentences}
    rest = [sentence for sentence in model.sentences if _identity(sentence) not in known]
    if not rest:
        return []
    blocks = common.schema.blocks if common.schema is not None else ()
    knowledge = Knowledge(common.rules_of(other), blocks)
    rows = [common.rows_of(model, sentence) for sentence in rest]
    return [Open(said, row, row is not None and knowledge.says(row)) for said, row in zip(rest, rows, strict=True)]


def _absent(whose: str, open_: list[Open], absent: set[str]) -> list[str]:
    """A word on sentences that the other model implies, but that speak of values it has never seen."""
    count = sum(x.implied and any(not absent.isdisjoint(row[0]) for row in x.rows or ()) for x in open_)
    rules = "1 rule" if count == 1 else f"{count} rules"
    return [f"{rules} of the {whose} model not told: about values that the other never saw"] if count else []


def _identity(sentence: Sentence) -> str:
    """What is said, in words: over other values of a column, the same rows can say something else."""
    return sentence.text.partition(" (noisy: ")[0]


def _state(sentence: Sentence) -> dict[str, Any]:
    return {"id": sentence.id, "text": sentence.text, "kind": sentence.kind, "columns": list(sentence.columns)}
