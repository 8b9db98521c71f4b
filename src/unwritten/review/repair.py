"""Repairs: the fewest cells to change so that a row obeys every rule, the best repair first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.counted import counted
from unwritten.data import IntArray
from unwritten.review.examined_row import ExaminedRow
from unwritten.review.fewest_changes import fewest_changes
from unwritten.review.neighbours import distances_to_seen, nearest_places
from unwritten.review.repair_search import RepairSearch, TextRow
from unwritten.review.single_changes import single_changes
from unwritten.review.wording import cell_text
from unwritten.shown import shown
from unwritten.solving import Status
from unwritten.tables.cell_texts import value_text
from unwritten.tables.quoting import quoted


@dataclass(frozen=True)
class Change:
    """One cell: the value it holds and the value it should hold."""

    column: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return shown(f"{quoted(self.column)}: {cell_text(self.old)} → {cell_text(self.new)}")

    def state(self) -> dict[str, Any]:
        """Return the change as plain JSON."""
        return {"column": self.column, "old": self.old, "new": self.new}


@dataclass(frozen=True)
class Repair:
    """Changes that make a row obey every rule.

    `exact` says that fewer changes are proven not to be enough. The repaired row is `distance` cells away from the
    nearest examples, and `like` examples are that near.
    """

    changes: tuple[Change, ...]
    exact: bool
    like: int
    distance: int

    @property
    def likeness(self) -> str:
        """How near the repaired row is to the examples, in words: "as 11 examples", "2 cells from 1 example"."""
        near = f"{counted(self.distance, 'cell')} from" if self.distance else "as"
        return f"{near} {counted(self.like, 'example')}"

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.changes))} ({self.likeness})"

    def __repr__(self) -> str:
        return f"Repair({self})"

    def state(self) -> dict[str, Any]:
        """Return the repair as plain JSON."""
        changes = [change.state() for change in self.changes]
        return {"changes": changes, "exact": self.exact, "like": self.like, "distance": self.distance}


def repairs(row: ExaminedRow, search: RepairSearch | None, time_limit: float | None) -> tuple[tuple[Repair, ...], str]:
    """Return repairs of a row that is not right, and a note.

    The note says why there is no repair, or that fewer changes might do; it is empty otherwise. In a table, repairs of
    what linear rules say are offered if nothing else is wrong then; else the search finds others.
    """
    offered, note = _linear_repairs(row, time_limit)
    if search is None:
        return offered, note
    texts = [_with_changes(search.texts, repair) for repair in offered]
    right = search.is_right(texts)
    if any(right):
        return tuple(repair for repair, fits in zip(offered, right, strict=True) if fits), note
    repairs_found = _of_texts(row, search, search.repairs())
    if repairs_found:
        return repairs_found, ""
    return repairs_found, note or "no repair of a few cells was found: compare the cells that the rules name"


def _linear_repairs(row: ExaminedRow, time_limit: float | None) -> tuple[tuple[Repair, ...], str]:
    """Return repairs that make the row obey bounds, linear rules and gaps."""
    if row.model.check_labels(row.label[None], strict=True).feasible[0] and not len(row.must_change):
        return (), ""
    labels = single_changes(row, row.label, row.must_change)
    if labels:
        return _ranked(row, labels, exact=True), ""
    decision, clash = fewest_changes(row, time_limit)
    best = decision.label[: len(row.label)]
    match decision.status:
        case Status.OPTIMAL | Status.FEASIBLE if row.model.check_labels(best[None], strict=True).feasible[0]:
            exact = decision.status is Status.OPTIMAL
            note = "" if exact else "the search for fewer changes ran out of time: raise time_limit"
            return _ranked(row, [best, *_variants(row, best)], exact), note
        case Status.INFEASIBLE:
            rules = f", one of those that clash: {'; '.join(clash)}" if clash else ""
            return (), f"no row at all obeys every rule: drop a rule{rules}"
    return (), f"no repair was found: {decision.status.remedy}"


def _with_changes(texts: TextRow, repair: Repair) -> TextRow:
    return texts | {change.column: value_text(change.new, change.column) for change in repair.changes}


def _of_texts(row: ExaminedRow, search: RepairSearch, repaired: list[TextRow]) -> tuple[Repair, ...]:
    """Return repaired rows as changes, those most like the examples first."""
    repairs = []
    labels = list(row.schema.encode_rows(repaired).labels) if repaired else []
    near = distances_to_seen(row, labels) if row.columns else [(0, 0)] * len(repaired)
    for texts, (distance, like) in zip(repaired, near, strict=True):
        changes = tuple(
            Change(name, search.texts[name], row.schema[name].value(text))
            for name, text in texts.items()
            if text != search.texts[name]
        )
        repairs.append(Repair(changes, len(changes) == 1, like, distance))
    return tuple(sorted(repairs, key=lambda repair: (repair.distance, -repair.like))[: budgets.REPAIRS_SHOWN])


def _variants(row: ExaminedRow, label: IntArray) -> list[IntArray]:
    """Return other labels that change the same cells as `label`.

    All but one of the changed cells are as in `label`, or as in the nearest examples if a changed cell is an integer:
    a solver returns any integer that obeys the rules, and the examples show usual ones.
    """
    differs = row.differs(label[None])[0]
    changed = np.flatnonzero(differs).tolist()
    sources = [label]
    if any(row.columns[cell].kind == "integer" for cell in changed):
        unchanged_differs = row.differs(row.model.seen)[:, ~differs].sum(axis=1)
        places = nearest_places(unchanged_differs, row.model.counts, budgets.REPAIR_NEIGHBOURS)
        sources += list(row.model.seen[places])
    variants: list[IntArray] = []
    for source in sources:
        for cell in changed:
            start = row.label.copy()
            for other in changed:
                if other != cell:
                    start[row.places[other]] = source[row.places[other]]
            variants += single_changes(row, start, np.intersect1d(row.must_change, [cell]))
    return variants


def _ranked(row: ExaminedRow, labels: Sequence[IntArray], exact: bool) -> tuple[Repair, ...]:
    """Return the repairs with the fewest changes, at most `budgets.REPAIRS_SHOWN`.

    They are ordered by the distance to seen rows, the number of examples at that distance, how often the new values
    were seen, and how far the numbers move.
    """
    unique = np.unique(np.array(labels), axis=0)
    differs = row.differs(unique)
    sizes = differs.sum(axis=1)
    fewest = np.flatnonzero(sizes == sizes.min())
    chosen = list(unique[fewest])
    cells = [np.flatnonzero(line) for line in differs[fewest]]
    distances, likes = zip(*distances_to_seen(row, chosen), strict=True)
    times_seen = [_times_seen(row, label, changed) for label, changed in zip(chosen, cells, strict=True)]
    order = sorted(
        range(len(chosen)), key=lambda k: (distances[k], -likes[k], -times_seen[k], _movement(row, chosen[k]), k)
    )
    return tuple(
        Repair(_changes(row, chosen[k], cells[k]), exact, like=likes[k], distance=distances[k])
        for k in order[: budgets.REPAIRS_SHOWN]
    )


def _times_seen(row: ExaminedRow, label: IntArray, cells: IntArray) -> int:
    """Return how many examples have each new value, summed over the changed cells."""
    variables, values = row.deciding_variables(label)
    same = row.model.seen[:, variables[cells]] == values[cells]
    return int((same.sum(axis=1) * row.model.counts).sum())


def _movement(row: ExaminedRow, label: IntArray) -> int:
    """Return how far the numbers move: a small correction goes before a large one."""
    return sum(abs(int(a) - int(b)) for a, b in zip(label, row.label, strict=True))


def _changes(row: ExaminedRow, label: IntArray, cells: IntArray) -> tuple[Change, ...]:
    old = row.values
    return tuple(Change(row.columns[c].name, old[c], row.value_of(label, c)) for c in cells.tolist())
