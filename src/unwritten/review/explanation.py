"""Explanation: why a row is not right, which cells to change, and which examples are most like it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unwritten.counted import counted
from unwritten.data.frames import row_mapping
from unwritten.data.html import html_table
from unwritten.errors import DataError
from unwritten.mining import lifted_labels
from unwritten.review.examined_row import ExaminedRow
from unwritten.review.neighbours import Nearest, nearest_rows
from unwritten.review.repair import Repair, repairs
from unwritten.review.repair_search import RepairSearch
from unwritten.review.wording import NOT_A_BASIS, cell_text, html_lines, outside_text, unknown_text
from unwritten.rules import Sentence
from unwritten.solving import DecideSettings
from unwritten.tables import Schema
from unwritten.tables.cell_texts import value_text
from unwritten.tables.column import Level, is_integer
from unwritten.tables.quoting import quoted, shown

if TYPE_CHECKING:
    from unwritten.model import Model

HABITS_NAMED = 3  # habits that the notes name


@dataclass(frozen=True, repr=False)
class Explanation:
    """What is wrong with a row and how to correct it.

    `broken` are the sentences that the row breaks. `unknown` are (column, value) pairs that the model has never seen,
    `outside` are integers outside the range seen. Sentences about a column with an unknown value are not listed as
    broken: they say nothing about that value. All `repairs` change the same number of cells. `nearest` are the examples
    most like the row. `notes` say why there is no repair, or what else is wrong.
    """

    feasible: bool
    broken: tuple[Sentence, ...]
    unknown: tuple[tuple[str, Level], ...]
    outside: tuple[tuple[str, int], ...]
    repairs: tuple[Repair, ...]
    nearest: tuple[Nearest, ...]
    notes: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence for each broken rule, unknown value and integer outside the range seen."""
        return (
            *(f"it breaks {sentence.id}: {shown(sentence.text)}" for sentence in self.broken),
            *(unknown_text(column, value) for column, value in self.unknown),
            *(outside_text(column, value) for column, value in self.outside),
        )

    def summary(self) -> str:
        """Return the explanation in plain words, for a terminal."""
        lines = [self._verdict]
        if self.repairs:
            lines += [self._repair_heading, *(f"  {repair}" for repair in self.repairs)]
        if self.nearest:
            lines += ["The examples most like it:", *(f"  {_nearest_text(neighbour)}" for neighbour in self.nearest)]
        return "\n".join(lines)

    __str__ = summary

    def __repr__(self) -> str:
        if self.feasible:
            return "Explanation(the row obeys every rule)"
        counts: dict[str, tuple[object, ...]] = {
            "broken rule": self.broken, "unknown value": self.unknown, "out-of-range integer": self.outside,
        }  # fmt: skip
        parts = [counted(len(problems), noun) for noun, problems in counts.items() if problems]
        parts.append(f"repair: {self.repairs[0]}" if self.repairs else "no repair")
        return f"Explanation({'; '.join(parts)})"

    def _repr_html_(self) -> str:
        parts = [html_lines(self._verdict)]
        if self.repairs:
            rows = [[", ".join(map(str, repair.changes)), repair.likeness] for repair in self.repairs]
            parts.append(html_table(["change", "the row is then"], rows, self._repair_heading))
        if self.nearest:
            columns = list(self.nearest[0].row)
            seen = [[*(cell_text(near.row[name]) for name in columns), f"{near.count:,}"] for near in self.nearest]
            parts.append(html_table([*columns, "times seen"], seen, "The examples most like it"))
        return "".join(parts)

    @property
    def _verdict(self) -> str:
        """What is wrong, with the notes, a line each."""
        first = "The row obeys every rule." if self.feasible else "The row is not right:"
        return "\n".join([first, *(f"  {line}" for line in (*self.problems, *map(shown, self.notes)))])

    @property
    def _repair_heading(self) -> str:
        first = self.repairs[0]
        if len(first.changes) == 1:
            return "Change one cell:"
        return f"Change {len(first.changes)} cells (fewer {'are not' if first.exact else 'may be'} enough):"

    def state(self) -> dict[str, Any]:
        """Return the explanation as plain JSON."""
        return {
            "feasible": self.feasible,
            "broken": [
                {"id": sentence.id, "text": sentence.text, "kind": sentence.kind, "columns": list(sentence.columns)}
                for sentence in self.broken
            ],
            "unknown": [{"column": column, "value": value} for column, value in self.unknown],
            "outside": [{"column": column, "value": value} for column, value in self.outside],
            "repairs": [repair.state() for repair in self.repairs],
            "nearest": [neighbour.state() for neighbour in self.nearest],
            "notes": list(self.notes),
        }


def explain(
    model: Model, row: object, *, nearest: int = 3, time_limit: float | None = 10.0, strict: bool = False
) -> Explanation:
    """Explain why a row breaks the rules of a model, and find the fewest cells to change.

    Parameters
    ----------
    row
        Values by column: a mapping, a Series indexed by column, or a frame with one row. For a model without a table, a
        label: a list, array or Series of numbers in the order of the variables, or values by variable.
    nearest
        How many of the examples most like the row to show.
    time_limit
        Seconds for the search if more than one cell must change; None for no limit.
    strict
        True if an integer outside the range that the model has seen must change. Bounds that a person declared always
        hold.

    Examples
    --------
    >>> import unwritten
    >>> model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
    >>> explain(model, [1, 1, 0], nearest=1)
    Explanation(1 broken rule; repair: red: 1 → 0 (as 40 examples))
    """
    if isinstance(nearest, bool) or not isinstance(nearest, int) or nearest < 0:
        raise DataError(f"nearest is {nearest!r}, which is not a number of examples: use 0, 1, 2 …")
    DecideSettings(time_limit=time_limit)  # refuses a wrong time limit
    examined = ExaminedRow.of(model, row, strict)
    problems = _of_label(examined) if model.schema is None else _of_row(examined, model.schema, row, strict)
    row_repairs, note = ((), "") if problems.feasible else repairs(examined, problems.search, time_limit)
    notes = (NOT_A_BASIS if problems.misfit else "", note, *_broken_habits(examined))
    outside = examined.outside
    if model.schema is None:  # the values of a variable are numbers: an unknown one is a number out of range
        outside = outside | (examined.unknown & np.array([is_integer(text) for text in examined.texts]))
    names = [column.name for column in examined.columns]
    return Explanation(
        problems.feasible,
        problems.broken,
        tuple((names[c], examined.texts[c]) for c in np.flatnonzero(examined.unknown & ~outside).tolist()),
        tuple((names[c], int(examined.texts[c] or 0)) for c in np.flatnonzero(outside).tolist()),
        row_repairs,
        nearest_rows(examined, nearest),
        tuple(note for note in notes if note),
    )


class _Problems(NamedTuple):
    """What is wrong with a row; `search` looks for repairs in a table."""

    feasible: bool
    broken: tuple[Sentence, ...]
    misfit: bool
    search: RepairSearch | None = None


def _of_label(row: ExaminedRow) -> _Problems:
    model = row.model
    checked = model.check_labels(row.label[None], strict=True)
    rules = set(np.flatnonzero(checked.violations[0]).tolist())
    gaps = set(np.flatnonzero(checked.gap_violations[0]).tolist())
    unknown = {row.columns[c].name for c in np.flatnonzero(row.unknown).tolist()}
    broken = tuple(
        s
        for s in model.rule_sentences
        if not (rules.isdisjoint(s.rules) and gaps.isdisjoint(s.gaps)) and unknown.isdisjoint(s.columns)
    )
    feasible = bool(checked.feasible[0]) and not len(row.must_change)
    return _Problems(feasible, broken, not checked.structured[0])


def _of_row(row: ExaminedRow, schema: Schema, given: object, strict: bool) -> _Problems:
    """Judge a row of a table as `check` does; rules about columns that it does not name are not tested."""
    known = {column.name for column in schema.columns}
    texts = {name: value_text(value, name) for name, value in (row_mapping(given) or {}).items() if name in known}
    search = RepairSearch(row.model, schema, texts, strict=strict)
    broken = tuple(s for s, wrong in zip(row.model.sentences, search.verdict.broken[0], strict=True) if wrong)
    feasible = not search.verdict.bad(strict=strict)[0] and not len(row.must_change)
    return _Problems(feasible, broken, bool(search.verdict.misfit[0]), search)


def _broken_habits(row: ExaminedRow) -> list[str]:
    """One note for each of the first habits that the row does not follow."""
    model = row.model
    broken = set(np.flatnonzero(model.habits.broken(lifted_labels(model.lifts, row.label[None]))[0]).tolist())
    habits = (s.text for s in model.habit_sentences if not broken.isdisjoint(s.rules)) if broken else ()
    return [f"it is against a habit, which need not be a rule: {shown(text)}" for text in islice(habits, HABITS_NAMED)]


def _nearest_text(neighbour: Nearest) -> str:
    times = "once" if neighbour.count == 1 else f"{neighbour.count:,} times"
    if not neighbour.differs:
        return f"the same row, seen {times}"
    parts = (f"{quoted(column)} = {cell_text(neighbour.row[column])}" for column in neighbour.differs)
    return shown(f"with {', '.join(parts)}, seen {times}")
