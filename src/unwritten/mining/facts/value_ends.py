"""Ends of values: whether the values of a sample end at a bound, or fade out and go on beyond it in other rows.

Let the values be at least 0, and N₁, N₂, N₃ the rows with values in [0, ε), [ε, 2ε), [2ε, 3ε). If the logarithm of the
density went on below 0 as a parabola (it is one for normal values, and a line for exponential tails), then
N₁·(N₁/N₂)·(N₁·N₃/N₂²) rows would lie in [−ε, 0). If that many are expected and none is there, the values end at 0.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray

WINDOWS = (0.005, 0.01, 0.02, 0.05)  # shares of the values whose spread is tried as ε: what is near the bound
FEWEST_NEAR = 25  # values whose spread is tried in small samples
LEAST_NEAR = 10  # rows in [0, ε), below which nothing is said
TAIL_SHARE = 0.05  # share of the values that make the tail
FURTHEST = 5.0  # a bound lies at most this many times the largest value out
SKEWED = 10.0  # if the largest value is so many times the median, logarithms are used
STRATA = 30  # smallest values of the upper column for which the lower column is examined
FEWEST_NORMAL = 30  # values, below which no tail is taken for normal
MARGIN = 0.2  # standard deviations by which the largest value may be further out than expected
SAFETY = 1.15  # by which the spread of a normal tail is taken for larger than it was seen
BEYOND = 0.01  # values expected beyond an extrapolated bound, in as many rows again


def expected_below(values: FloatArray, step: float) -> float:
    """Return how many values would be expected just below 0 if the density went on there.

    `values` are at least 0; those of integers are multiples of `step`, and windows are, too.
    """
    order = np.sort(values)
    most = 0.0
    tried: set[float] = set()
    last = len(order) - 1
    for place in {*(int(share * last) for share in WINDOWS), min(FEWEST_NEAR, last // 3)}:
        width = float(order[place])
        width = max(width, step)
        if step:
            width = step * np.ceil(width / step)
        if width <= 0 or width in tried:
            continue
        tried.add(width)
        ends = np.searchsorted(order, [width, 2 * width, 3 * width])
        first, second, third = np.diff(ends, prepend=0).tolist()
        if first < LEAST_NEAR:
            continue
        ratio = first / max(second, 1)
        bend = first * third / max(second, 1) ** 2
        most = max(most, first * min(1.0, ratio * min(1.0, bend) if second else 1.0))
    return most


def ends_at(values: FloatArray, bound: float, step: float) -> float:
    """Return how many values were to be expected below their smallest one, which is at least `bound`.

    It is measured at the bound and at the smallest value: if values end there, they end before the bound.
    """
    smallest = float(values.min())
    at_smallest = expected_below(values - smallest, step)
    return max(at_smallest, expected_below(values - bound, step)) if smallest > bound else at_smallest


def far_bound(values: FloatArray, beyond: float = BEYOND) -> float:
    """Return a bound below the values such that about `beyond` values are expected below it in as many rows again.

    The tail is taken for exponential, which is longer than that of normal values. Of positive values that are spread
    over several orders of magnitude see `far_upper_bound`.
    """
    order = np.sort(values)
    k = max(LEAST_NEAR, int(TAIL_SHARE * len(order)))
    k = min(k, len(order) - 1)
    threshold = float(order[k])
    excess = float(np.mean(threshold - order[:k])) if k else 0.0
    return threshold - 1.5 * excess * float(np.log(max(k, 1) / beyond))


def far_upper_bound(values: FloatArray, beyond: float = BEYOND) -> float:
    """Return a bound above the values, as `far_bound` below them; by logarithms if it is SKEWED times the middle."""
    plain = -far_bound(-values, beyond)
    positive = values[values > 0]
    if len(positive) > LEAST_NEAR and positive.max() > SKEWED * float(np.median(positive)):
        far = min(float(np.exp(-far_bound(-np.log(positive), beyond))), FURTHEST * float(positive.max()))
        return max(plain, far)
    return plain


def near_upper_bound(values: FloatArray, beyond: float) -> float:
    """Return a bound like `far_upper_bound`, but nearer if the values above the middle have no longer tail than normal.

    They have none if the largest of them is where the largest of so many normal values is to be expected.
    """
    from scipy.special import ndtri  # loaded when it is first needed

    middle = float(np.median(values))
    above = values[values >= middle] - middle
    spread = float(np.sqrt(np.mean(above**2)))
    largest = float(ndtri(1.0 - 1.0 / max(2, len(values)))) + MARGIN
    if len(values) < FEWEST_NORMAL or float(above.max()) > largest * spread:
        return far_upper_bound(values, beyond)
    return middle + SAFETY * float(ndtri(1.0 - beyond / len(values))) * spread


def expected_above(low: FloatArray, high: FloatArray) -> float:
    """Return how many integers `low` would be expected just above `high` if their density went on there.

    Rows with equal `high` are examined together: a batter with one hit in one time at bat would often have a second hit
    if hits could exceed times at bat.
    """
    expected = 0.0
    for value in np.unique(high)[:STRATA].tolist():
        gaps = value - low[high == value]
        at, before, ahead = (int((gaps == k).sum()) for k in range(3))
        if before:
            bend = at * ahead / before**2 if ahead else 1.0
            expected += at * min(1.0, at / before * min(1.0, bend))
    return expected
