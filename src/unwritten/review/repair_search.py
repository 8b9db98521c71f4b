"""Repair search: change cells until a row of a table obeys everything, whatever kind of rule it breaks.

Each broken rule suggests changes of one cell. Rows with the fewest problems are changed further, one cell at a time,
and every row is judged as `check` would judge it. A row that obeys everything is a repair.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.conditions import OneOf
from unwritten.data import IntArray
from unwritten.facts import said_conditions
from unwritten.review.row_checker import RowChecker, Verdict
from unwritten.tables import Schema
from unwritten.tables.column import Level
from unwritten.tables.typed_rows import TypedRows

if TYPE_CHECKING:
    from unwritten.model import Model

TextRow = dict[str, Level]


class RepairSearch:
    """Judges one row of a table, and looks for the fewest of its cells that must change.

    `texts` are its cells by column, and `verdict` is what is wrong with it.
    """

    def __init__(self, model: Model, schema: Schema, texts: TextRow, *, strict: bool) -> None:
        self._model, self._schema, self._strict, self.texts = model, schema, strict, texts
        said = said_conditions(model.sentences, model.rules, model.gaps, model.facts, schema)
        self._conditions = {sentence.id: condition for sentence, condition in said}
        self._checker = RowChecker(model, schema, model.sentences, single_rows=True)
        self.verdict = self._verdict([texts])

    def is_right(self, rows: list[TextRow]) -> list[bool]:
        """Which of the rows obey everything, each by itself."""
        return [not problems for problems in self._problems(self._verdict(rows))] if rows else []

    def repairs(self) -> list[TextRow]:
        """Return repaired rows with as few changed cells as were found; none if none was found within the budget."""
        beam, tried, repaired = [self.texts], {_key(self.texts)}, list[TextRow]()
        fewest = budgets.REPAIR_CELLS + 1
        for steps in range(2 * budgets.REPAIR_CELLS):
            if not beam or steps > fewest:  # a cell may be changed more than once, so fewer cells may need a step more
                break
            changed = self._changed(beam, tried, fewest)
            problems = self._problems(self._verdict(changed)) if changed else []
            repaired += [row for row, wrong in zip(changed, problems, strict=True) if not wrong]
            fewest = min([fewest, *(self._cells(row) for row in repaired)])
            order = sorted(range(len(changed)), key=lambda k: (problems[k], self._cells(changed[k]), k))
            beam = [changed[k] for k in order[: budgets.REPAIR_BEAM] if problems[k]]
        return [row for row in repaired if self._cells(row) == fewest]

    def _changed(self, beam: list[TextRow], tried: set[tuple[Level, ...]], fewest: int) -> list[TextRow]:
        """Return new rows with one more change, of at most as many cells as the best repair has."""
        verdict, changed = self._verdict(beam), list[TextRow]()
        for i, row in enumerate(beam):
            for name, text in self._suggestions(row, verdict, i):
                if name in row and len(changed) < budgets.REPAIR_CANDIDATES:
                    candidate = row | {name: text}
                    if _key(candidate) not in tried and self._cells(candidate) <= min(fewest, budgets.REPAIR_CELLS):
                        tried.add(_key(candidate))
                        changed.append(candidate)
        return changed

    def _cells(self, row: TextRow) -> int:
        """The number of changed cells."""
        return sum(text != self.texts[name] for name, text in row.items())

    def _verdict(self, rows: list[TextRow]) -> Verdict:
        """Judge rows as if each were the only row of its table, except that keys are not compared."""
        index = np.arange(len(rows))
        cells = {name: ([row[name] for row in rows], index) for name in rows[0]}
        return self._checker.check(self._schema.encode_rows(rows), TypedRows.of_cells(self._schema, len(rows), cells))

    def _problems(self, verdict: Verdict) -> list[int]:
        cells = verdict.unknown.sum(axis=1) + verdict.misfit
        if self._strict:
            cells = cells + verdict.outside.sum(axis=1)
        counts: IntArray = verdict.broken.sum(axis=1) + cells
        return [int(count) for count in counts]

    def _suggestions(self, row: TextRow, verdict: Verdict, i: int) -> Iterator[tuple[str, Level]]:
        single = TypedRows.of_texts(self._schema, row)
        for k in np.flatnonzero(verdict.unknown[i]).tolist():
            yield from OneOf(self._schema.used[k].name, ()).suggestions(single)
        for k in np.flatnonzero(verdict.outside[i] & self._strict).tolist():
            column = self._schema.used[k]
            yield from ((column.name, str(bound)) for bound in (column.lower, column.upper))
        for k in np.flatnonzero(verdict.broken[i]).tolist():
            condition = self._conditions.get(self._model.sentences[k].id)
            if condition is not None:
                yield from condition.suggestions(single)


def _key(row: TextRow) -> tuple[Level, ...]:
    return tuple(row.values())
