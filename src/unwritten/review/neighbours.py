"""Neighbours: the seen rows that differ from a row in the fewest cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import IntArray
from unwritten.review.examined_row import ExaminedRow


@dataclass(frozen=True)
class Nearest:
    """A seen row, the columns in which it differs from the explained row, and how many examples are equal to it."""

    row: dict[str, Any]
    differs: tuple[str, ...]
    count: int

    def state(self) -> dict[str, Any]:
        """Return the neighbour as plain JSON."""
        return {"row": self.row, "differs": list(self.differs), "count": self.count}


def nearest_rows(row: ExaminedRow, most: int) -> tuple[Nearest, ...]:
    """Return at most `most` seen rows with the fewest differing cells; ties go to rows of more examples."""
    seen, counts = row.model.seen, row.model.counts
    differs = row.differs(seen)
    order = nearest_places(differs.sum(axis=1), counts, most)
    return tuple(
        Nearest(values, tuple(row.columns[int(c)].name for c in np.flatnonzero(differs[i])), int(counts[i]))
        for values, i in zip(row.schema.decode(seen[order]), order.tolist(), strict=True)
    )


def nearest_places(distance: IntArray, counts: IntArray, most: int) -> IntArray:
    """Return the places of the nearest rows, ordered by distance, then by count, then by place."""
    order: IntArray = np.lexsort((np.arange(len(distance)), -counts, distance))[:most]
    return order


def distances_to_seen(row: ExaminedRow, labels: Sequence[IntArray]) -> list[tuple[int, int]]:
    """Return for each label its distance in cells to the nearest seen rows, and how many examples are that near."""
    seen, counts = row.model.seen, row.model.counts
    if not len(seen):
        return [(len(row.columns), 0)] * len(labels)
    agrees = ~row.differs(seen)
    agreeing_cells = agrees.sum(axis=1)
    row_variables, row_values = row.deciding_variables(row.label)
    distances = []
    for label in labels:
        variables, values = row.deciding_variables(label)
        changed = np.flatnonzero((variables != row_variables) | (values != row_values) | row.unknown)
        unchanged_equal = agreeing_cells - agrees[:, changed].sum(axis=1)
        equal = unchanged_equal + (seen[:, variables[changed]] == values[changed]).sum(axis=1)
        most_equal = int(equal.max())
        distances.append((len(row.columns) - most_equal, int(counts[equal == most_equal].sum())))
    return distances
