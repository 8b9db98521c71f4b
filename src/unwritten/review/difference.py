"""Difference: which sentences only one of two models says, and which sentences changed between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unwritten.counted import counted
from unwritten.data.html import html_table
from unwritten.facts import facts_imply
from unwritten.review.column_changes import ColumnChanges, column_changes
from unwritten.review.implied import ImpliedRows
from unwritten.review.lost_rules import judged_by_rows
from unwritten.review.pairing import UnmatchedSentence, changed_pairs
from unwritten.review.shared_variables import SharedVariables
from unwritten.review.wording import html_lines
from unwritten.rules import Sentence
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model


UNSHOWN = "Not broken by the new rows, which are too few to show it again:"
UNTESTED = "Said by the old model only; the new rows are needed to test it:"


@dataclass(frozen=True, repr=False)
class Difference:
    """What two models say differently.

    `gained` are sentences that only the new model says, `lost` those that only the old model says and that new rows
    break, and `changed` are (old, new) pairs of one rule whose values changed. A sentence that the other model implies
    is not a difference, and neither is its confidence. `structure` is True if the matroids differ. `notes` count what
    was left out.

    `unshown` are sentences of the old model that no new row breaks, though the new rows are too few to show them: they
    are no difference. `untested` are sentences about whole columns that only the old model says, if there were no rows
    to test them on.
    """

    gained: tuple[Sentence, ...]
    lost: tuple[Sentence, ...]
    changed: tuple[tuple[Sentence, Sentence], ...]
    columns: ColumnChanges
    structure: bool = False
    notes: tuple[str, ...] = ()
    unshown: tuple[Sentence, ...] = ()
    untested: tuple[Sentence, ...] = ()

    @property
    def same(self) -> bool:
        """True if there is no difference at all."""
        told = self.gained or self.lost or self.changed or self.untested or self.structure
        return not told and self.columns.same

    def summary(self) -> str:
        """Return the difference in plain words, for a terminal: + gained, − lost, ~ changed."""
        if self.same:
            same = "The new rows break no rule." if self.unshown else "The two models say the same."
            return "\n".join([same, *self._unshown_lines, *self.notes])
        lines = [f"Rules: {self._counts}"]
        lines += [f"+ {shown(sentence.text)}" for sentence in self.gained]
        lines += [f"− {shown(sentence.text)}" for sentence in self.lost]
        lines += [f"~ {shown(old.text)}\n  now: {shown(new.text)}" for old, new in self.changed]
        lines += self._unshown_lines
        return "\n".join([*lines, *self._other_lines])

    __str__ = summary

    def __repr__(self) -> str:
        if self.same:
            return "Difference(the two models say the same)"
        columns = "; columns changed" if not self.columns.same else ""
        return f"Difference(rules: {self._counts}{columns}{'; another matroid' if self.structure else ''})"

    def _repr_html_(self) -> str:
        if self.same:
            return html_lines(self.summary())
        rows = [["gained", "", shown(sentence.text)] for sentence in self.gained]
        rows += [["lost", shown(sentence.text), ""] for sentence in self.lost]
        rows += [["changed", shown(old.text), shown(new.text)] for old, new in self.changed]
        rows += [["not shown again", shown(sentence.text), ""] for sentence in self.unshown]
        rows += [["not tested", shown(sentence.text), ""] for sentence in self.untested]
        table = html_table(["", "old model", "new model"], rows, f"Rules: {self._counts}")
        return table + (html_lines("\n".join(self._other_lines)) if self._other_lines else "")

    @property
    def _counts(self) -> str:
        return f"{len(self.gained)} gained, {len(self.lost)} lost, {len(self.changed)} changed"

    @property
    def _unshown_lines(self) -> list[str]:
        """Sentences of the old model alone that are not lost, for a terminal."""
        lines = [UNSHOWN, *(f"? {shown(sentence.text)}" for sentence in self.unshown)] if self.unshown else []
        return lines + (
            [UNTESTED, *(f"? {shown(sentence.text)}" for sentence in self.untested)] if self.untested else []
        )

    @property
    def _other_lines(self) -> list[str]:
        """What differs besides the sentences, and the notes."""
        return [
            *map(shown, self.columns.texts),
            *(["the two models have different matroids"] if self.structure else []),
            *self.notes,
        ]

    def state(self) -> dict[str, Any]:
        """Return the difference as plain JSON."""
        return {
            "same": self.same,
            "gained": [_sentence_state(sentence) for sentence in self.gained],
            "lost": [_sentence_state(sentence) for sentence in self.lost],
            "changed": [{"old": _sentence_state(old), "new": _sentence_state(new)} for old, new in self.changed],
            "unshown": [_sentence_state(sentence) for sentence in self.unshown],
            "untested": [_sentence_state(sentence) for sentence in self.untested],
            "columns": self.columns.state(),
            "structure": self.structure,
            "notes": list(self.notes),
        }


def diff(old: Model, new: Model, rows: object = None) -> Difference:
    """Compare two models of the same kind of table, or of the same variables.

    A sentence is not a difference if the other model says it too, or if the other model's rules are found to imply it.
    A value that one model has never seen counts as absent there. `rows` is the table that the new model was mined from:
    rules about whole columns are tested on it.

    Examples
    --------
    >>> import unwritten
    >>> one = unwritten.mine([[1, 0], [0, 1]] * 100, names=["red", "green"])
    >>> two = unwritten.mine([[1, 0], [0, 1], [1, 1]] * 100, names=["red", "green"])
    >>> print(diff(one, two))
    Rules: 0 gained, 0 lost, 1 changed
    ~ exactly one of red, green
      now: at least one of red, green
    """
    shared = SharedVariables.of(old, new)
    only_old, only_new = _unmatched(old, new, shared), _unmatched(new, old, shared)
    changed = changed_pairs(only_old, only_new, shared)
    in_a_pair = {id(sentence) for pair in changed for sentence in pair}
    only_old, only_new = ([x for x in side if id(x.sentence) not in in_a_pair] for side in (only_old, only_new))
    old_only = judged_by_rows(old, new, [x for x in only_old if not x.implied], shared, rows)
    return Difference(
        tuple(x.sentence for x in only_new if not x.implied),
        old_only.broken,
        changed,
        column_changes(old, new),
        old.matroid != new.matroid,
        (
            *_left_out("old", only_old, shared.absent_in(new)),
            *_left_out("new", only_new, shared.absent_in(old)),
        ),
        old_only.unshown,
        old_only.untested,
    )


def _unmatched(model: Model, other: Model, shared: SharedVariables) -> list[UnmatchedSentence]:
    """Return the sentences of a model that the other model does not say, though it may imply them."""
    said_by_other = {_words(sentence) for sentence in other.rule_sentences}
    sentences = [sentence for sentence in model.rule_sentences if _words(sentence) not in said_by_other]
    if not sentences:
        return []
    blocks = shared.schema.blocks if shared.schema is not None else ()
    implied = ImpliedRows(shared.rules_of(other), blocks)
    unmatched = []
    for sentence in sentences:
        if sentence.gaps:
            implied_gap = all(other.gaps.imply(model.gaps[k]) for k in sentence.gaps)
            unmatched.append(UnmatchedSentence(sentence, None, implied_gap))
            continue
        if sentence.facts and not sentence.rules:
            implied_fact = all(facts_imply(other.facts, model.facts[k]) for k in sentence.facts)
            unmatched.append(UnmatchedSentence(sentence, None, implied_fact))
            continue
        rows = shared.rows_of(model, sentence)
        unmatched.append(UnmatchedSentence(sentence, rows, rows is not None and implied.follow(rows)))
    return unmatched


def _left_out(side: str, unmatched: list[UnmatchedSentence], absent: set[str]) -> list[str]:
    """Return a note on the sentences that the other model implies only because it has never seen their values."""
    count = sum(x.implied and any(not absent.isdisjoint(row[0]) for row in x.rows or ()) for x in unmatched)
    note = f"{counted(count, 'rule')} of the {side} model left out: about values that the other model has never seen"
    return [note] if count else []


def _words(sentence: Sentence) -> str:
    """Return the text without the share of noise.

    Sentences are compared by their words: over other values of a column, the same rows can say something else.
    """
    return sentence.text.partition(" (noisy: ")[0]


def _sentence_state(sentence: Sentence) -> dict[str, Any]:
    return {"id": sentence.id, "text": sentence.text, "kind": sentence.kind, "columns": list(sentence.columns)}
