"""Repairs: the fewest cells to change so that a row obeys every rule, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.review.fewest import fewest_changes
from unwritten.review.neighbours import likeness, nearest_places
from unwritten.review.row import Row
from unwritten.review.singles import single_changes
from unwritten.solving import Status


@dataclass(frozen=True)
class Change:
    """One cell: what it holds and what it should."""

    column: str
    old: Any
    new: Any

    def state(self) -> dict[str, Any]:
        """The change as plain JSON."""
        return {"column": self.column, "old": self.old, "new": self.new}


@dataclass(frozen=True)
class Repair:
    """Changes that make a row obey every rule.

    `exact` says that no fewer cells would do. The repaired row is `distance` cells away from the nearest examples, and
    `like` of them are that near.
    """

    changes: tuple[Change, ...]
    exact: bool
    like: int
    distance: int

    def state(self) -> dict[str, Any]:
        """The repair as plain JSON."""
        changes = [change.state() for change in self.changes]
        return {"changes": changes, "exact": self.exact, "like": self.like, "distance": self.distance}


def repairs(row: Row, time_limit: float | None) -> tuple[tuple[Repair, ...], str]:
    """Repairs of a row that is not right, and a word on why there are none, or not surely the fewest changes."""
    labels = single_changes(row, row.label, row.must_change)
    if labels:
        return _ranked(row, labels, exact=True), ""
    decision, clash = fewest_changes(row, time_limit)
    best = decision.label[: len(row.label)]
    match decision.status:
        case Status.OPTIMAL | Status.FEASIBLE if row.model.check(best[None]).feasible[0]:
            exact = decision.status is Status.OPTIMAL
            word = "" if exact else "the search for fewer changes ran out of time: raise time_limit"
            return _ranked(row, [best, *_variants(row, best)], exact), word
        case Status.INFEASIBLE:
            rules = "; ".join(clash)
            return (), "no row at all obeys every rule: drop one" + (f" of those that clash: {rules}" if rules else "")
    return (), f"no repair was found: {decision.status.remedy}"


def _variants(row: Row, label: IntArray) -> list[IntArray]:
    """Other labels with as many changes: all but one as in this label or, for numbers, as in the nearest examples."""
    places = list(row.schema.places.values())
    differs = row.differs(label[None])[0]
    changed = np.flatnonzero(differs).tolist()
    sources = [label]
    if any(row.columns[cell].kind == "integer" for cell in changed):  # a solver's number is any that will do
        rest = row.differs(row.model.seen)[:, ~differs].sum(axis=1)
        sources += list(row.model.seen[nearest_places(rest, row.model.counts, budgets.REPAIR_NEIGHBOURS)])
    found: list[IntArray] = []
    for source in sources:
        for cell in changed:
            start = row.label.copy()
            for other in changed:
                if other != cell:
                    start[places[other]] = source[places[other]]
            found += single_changes(row, start, np.intersect1d(row.must_change, [cell]))
    return found


def _ranked(row: Row, labels: Sequence[IntArray], exact: bool) -> tuple[Repair, ...]:
    """Those with the fewest changes: first the nearest to seen rows, then values that are seen often."""
    unique = np.unique(np.array(labels), axis=0)
    differs = row.differs(unique)
    sizes = differs.sum(axis=1)
    fewest = np.flatnonzero(sizes == sizes.min())
    chosen = list(unique[fewest])
    near = likeness(row, chosen)
    often = [_often(row, label, np.flatnonzero(cells)) for label, cells in zip(chosen, differs[fewest], strict=True)]
    order = sorted(range(len(chosen)), key=lambda k: (near[k][0], -near[k][1], -often[k], _move(row, chosen[k]), k))
    return tuple(
        Repair(_changes(row, chosen[k], np.flatnonzero(differs[fewest[k]])), exact, near[k][1], near[k][0])
        for k in order[: budgets.REPAIRS_SHOWN]
    )


def _often(row: Row, label: IntArray, cells: IntArray) -> int:
    """How many examples have the new values, all changes together."""
    at, value, _ = row.entries(label)
    same = row.model.seen[:, at[cells]] == value[cells]
    return int((same.sum(axis=1) * row.model.counts).sum())


def _move(row: Row, label: IntArray) -> int:
    """How far the numbers move: a small correction goes before a large one."""
    return sum(abs(int(a) - int(b)) for a, b in zip(label, row.label, strict=True))


def _changes(row: Row, label: IntArray, cells: IntArray) -> tuple[Change, ...]:
    old = row.values
    return tuple(Change(row.columns[c].name, old[c], row.value_of(label, c)) for c in cells.tolist())
