"""Edges: how wide the gaps of tasks are that cannot overlap.

Tasks that exclude each other often follow each other at once: the counts of differences are high up to an edge. The
task u lasts at least as long as the least difference that any later task has to it at such an edge; the evidence is how
often the differences just above it occur, summed over all those tasks. If that is not enough, a shorter time is
claimed, because several values in a row are less likely missed than one.

Of two tasks, one may nearly always be first, so that nothing shows how far apart they are in the other order. Then the
second one lasts as long as with its other tasks. If the other order never occurs at all, the first one must last as
long as with other tasks: a longer time can come from a third task between the two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import ceil

from unwritten.mining.gaps.difference_counts import continued
from unwritten.mining.gaps.holes import CountsBeside, WideRun

Pair = tuple[int, int]
Order = tuple[int, int]  # the earlier task and the later one

ALONE = 1.5  # an edge that a single pair of tasks shows needs this many times the evidence


class Times:
    """How long tasks surely last, by the runs of pairs that are surely apart.

    Parameters
    ----------
    runs
        The run of each pair of tasks.
    cliffs
        The orders of tasks whose counts are surely high up to the edge of the run.
    needed
        The evidence that an edge needs, in nats. It needs more if no two tasks agree about it.
    """

    def __init__(self, runs: dict[Pair, WideRun], cliffs: Iterable[Order], needed: float) -> None:
        self._runs, self._needed, self._cliffs = runs, needed, set(cliffs)
        apart: dict[int, list[tuple[int, float]]] = defaultdict(list)  # (least difference to a later task, its count)
        for (first, second), run in runs.items():
            if self._has_edge(first, second, run.left):
                apart[first].append((1 - run.start, continued(*run.left.nearest)))
            if self._has_edge(second, first, run.right):
                apart[second].append((run.end + 1, continued(*run.right.nearest)))
        self._lengths = {task: Counter(length for length, _ in own) for task, own in apart.items()}
        self._together = {task: _together(own, needed) for task, own in apart.items()}

    def gaps(self) -> dict[Pair, tuple[int, int]]:
        """The values `low` and `high` of each pair whose gap is wider than one value, and surely at least this wide."""
        claimed = {}
        for (first, second), run in self._runs.items():
            both_orders = run.left.most > 0 and run.right.most > 0
            low = -self._time(first, second, 1 - run.start, run.left, both_orders)
            high = self._time(second, first, run.end + 1, run.right, both_orders)
            if low <= -1 and high >= 1 and high - low > 2:
                claimed[first, second] = (low, high)
        return claimed

    def _has_edge(self, task: int, later: int, side: CountsBeside) -> bool:
        return (task, later) in self._cliffs or side.peaks

    def _time(self, task: int, later: int, least: int, side: CountsBeside, both_orders: bool) -> int:
        """How long a task lasts, if the later one is at least `least` behind it; 0 if nothing says so."""
        together = self._together.get(task, 0)
        if not side.most:
            return max(1, together)
        if not self._has_edge(task, later, side):
            return together if together <= least else 0
        if both_orders:
            return max(together, _claim(least, continued(*side.nearest), ALONE * self._needed))
        return least if least == together and self._lengths[task][least] > 1 else 0


def _together(own: list[tuple[int, float]], needed: float) -> int:
    """The time that a task lasts, by the evidence of all tasks that agree about it."""
    least = min(each for each, _ in own)
    counts = [count for each, count in own if each <= least + 1]
    return _claim(least, sum(counts), needed if len(counts) > 1 else ALONE * needed)


def _claim(least: int, count: float, needed: float) -> int:
    """The time that is claimed where `least` is the least one seen and `count` examples are that near to it."""
    return least - (ceil(needed / count) - 1) if count > 0 else 0
