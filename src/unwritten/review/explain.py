"""Explain: why a row is not right, which cells to change, and which examples it is most like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.review.neighbours import Nearest, nearest_rows
from unwritten.review.repair import Repair, repairs
from unwritten.review.row import Row
from unwritten.rules import Sentence
from unwritten.solving import Settings
from unwritten.tables import MISSING
from unwritten.tables.column import is_integer
from unwritten.tables.quoting import quoted, shown

MATROID = "the row is no basis of the matroid that every example is a basis of"


@dataclass(frozen=True)
class Explanation:
    """What is wrong with a row and how to put it right.

    `unknown` are values that the model has never seen, `outside` numbers beyond what it has seen. Where a value is
    unknown, rules about its column have nothing to say. All `repairs` change the same number of cells; `notes` say why
    there are none, or what else is wrong.
    """

    feasible: bool
    broken: tuple[Sentence, ...]
    unknown: tuple[tuple[str, str | None], ...]
    outside: tuple[tuple[str, int], ...]
    repairs: tuple[Repair, ...]
    nearest: tuple[Nearest, ...]
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """Plain words, for a terminal."""
        lines = ["The row obeys every rule."] if self.feasible else ["The row is not right:"]
        lines += [f"  it breaks {sentence.id}: {shown(sentence.text)}" for sentence in self.broken]
        lines += [f"  {quoted(column)} = {_text(value)} was never seen" for column, value in self.unknown]
        lines += [f"  {quoted(column)} = {value} is outside the range seen" for column, value in self.outside]
        lines += [f"  {shown(note)}" for note in self.notes]
        if self.repairs:
            first = self.repairs[0]
            cells = "one cell" if len(first.changes) == 1 else f"{len(first.changes)} cells"
            lines.append(f"Change {cells}" + (", fewer will not do:" if first.exact else " (fewer may do):"))
            lines += [f"  {_repair(repair)}" for repair in self.repairs]
        if self.nearest:
            lines.append("The examples most like it:")
            lines += [f"  {_nearest(found)}" for found in self.nearest]
        return "\n".join(lines)

    __str__ = summary

    def state(self) -> dict[str, Any]:
        """The explanation as plain JSON."""
        return {
            "feasible": self.feasible,
            "broken": [
                {"id": said.id, "text": said.text, "kind": said.kind, "columns": list(said.columns)}
                for said in self.broken
            ],
            "unknown": [{"column": column, "value": value} for column, value in self.unknown],
            "outside": [{"column": column, "value": value} for column, value in self.outside],
            "repairs": [repair.state() for repair in self.repairs],
            "nearest": [found.state() for found in self.nearest],
            "notes": list(self.notes),
        }


def explain(
    model: Model, row: object, *, nearest: int = 3, time_limit: float | None = 10.0, strict: bool = False
) -> Explanation:
    """Why a row breaks the rules of a model, and the fewest cells to change.

    Parameters
    ----------
    row
        Values by column; for a model without a table, a label: numbers in order, or by variable.
    nearest
        How many of the examples most like the row to show.
    time_limit
        Seconds for the search where more than one cell must change.
    strict
        Whether an integer outside the range that the model has seen must change; bounds that a person declared always
        hold.

    Examples
    --------
    >>> import unwritten
    >>> model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 2, names=["red", "green", "blue"])
    >>> print(explain(model, [1, 1, 0], nearest=1).repairs[0].changes)
    (Change(column='red', old=1, new=0),)
    """
    if isinstance(nearest, bool) or not isinstance(nearest, int) or nearest < 0:
        raise DataError(f"nearest is {nearest!r}: use a number of examples, 0 for none")
    Settings(time_limit=time_limit)
    return _explained(model.sentences, Row.of(model, row, strict), nearest, time_limit)


def _explained(sentences: tuple[Sentence, ...], row: Row, most: int, time_limit: float | None) -> Explanation:
    checked = row.model.check(row.label[None])
    feasible = bool(checked.feasible[0]) and not len(row.must_change)
    strange = {row.columns[c].name for c in np.flatnonzero(row.unknown)}
    wrong = set(np.flatnonzero(checked.violations[0]).tolist())
    broken = (s for s in sentences if not wrong.isdisjoint(s.rules) and strange.isdisjoint(s.columns))
    found, word = ((), "") if feasible else repairs(row, time_limit)
    notes = (MATROID if not checked.structured[0] else "", word)
    numbers = row.outside
    if row.model.schema is None:  # a variable's values are numbers: a strange one is merely out of its range
        numbers = numbers | (row.unknown & np.array([is_integer(text) for text in row.texts]))
    return Explanation(
        feasible,
        tuple(broken),
        tuple((row.columns[c].name, row.texts[c]) for c in np.flatnonzero(row.unknown & ~numbers)),
        tuple((row.columns[c].name, int(row.texts[c] or 0)) for c in np.flatnonzero(numbers)),
        found,
        nearest_rows(row, most),
        tuple(note for note in notes if note),
    )


def _text(value: str | None) -> str:
    return MISSING if value is None else quoted(value)


def _shown(value: Any) -> str:
    return _text(str(value).lower() if isinstance(value, bool) else value if value is None else str(value))


def _repair(repair: Repair) -> str:
    changes = (f"{quoted(c.column)}: {_shown(c.old)} → {_shown(c.new)}" for c in repair.changes)
    many = "example" if repair.like == 1 else "examples"
    far = (
        f"as {repair.like:,} {many}"
        if not repair.distance
        else (f"{repair.distance} {'cell' if repair.distance == 1 else 'cells'} from {repair.like:,} {many}")
    )
    return f"{', '.join(changes)} ({far})"


def _nearest(found: Nearest) -> str:
    times = "once" if found.count == 1 else f"{found.count:,} times"
    if not found.differs:
        return f"the same row, seen {times}"
    parts = (f"{quoted(column)} = {_shown(found.row[column])}" for column in found.differs)
    return f"with {', '.join(parts)}, seen {times}"
