"""What explains the excluded labels with the shortest description: simple rows, rows over all columns, or both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.choices import Choices
from unwritten.mining.limits.merged_rows import merged_rows
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.several_rows import ROW_NATS, WIDENINGS, few_rows, fewest_rows, no_rows, refined
from unwritten.mining.limits.simple_rows import needed, row_price, simple_rows

MERGED = 2.0  # merging is tried if simple rows cost at most this many times as much as the best explanation
FEW_COLUMNS = (2, 3)  # simple rows of at most so many columns are tried together with wide ones
HOPELESS = 0.03  # rows that miss more than this share of the excluded labels are not the rules behind them


@dataclass(frozen=True, eq=False)
class ExplainingRows:
    """Simple rows of integers and wide rows of floats, which together exclude most labels that are not allowed."""

    points: Points
    simple: IntArray
    wide: FloatArray

    @classmethod
    def nothing(cls, points: Points) -> ExplainingRows:
        """No rows."""
        none = no_rows(points)
        return cls(points, none.astype(np.int64), none)

    def __len__(self) -> int:
        return len(self.simple) + len(self.wide)

    @cached_property
    def centred(self) -> FloatArray:
        """All rows as floats; wide ones halfway between the labels that they keep and those that they exclude."""
        return np.concatenate([self.simple.astype(np.float64), self.points.centred(self.wide)])

    @cached_property
    def missed(self) -> BoolArray:
        """Which excluded labels no row excludes."""
        missed = self.points.no_row_excludes(self.simple)
        return missed & self.points.missed(self.wide) if len(self.wide) else missed

    @cached_property
    def cost(self) -> float:
        """The description length in nats: all rows, and all labels that they miss."""
        rows = sum(row_price(row) for row in self.simple) + len(self.wide) * _wide_price(self.points)
        return float(rows + self.missed.sum() * log(len(self.points.excluded) + 1))

    @property
    def hopeless(self) -> bool:
        """True if the rows miss so many excluded labels that they cannot be the rules behind them."""
        return bool(self.missed.sum() > HOPELESS * len(self.points.excluded))

    def pruned(self) -> ExplainingRows:
        """A copy without the simple rows that cost more than the labels which they alone exclude."""
        excludes = self.points.beyond(self.simple).T
        left = self.points.missed(self.wide) if len(self.wide) else np.ones(len(excludes), bool)
        excludes, nats = excludes & left[:, None], log(len(excludes) + 1)
        paying = np.ones(len(self.simple), bool)
        while paying.any():
            alone = excludes[:, paying] & (excludes[:, paying].sum(axis=1) == 1)[:, None]
            worth = alone.sum(axis=0) * nats - np.array([row_price(row) for row in self.simple[paying]])
            if worth.min() >= 0:
                break
            paying[np.flatnonzero(paying)[worth.argmin()]] = False
        return replace(self, simple=self.simple[paying])

    def with_points(self, points: Points) -> ExplainingRows:
        """The same rows for other points; the wide ones are fitted to them."""
        left = points_left(points, self.simple)
        wide = refined(left, self.wide) if len(self.wide) and len(left.excluded) else self.wide
        return ExplainingRows(points, self.simple, wide)


def explained(points: Points, choices: Choices) -> ExplainingRows:
    """The rows that exclude the labels which are not allowed, and have the shortest description."""
    nothing = ExplainingRows.nothing(points)
    tried = [replace(nothing, wide=few_rows(points, choices))]
    most = min(tried[0].cost, budgets.LIMIT_ROWS_SIMPLE * _wide_price(points))
    simple, drops = simple_rows(points.thinned(budgets.LIMIT_LABELS_SEARCHED), MERGED * most)
    tried.append(with_simple_rows(replace(nothing, simple=merged_rows(simple, points)), most))
    for part in _parts(simple, drops):
        first = merged_rows(part, points)
        wide = few_rows(points_left(points, first), choices)
        tried.append(ExplainingRows(points, first, wide).pruned())
    best = min(tried, key=lambda each: each.cost)
    # many wide rows are tried only if they could be a shorter description
    if best.missed.any() and best.cost > (budgets.LIMIT_ROWS_TRIED + 1) * _wide_price(points):
        tried.append(replace(nothing, wide=fewest_rows(points, choices)))
    return min(tried, key=lambda each: each.cost).pruned()


def _parts(simple: IntArray, drops: list[int]) -> list[IntArray]:
    """Sets of simple rows that wide rows may complete: those before a drop in worth, and those of few columns."""
    columns = (simple[:, :-1] != 0).sum(axis=1)
    few = (simple[columns <= most] for most in FEW_COLUMNS)
    return [*(simple[:drop] for drop in drops), *(part for part in few if 0 < len(part) < len(simple))]


def with_simple_rows(explanation: ExplainingRows, most: float) -> ExplainingRows:
    """The explanation with simple rows for labels that it misses, as long as these are few."""
    points = explanation.points
    for _ in range(WIDENINGS):
        missed = int(explanation.missed.sum())
        if not missed or 4 * missed > len(points.excluded):
            break
        left = points.with_excluded_only(explanation.missed).thinned(budgets.LIMIT_LABELS_SEARCHED)
        more, _ = simple_rows(left, most)
        simple = np.concatenate([explanation.simple, more])
        explanation = replace(explanation, simple=merged_rows(simple[needed(simple, points)], points))
    return explanation


def _wide_price(points: Points) -> float:
    """What it costs to state a row over all columns, in nats."""
    return ROW_NATS * (points.width + 1)


def points_left(points: Points, rows: IntArray) -> Points:
    """The points without the excluded labels that the rows exclude."""
    return points.with_excluded_only(points.no_row_excludes(rows))
