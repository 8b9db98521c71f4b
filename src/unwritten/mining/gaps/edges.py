"""Edges: how wide the gaps of tasks are that cannot overlap.

The task u lasts at least as long as the least difference that any later task of the same machine has to it: differences
below that never occur, and its evidence is how often the differences just above it do, summed over all those tasks. If
that is not enough, a shorter time is claimed, because several values in a row are less likely missed than one.
"""

from __future__ import annotations

from collections import defaultdict
from math import ceil

from unwritten.mining.gaps.holes import WideRun

Pair = tuple[int, int]

ALONE = 1.5  # evidence of an edge that one pair of tasks alone shows, per evidence of one that several show


def claimed_edges(runs: dict[Pair, WideRun], needed: float) -> dict[Pair, tuple[int, int]]:
    """The values `low` and `high` of each pair whose gap is wider than one value, and surely at least this wide.

    `needed` is the evidence that an edge needs, in nats. It needs more if no two tasks agree about it.
    """
    apart: dict[int, list[tuple[int, float]]] = defaultdict(list)  # (least difference to a later task, its count)
    for (first, second), run in runs.items():
        apart[first].append((1 - run.start, run.left))
        apart[second].append((run.end + 1, run.right))
    together = {task: _together(own, needed) for task, own in apart.items()}
    claimed = {}
    for (first, second), run in runs.items():
        low = -max(together[first], _claim(1 - run.start, run.left, ALONE * needed))
        high = max(together[second], _claim(run.end + 1, run.right, ALONE * needed))
        if low <= -1 and high >= 1 and high - low > 2:
            claimed[first, second] = (low, high)
    return claimed


def _together(own: list[tuple[int, float]], needed: float) -> int:
    """The time that a task lasts according to all tasks that agree about it."""
    least = min(each for each, _ in own)
    counts = [count for each, count in own if each <= least + 1]
    return _claim(least, sum(counts), needed if len(counts) > 1 else ALONE * needed)


def _claim(least: int, count: float, needed: float) -> int:
    """The time that is claimed where `least` is the least one seen and `count` examples are that near to it."""
    return least - (ceil(needed / count) - 1) if count > 0 else 0
