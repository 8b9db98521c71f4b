"""Rows learned again without some of the labels: how left-out labels lie at their edge, and how many are beyond.

Every learned row has labels at its edge, because it was fitted to them. Labels that were left out are a fair sample: at
a true limit they pile up as densely as farther inside, and hardly any is beyond.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.capacities.likely_rows import LikelyRows
from unwritten.mining.capacities.row_walk import walk
from unwritten.mining.capacities.whole_numbers import WholeRow, excess, row_of

CUTS = (0.001, 0.0005, 0.0002)
"""Shares of allowed labels that rows may be expected to cut off: the first that left-out labels confirm is taken."""
EDGE = 0.12  # share of the allowed pseudo-labels in each of three layers at the edge of a row


@dataclass(frozen=True, eq=False)
class LeftOutLabels:
    """What labels say about rows that were learned without them.

    `layers` counts them in three layers from the edge of each row inwards, `beyond` says how far each label is beyond
    each row (0 or less if it obeys it), as a share of the sum of the sizes of the coefficients, and `changed` whether a
    row came back with other coefficients.
    """

    layers: FloatArray
    beyond: FloatArray
    changed: BoolArray

    @property
    def broken(self) -> BoolArray:
        """Which label breaks which row."""
        return np.asarray(self.beyond > 0)

    def slack(self, most: float) -> float:
        """How much wider rows must be, as a share of the sizes of their coefficients, so that few labels break them.

        At most a share `most` of the labels does then.
        """
        worst = np.sort(self.beyond.max(axis=1))[::-1]
        return max(0.0, float(worst[int(most * len(worst))]))


def left_out_labels(found: LikelyRows, whole: list[WholeRow], cut: float, walks: list[list[IntArray]]) -> LeftOutLabels:
    """Weigh rows by the labels of each fold; `walks` are the rows that walks without it visited."""
    labels, fold_of = found.labels, folds(len(found.labels))
    layers, changed = np.zeros((len(whole), 3)), np.zeros(len(whole), bool)
    beyond = np.full((len(labels), len(whole)), -1.0)
    for fold, visited in enumerate(walks):
        held = fold_of == fold
        for k, (row, rows) in enumerate(zip(found.rows, visited, strict=True)):
            again = row_of(row.columns, rows, row.pseudo, labels[~held], cut / len(found.rows))
            if again is None:
                changed[k] = True
                continue
            changed[k] |= not np.array_equal(again.row[:-1], whole[k].row[:-1])
            over = excess(again, labels[held])
            beyond[held, k] = over / max(1, int(np.abs(again.row[:-1]).sum()))
            ends = _layers(excess(again, row.pseudo), again.middle - int(again.row[-1]))
            layers[k] += np.diff([np.count_nonzero((over <= 0) & (over > end)) for end in (0, *ends)])
    return LeftOutLabels(layers, beyond, changed)


def fold_walks(found: LikelyRows) -> list[list[IntArray]]:
    """For each fold and row, likely rows that were found without the labels of the fold."""
    fold_of, walks = folds(len(found.labels)), []
    for fold in range(budgets.CAPACITY_FOLDS):
        rest = found.labels[fold_of != fold]
        share = len(rest) / len(found.labels)
        walks.append(
            [
                walk(row.last[:-1], row.columns, rest, row.pseudo, share * found.trials, budgets.CAPACITY_FOLD_STEPS,
                     budgets.CAPACITY_ROWS_KEPT, fold).second_half
                for row in found.rows
            ]
        )  # fmt: skip
    return walks


def folds(labels: int) -> IntArray:
    """The fold of each label."""
    return np.random.default_rng(0).permutation(labels) % budgets.CAPACITY_FOLDS


def _layers(over: IntArray, middle: int) -> list[int]:
    """Ends of three layers inside a row, each with about the same share of the pseudo-labels.

    They begin at the middle of the likely edges: the row itself is looser, so that it cuts off hardly a label.
    """
    allowed = np.sort(-over[over <= middle])
    if not len(allowed):  # no pseudo-label is that far inside, so layers show nothing
        return [0, 0, 0]
    places = [int(np.ceil(EDGE * k * len(allowed))) for k in (1, 2, 3)]
    return [-int(allowed[min(place, len(allowed) - 1)]) - 1 for place in places]
