"""Ordered gaps: "a + 3 ≤ b or b + 4 ≤ a" is not said if "a + 3 ≤ b" always holds."""

from __future__ import annotations

from collections.abc import Sequence

from unwritten.data import Variables
from unwritten.mining.bounds.bound_claims import Bound
from unwritten.rules import Gap


def open_gaps(gaps: tuple[Gap, ...]) -> tuple[Gap, ...]:
    """The gaps that no order can replace."""
    return tuple(gap for gap in gaps if gap.kind != "either-or")


def without_ordered(gaps: tuple[Gap, ...], bounds: Sequence[Bound], variables: Variables) -> tuple[Gap, ...]:
    """The gaps, without those of two tasks of which a bound says which one is first."""
    least: dict[tuple[int, int], int] = {}  # y_i − y_j is at least this, by i and j
    for bound in bounds:
        if sorted(bound.values.tolist()) == [-1, 1]:
            i, j = bound.columns[bound.values.argsort()].tolist()
            least[i, j] = max(-bound.most, least.get((i, j), -bound.most))
    return tuple(gap for gap in gaps if gap.kind != "either-or" or not _is_ordered(gap, least, variables))


def _is_ordered(gap: Gap, least: dict[tuple[int, int], int], variables: Variables) -> bool:
    """True if the difference of the two variables is always on one side of the gap."""
    first, second = (variables.index[name] for name in gap.variables)
    low, high = gap.numbers
    return least.get((first, second), high - 1) >= high or least.get((second, first), -low - 1) >= -low
