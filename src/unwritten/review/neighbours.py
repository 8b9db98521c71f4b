"""Neighbours: the seen rows that differ from a row in the fewest cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import IntArray
from unwritten.review.row import Row


@dataclass(frozen=True)
class Nearest:
    """A seen row, the columns in which it differs, and how many examples were like it."""

    row: dict[str, Any]
    differs: tuple[str, ...]
    count: int

    def state(self) -> dict[str, Any]:
        """The neighbour as plain JSON."""
        return {"row": self.row, "differs": list(self.differs), "count": self.count}


def nearest_rows(row: Row, most: int) -> tuple[Nearest, ...]:
    """The seen rows with the fewest differing cells; of equally near ones those of most examples."""
    seen, counts = row.model.seen, row.model.counts
    differs = row.differs(seen)
    order = nearest_places(differs.sum(axis=1), counts, most)
    rows = row.schema.decode(seen[order])
    return tuple(
        Nearest(found, tuple(row.columns[int(c)].name for c in np.flatnonzero(differs[i])), int(counts[i]))
        for found, i in zip(rows, order.tolist(), strict=True)
    )


def nearest_places(distance: IntArray, counts: IntArray, most: int) -> IntArray:
    """The places of the nearest rows, in a fixed order."""
    order: IntArray = np.lexsort((np.arange(len(distance)), -counts, distance))[:most]
    return order


def likeness(row: Row, labels: Sequence[IntArray]) -> list[tuple[int, int]]:
    """For each label the cells between it and the nearest seen rows, and the number of examples at that distance."""
    seen, counts = row.model.seen, row.model.counts
    if not len(seen):
        return [(len(row.columns), 0)] * len(labels)
    agrees = ~row.differs(seen)
    total = agrees.sum(axis=1)
    here, value, known = row.entries(row.label, row.unknown)
    found = []
    for label in labels:
        at, new, _ = row.entries(label)
        changed = np.flatnonzero((at != here) | (new != value) | ~known)
        same = total - agrees[:, changed].sum(axis=1) + (seen[:, at[changed]] == new[changed]).sum(axis=1)
        most = int(same.max())
        found.append((len(row.columns) - most, int(counts[same == most].sum())))
    return found
