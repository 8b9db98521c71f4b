"""Histograms: how many labels have each value of a row, counted from the largest value down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import FloatArray, IntArray

SCALES_FROM = 24  # values from which labels near the bound are also counted in wider bins
MOST_SCALES = 6
TAIL = 0.65  # largest share of the labels that three wide bins may hold


@dataclass(frozen=True, eq=False)
class Histograms:
    """For m rows, how many labels have the value `top` − `step`·k or more: `above[:, k]`; `above[:, 0]` is 0."""

    top: int
    step: int
    above: FloatArray

    @classmethod
    def of(cls, sums: IntArray, weights: FloatArray) -> Histograms:
        """Count the values of rows (m × n) over labels that count `weights` each (n, or m × n)."""
        top, bottom = int(sums.max()), int(sums.min())
        step = max(1, int(np.gcd.reduce((top - sums).ravel())))
        values = (top - bottom) // step + 1
        places = (top - sums) // step + values * np.arange(len(sums))[:, None]
        counted = np.bincount(places.ravel(), np.broadcast_to(weights, sums.shape).ravel(), len(sums) * values)
        above = np.zeros((len(sums), values + 1))
        np.cumsum(counted.reshape(len(sums), values), axis=1, out=above[:, 1:])
        return cls(top, step, above)

    @property
    def values(self) -> int:
        """How many values there are between the largest and the least one."""
        return int(self.above.shape[1]) - 1

    def pooled(self, rows: IntArray) -> Histograms:
        """One histogram of some rows together."""
        return Histograms(self.top, self.step, self.above[rows].sum(axis=0, keepdims=True))

    def near_bounds(self, most: float) -> tuple[IntArray, IntArray]:
        """Rows, and places k of bounds: values that occur, with at most `most` labels above."""
        occurs = self.above[:, 1:] > self.above[:, :-1]
        rows, places = np.nonzero(occurs & (self.above[:, :-1] <= most))
        return rows, places

    def edge(self, rows: IntArray, places: IntArray, width: int) -> FloatArray:
        """The numbers of labels in three bins of `width` values each, from the bound down (c0, c1, c2).

        They are all 0 if wide bins hold most of the labels: these are no tail.
        """
        ends = np.minimum(places[:, None] + width * np.arange(4), self.values)
        bins = np.diff(self.above[rows[:, None], ends], axis=1)
        return np.asarray(bins if width == 1 else bins * (bins.sum(axis=1) <= TAIL * self.above[rows, -1])[:, None])

    def scales(self) -> list[int]:
        """The widths of bins to try."""
        doubled = [1 << k for k in range(MOST_SCALES)]
        return [width for width in doubled if width == 1 or (self.values >= SCALES_FROM and 6 * width <= self.values)]
