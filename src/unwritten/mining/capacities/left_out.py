"""Rows learned again without some of the labels: how many left-out labels lie at their edge, and how many beyond.

Every learned row has labels at its edge, because it was fitted to them. Labels that were left out are a fair sample: at
a true limit they pile up as densely as farther inside, and hardly any is beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.capacities.likely_rows import LikelyRows
from unwritten.mining.capacities.row_walk import walk
from unwritten.mining.capacities.whole_numbers import Rounded, WholeRow, broken, excess

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


@dataclass(frozen=True, eq=False)
class WholeRows:
    """Rows of whole numbers that are expected to cut off a share `cut` of the allowed labels each.

    `places` says which of the likely rows they stand for: a likely row that forbids nothing has none.
    """

    cut: float
    places: list[int]
    rows: list[WholeRow]

    def again(self, rounded: list[Rounded]) -> Iterator[WholeRow | None]:
        """The same for rows that were learned without some labels."""
        for k in self.places:
            yield rounded[k].row(self.cut / len(self.places))


def whole_rows(likely: LikelyRows) -> list[WholeRows]:
    """Rows for each of the shares that they may be expected to cut off."""
    rounded = [Rounded.of(row.columns, row.visited, row.pseudo, likely.labels) for row in likely.rows]
    places, every = list(range(len(rounded))), []
    for cut in CUTS:
        rows = [(k, rounded[k].row(cut / len(places))) for k in places]
        places = [k for k, row in rows if row is not None]
        every.append(WholeRows(cut, places, [row for _, row in rows if row is not None]))
    return every


def learned_again(likely: LikelyRows) -> Iterator[list[Rounded]]:
    """The likely rows as they are learned without each fold of the labels in turn."""
    fold_of = folds(len(likely.labels))
    for fold in range(budgets.CAPACITY_FOLDS):
        rest = likely.labels[fold_of != fold]
        trials = len(rest) / len(likely.labels) * likely.trials
        yield [
            Rounded.of(
                row.columns,
                walk(
                    row.last[:-1], row.columns, rest, row.pseudo, trials, budgets.CAPACITY_FOLD_STEPS,
                    budgets.CAPACITY_ROWS_KEPT, fold,
                ).second_half,
                row.pseudo,
                rest,
            )
            for row in likely.rows
        ]  # fmt: skip


def broken_by(whole: WholeRows, rounded: list[Rounded], left_out: IntArray) -> int:
    """How many left-out labels break any of the rows that were learned without them."""
    rows = [row for row in whole.again(rounded) if row is not None]
    return int(np.count_nonzero(np.any([broken(row, left_out) for row in rows], axis=0))) if rows else 0


def left_out_labels(likely: LikelyRows, whole: WholeRows, folds_learned: list[list[Rounded]]) -> LeftOutLabels:
    """Weigh rows by the labels of each fold, or of the first folds; rows were learned again without these."""
    labels, fold_of = likely.labels, folds(len(likely.labels))
    layers, changed = np.zeros((len(whole.rows), 3)), np.zeros(len(whole.rows), bool)
    beyond = np.full((len(labels), len(whole.rows)), -1.0)
    for fold, rounded in enumerate(folds_learned):
        held = fold_of == fold
        for k, again in enumerate(whole.again(rounded)):
            if again is None:
                changed[k] = True
                continue
            pseudo = likely.rows[whole.places[k]].pseudo
            changed[k] |= not np.array_equal(again.row[:-1], whole.rows[k].row[:-1])
            over = excess(again, labels[held])
            beyond[held, k] = over / max(1, int(np.abs(again.row[:-1]).sum()))
            ends = _layers(excess(again, pseudo), again.middle - int(again.row[-1]))
            layers[k] += np.diff([np.count_nonzero((over <= 0) & (over > end)) for end in (0, *ends)])
    return LeftOutLabels(layers, beyond, changed)


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
