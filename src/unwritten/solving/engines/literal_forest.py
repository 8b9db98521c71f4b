"""LiteralForest: rows of literals whose graph has no cycle, in the order in which a label is built.

The graph has a node for each variable and each row, and an edge where a row has a literal of a variable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.native import kernels
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, LiteralRow
from unwritten.solving.engines.packed_literals import PackedLiterals

UNDECIDED = -1


@dataclass(frozen=True, eq=False)
class LiteralForest:
    """Rows from leaves to roots, each with the literal that is nearest to the root first; and variables with one value.

    `fixed` holds that value, or UNDECIDED.
    """

    starts: NDArray[np.int32]
    literals: NDArray[np.int32]
    kinds: NDArray[np.int32]
    fixed: IntArray

    @classmethod
    def of(cls, packed: PackedLiterals) -> LiteralForest | None:
        """Order the rows; None if they form a cycle or contradict each other."""
        rows = [(packed.row(i).tolist(), int(packed.kinds[i])) for i in range(len(packed))]
        fixed = np.full(packed.variables, UNDECIDED)
        left = simplified(rows, fixed)
        ordered = None if left is None else _from_leaves(left, packed.variables)
        if ordered is None:
            return None
        starts = np.cumsum([0, *(len(literals) for literals, _ in ordered)])
        return cls(
            starts.astype(np.int32),
            np.array([literal for literals, _ in ordered for literal in literals], np.int32),
            np.array([kind for _, kind in ordered], np.int32),
            fixed,
        )

    def best(self, weights: FloatArray) -> IntArray:
        """The label with the largest w·y for each row of weights."""
        labels = kernels.forest_labels(np.ascontiguousarray(weights), self.starts, self.literals, self.kinds)
        decided = np.flatnonzero(self.fixed != UNDECIDED)
        labels[:, decided] = self.fixed[decided]
        return labels


def simplified(rows: list[LiteralRow], fixed: IntArray) -> list[LiteralRow] | None:
    """Fix what single rows decide, in `fixed`, and drop it from the others; None if they contradict each other."""
    waiting, changed = rows, True
    while changed:
        changed, after = False, []
        for literals, kind in waiting:
            free = [literal for literal in literals if fixed[literal >> 1] == UNDECIDED]
            true = sum(fixed[literal >> 1] != UNDECIDED for literal in literals) - sum(
                fixed[literal >> 1] == (literal & 1) for literal in literals
            )
            if true > 1 and kind != AT_LEAST:
                return None
            if true and kind == AT_LEAST:
                continue
            value: bool | None = None  # what every free literal must be
            if true:
                value = False
            elif kind != AT_MOST and len(free) <= 1:
                if not free:
                    return None
                value = True
            elif len(free) <= 1:
                continue  # at most one of one
            if value is None:
                after.append((free, kind))
                continue
            for literal in free:
                fixed[literal >> 1] = int(value) ^ (literal & 1)
            changed = changed or bool(free)
        waiting = after
    return waiting


def _from_leaves(rows: list[LiteralRow], width: int) -> list[LiteralRow] | None:
    """Walk from one root variable per tree; None if a variable is reached twice."""
    places: list[list[int]] = [[] for _ in range(width)]
    for r, (literals, _) in enumerate(rows):
        for literal in literals:
            places[literal >> 1].append(r)
    reached, done = [False] * width, [False] * len(rows)
    ordered: list[LiteralRow] = []
    for root in range(width):
        if reached[root]:
            continue
        reached[root] = True
        waiting = [root]
        while waiting:
            variable = waiting.pop()
            for r in places[variable]:
                if done[r]:
                    continue
                done[r] = True
                literals, kind = rows[r]
                first = [literal for literal in literals if literal >> 1 == variable]
                others = [literal for literal in literals if literal >> 1 != variable]
                if len(first) > 1 or any(reached[literal >> 1] for literal in others):
                    return None
                for literal in others:
                    reached[literal >> 1] = True
                    waiting.append(literal >> 1)
                ordered.append((first + others, kind))
    return ordered[::-1]
