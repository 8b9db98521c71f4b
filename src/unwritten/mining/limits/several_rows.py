"""Several rows that together exclude what the examples claim: alternation, from more rows than needed to the fewest.

Each excluded label belongs to the row that excludes it most, and each row is fitted to its own labels, in turns. The
start is a set of cuts that cover the excluded labels: a cut is a row that the data proves. Then rows are taken away one
by one, as long as the others can take over their labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.mining.limits.choices import Choices
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.separation import separated

COARSE = ((20, 1e-2),)
FINE = ((30, 1e-3), (100, 1e-4), (1_000, 1e-5))
"""For each stage: the cost of a seen label relative to an excluded one, and the cost of large coefficients."""
FAR = 4.0  # labels that a row excludes by more margins than this do not influence its fit
START = 4.0  # a row starts from a cut that is scaled so that its labels span this many margins
ROW_NATS = 5.0  # what each coefficient of a row costs in nats
HOPELESS = 0.03  # if many rows miss more than this share of the excluded labels, no other start is tried
STILL_HOPELESS = 0.1  # the same before rows are refined; fewer rows miss even more
WIDENINGS = 3  # how often missed labels are added to the labels that are searched on
SETTLING_TURNS = 1  # turns after the first in which nothing is missed
SPARED = 3  # rows that are tried when one is to be taken away


@dataclass(frozen=True, eq=False)
class Fitted:
    """Rows, how many excluded labels they miss, and the description length of both."""

    rows: FloatArray
    missed: int
    cost: float

    def hopeless(self, points: Points) -> bool:
        """True if the rows miss so many excluded labels that they cannot be the rules behind them."""
        return self.missed > HOPELESS * len(points.excluded)


def few_rows(points: Points, choices: Choices) -> FloatArray:
    """One row, or a few, from the fewest that exclude all labels; the best that was found if none do."""
    part = points.thinned(budgets.LIMIT_LABELS_SEARCHED)
    tried: list[Fitted] = []
    for few in range(1, min(budgets.LIMIT_ROWS_TRIED, _affordable(points)) + 1):
        rows = cover_by_cuts(part, choices, few, np.random.default_rng(0))
        if not len(rows):
            break
        tried.append(described(part, refined(part, alternated(part, rows, COARSE[0], budgets.LIMIT_TURNS)[0])))
        if not tried[-1].missed:
            break
    return _widened(points, part, min(tried, key=lambda each: each.cost).rows) if tried else no_rows(points)


def fewest_rows(points: Points, choices: Choices) -> FloatArray:
    """The rows that explain the excluded labels with the shortest description, of several starts with many rows."""
    part = points.thinned(budgets.LIMIT_LABELS_SEARCHED)
    tried: list[Fitted] = []
    affordable = _affordable(points)
    most = min(budgets.LIMIT_ROWS_FIRST, affordable)
    for seed in range(budgets.LIMIT_STARTS):
        rows = cover_by_cuts(part, choices, most, np.random.default_rng(seed))
        if not len(rows):
            break
        tried.append(min(_fewer_and_fewer(part, rows), key=lambda each: each.cost))
        if not tried[-1].missed or tried[-1].hopeless(part):
            break
        if len(tried[-1].rows) >= most - 1:
            most = min(2 * most, budgets.LIMIT_ROWS, affordable)
    return _widened(points, part, min(tried, key=lambda each: each.cost).rows) if tried else no_rows(points)


def no_rows(points: Points) -> FloatArray:
    """An empty array of rows."""
    return np.zeros((0, points.width + 1))


def _affordable(points: Points) -> int:
    """How many rows can be learned from the labels: each has as many coefficients as there are columns."""
    return len(points.seen) // (points.width + 1)


def _widened(points: Points, part: Points, rows: FloatArray) -> FloatArray:
    """Rows that were searched on a part of the labels, fitted to all; labels that they miss join the part first."""
    if part is points or described(part, rows).hopeless(part):
        return rows
    for _ in range(WIDENINGS):
        missed = points.missed(rows)
        if not missed.any() or 4 * int(missed.sum()) > len(part.excluded):
            break
        part = part.with_excluded(points.excluded[missed], points.claimed_by[missed])
        rows = refined(part, rows)
    return refined(points, rows)


def described(points: Points, rows: FloatArray) -> Fitted:
    """Rows with their description length: the coefficients, and the labels that they miss."""
    missed = int(points.missed(rows).sum())
    nats = log(len(points.excluded) + 1)
    return Fitted(rows, missed, len(rows) * ROW_NATS * (points.width + 1) + missed * nats)


def refined(points: Points, rows: FloatArray) -> FloatArray:
    """The rows, fitted in stages that allow ever less: the last one misses as little as it can."""
    best, least = rows, int(points.missed(rows).sum())
    for stage in FINE:
        rows, missed = alternated(points, rows, stage, budgets.LIMIT_REFINING_TURNS)
        if missed <= least:
            best, least = rows, missed
    return best


def alternated(
    points: Points, rows: FloatArray, stage: tuple[int, float], turns: int, patience: int = 6
) -> tuple[FloatArray, int]:
    """Fit rows to their own excluded labels in turns; return the best, and how many labels these miss."""
    cost, weight = stage
    regular = weight * np.append(np.maximum(points.spans, 1).astype(np.float64) ** 2, 1e-2)
    seen, excluded = points.bordered_kept, points.bordered_excluded
    best, least, stalled = rows, int(points.missed(rows).sum()), 0
    for _ in range(turns):
        values = points.values(rows)
        place = values.argmax(axis=0)
        near = values.max(axis=0) < FAR
        rows = rows.copy()
        for k in range(len(rows)):
            own = excluded[(place == k) & near]
            costs = np.append(np.full(len(seen), float(cost)), np.ones(len(own)))
            rows[k] = separated(rows[k], np.concatenate([-seen, own]), costs, regular, budgets.LIMIT_NEWTON_STEPS)
        missed = int(points.missed(rows).sum())
        stalled = 0 if missed < least else stalled + 1
        if missed <= least:
            best, least = rows, missed
        if stalled > (patience if least else SETTLING_TURNS):
            break
    return best, least


def _fewer_and_fewer(points: Points, rows: FloatArray) -> Iterator[Fitted]:
    """Fit the rows, take the one away that can best be spared, fit again, and so on, until too many labels are missed.

    Yields refined rows where they might be the shortest description.
    """
    rows, missed = alternated(points, rows, COARSE[0], budgets.LIMIT_TURNS)
    least = float("inf")
    row_nats = ROW_NATS * (points.width + 1)
    while True:
        fitted = described(points, rows)
        if fitted.cost < least + 2 * row_nats:
            fine = described(points, refined(points, rows))
            least = min(least, fine.cost)
            yield fine
        elif fitted.cost > 2 * least + 8 * row_nats:
            return
        if len(rows) == 1 or fitted.missed > STILL_HOPELESS * len(points.excluded):
            return
        rows, missed = _without_one(points, rows, missed)


def _without_one(points: Points, rows: FloatArray, missed: int) -> tuple[FloatArray, int]:
    """The rows without the one that can best be spared, fitted again."""
    excludes = points.values(points.tightest(rows)) > 0
    alone = (excludes & (excludes.sum(axis=0) == 1)).sum(axis=1)
    best: tuple[FloatArray, int] | None = None
    for k in np.argsort(alone, kind="stable")[:SPARED]:
        tried = alternated(points, np.delete(rows, k, axis=0), COARSE[0], budgets.LIMIT_TURNS, patience=4)
        if best is None or tried[1] < best[1]:
            best = tried
        if best[1] <= missed + 3:
            break
    assert best is not None  # noqa: S101 - there are at least two rows
    return best


def cover_by_cuts(points: Points, choices: Choices, most: int, rng: np.random.Generator) -> FloatArray:
    """Cuts of random examples, each chosen because it excludes most of what those before it do not."""
    examples = rng.permutation(len(choices))[: budgets.LIMIT_CUTS_TRIED]
    labels = points.bordered_excluded[rng.permutation(len(points.excluded))[: budgets.LIMIT_LABELS_COVERED]]
    weights = choices.weights[examples]
    values = (weights * (choices.labels[examples] - choices.variables.lower)).sum(axis=1)
    size = np.abs(weights) @ points.spans
    cuts = START * np.column_stack([weights, values])[size > 0] / size[size > 0, None]
    excludes = cuts @ labels.T > 0
    left, chosen = np.ones(len(labels), bool), []
    for _ in range(min(most, len(cuts))):
        chosen.append(int((excludes & left).sum(axis=1).argmax()))
        left &= ~excludes[chosen[-1]]
    return cuts[chosen]
