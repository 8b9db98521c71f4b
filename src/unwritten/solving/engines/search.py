"""The compiled part of best-first search: it visits all labels whose bound is high enough, in bands from the best down.

A label is a start label plus *deviations*: steps of single variables, each of which costs a price ≥ 0. The bound of the
start label less these prices bounds the value. With prices sorted, a depth-first walk meets every set of deviations
within a budget and none beyond it; the budget grows until the best label found beats everything outside it. (A heap
gives the same labels one by one, but slower.) A branch is dropped if some rule can no longer be met, whatever the
variables that come after are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from unwritten.data import IntArray

FIRST_BAND = 8  # the first budget is the price of this single deviation
GROWTH = 2.0  # of the budget from band to band; the last band dominates the work


class BestFirstTask(NamedTuple):
    """One query over d variables, v of them free and sorted by price, with r rules and k cuts."""

    price: Any  # (v,) price of one step of each free variable, ascending
    steps: Any  # (v,) number of steps of each free variable
    ups: Any  # (v,) the first `ups` steps go up from the start value, the others down
    column: Any  # (v,) place of each free variable in the label
    matrix: Any  # (v, r) rule coefficients of the free variables
    missing: Any  # (r,) right-hand side less the activity of the start label
    equality: Any  # (r,) whether the rule is an equality
    most: Any  # (v + 1, r) largest activity that deviations from this variable on can add
    least: Any  # (v + 1, r) smallest such activity
    weights: Any  # (d,)
    top: float  # upper bound at the start label
    cuts: Any  # (k, d)
    limits: Any  # (k,)
    cut_order: Any  # (k,) order in which cuts are tried; cuts that reject a label move forward, also between queries
    equal: float  # values closer than this are equal


class BestFirstWalk(NamedTuple):
    """The state of a search, so that it can be interrupted and resumed. Most arrays have one entry per depth."""

    label: Any  # the label at the current depth
    best_label: Any
    activity: Any  # of each rule, relative to the start label
    chosen: Any  # the variable that deviates at each depth
    change: Any  # by how much it deviates
    next_variable: Any  # the deviation to try next at each depth
    next_step: Any
    cost: Any  # price of the deviations so far
    value: Any  # w·y of the label
    killer: Any  # the cut that rejected the label, or −1
    place: Any  # depth, whether its label is still to be tested, number of labels visited
    progress: Any  # budget, best value, best value that a cut rejected

    @classmethod
    def begin(cls, start: IntArray, task: BestFirstTask, floor: float) -> BestFirstWalk:
        """Begin at the start label, whose every entry is best for the reduced weights; answers must beat `floor`."""
        v, r = task.matrix.shape
        value = np.zeros(v + 1)
        value[0] = task.weights @ start.astype(np.float64)
        budget = task.price[min(FIRST_BAND, v - 1)] if v else 0.0
        return cls(
            label=start.copy(),
            best_label=start.copy(),
            activity=np.zeros(r, np.int64),
            chosen=np.zeros(v + 1, np.int64),
            change=np.zeros(v + 1, np.int64),
            next_variable=np.zeros(v + 1, np.int64),
            next_step=np.ones(v + 1, np.int64),
            cost=np.zeros(v + 1),
            value=value,
            killer=np.full(v + 1, -1),
            place=np.array([0, 1, 0]),
            progress=np.array([budget, floor, -np.inf]),
        )

    @property
    def best(self) -> float:
        """The best value so far, or the floor."""
        return float(self.progress[1])

    @property
    def labels(self) -> int:
        """The number of labels visited."""
        return int(self.place[2])

    def used_cuts(self, task: BestFirstTask) -> bool:
        """Return whether a cut rejected a better label."""
        return bool(self.progress[2] > self.progress[1] + task.equal)


@njit(cache=True, nogil=True)
def advance(task: BestFirstTask, walk: BestFirstWalk, until: int) -> bool:
    """Search on; return whether the search is finished before `until` labels have been visited in all."""
    price, matrix, missing, equality, top, equal = (
        task.price,
        task.matrix,
        task.missing,
        task.equality,
        task.top,
        task.equal,
    )
    label, activity, next_variable, next_step = walk.label, walk.activity, walk.next_variable, walk.next_step
    cost, value, killer = walk.cost, walk.value, walk.killer
    v, r = len(price), len(missing)
    depth, fresh, visited = walk.place[0], walk.place[1] > 0, walk.place[2]
    budget, best, rejected = walk.progress[0], walk.progress[1], walk.progress[2]
    whole = 0.0
    for p in range(v):
        whole += task.steps[p] * price[p]
    while True:
        while True:
            if fresh:
                if visited >= until:
                    walk.place[:] = depth, 1, visited
                    walk.progress[:] = budget, best, rejected
                    return False
                fresh = False
                visited += 1
                obeys = value[depth] > best + equal
                for i in range(r):
                    if activity[i] > missing[i] or (equality[i] and activity[i] != missing[i]):
                        obeys = False
                        break
                if obeys:
                    cut = _rejecting(label, task.cuts, task.limits, task.cut_order, killer[depth])
                    killer[depth] = cut
                    if cut < 0:
                        best = value[depth]
                        walk.best_label[:] = label
                    elif value[depth] > rejected:
                        rejected = value[depth]
            p, s = next_variable[depth], next_step[depth]
            more = p < v
            if more:
                total = cost[depth] + s * price[p]
                more = total <= budget and top - total > best + equal
                if not more and s > 1:  # this variable goes no further, but the next one may
                    next_variable[depth], next_step[depth] = p + 1, 1
                    continue
            if more:
                for i in range(r):
                    low, high = activity[i] + task.least[p, i], activity[i] + task.most[p, i]
                    if low > missing[i] or (equality[i] and high < missing[i]):
                        more = False
                        break
            if not more:
                if depth == 0:
                    break
                depth -= 1
                p = walk.chosen[depth]
                label[task.column[p]] -= walk.change[depth]
                for i in range(r):
                    activity[i] -= walk.change[depth] * matrix[p, i]
                continue
            if s < task.steps[p]:
                next_step[depth] = s + 1
            else:
                next_variable[depth], next_step[depth] = p + 1, 1
            change = s if s <= task.ups[p] else task.ups[p] - s
            walk.chosen[depth], walk.change[depth] = p, change
            label[task.column[p]] += change
            for i in range(r):
                activity[i] += change * matrix[p, i]
            cost[depth + 1] = total
            value[depth + 1] = value[depth] + task.weights[task.column[p]] * change
            killer[depth + 1] = killer[depth]
            depth += 1
            next_variable[depth], next_step[depth] = p + 1, 1
            fresh = True
        if budget >= whole or top - budget <= best + equal:
            walk.place[:] = depth, 0, visited
            walk.progress[:] = budget, best, rejected
            return True
        budget = GROWTH * budget + 0.01 * price[v - 1] + equal
        fresh = True
        next_variable[0], next_step[0] = 0, 1


@njit(cache=True, nogil=True)
def _rejecting(label: Any, cuts: Any, limits: Any, order: Any, likely: int) -> int:
    """Return a cut that rejects the label, or −1; the cut that rejected its parent often does, and is tried first."""
    d = len(label)
    support = np.empty(d, np.int64)
    size = 0
    for j in range(d):
        if label[j] != 0:
            support[size] = j
            size += 1
    for k in range(-1, len(order)):
        cut = likely if k < 0 else order[k]
        if cut < 0:
            continue
        value = 0.0
        for i in range(size):
            j = support[i]
            value += cuts[cut, j] * label[j]
        if value > limits[cut]:
            if k >= 0:
                order[k] = order[k // 2]
                order[k // 2] = cut
            return cut
    return -1
