"""The compiled heart of best-first search: all labels whose bound is high enough, in bands from the best down.

A label is a start point plus *deviations*, each at a price ≥ 0 off the bound of the start. With prices sorted, a
depth-first walk meets every set of deviations within a budget and none beyond it; the budget grows until what was found
beats everything outside it. (A heap gives the same labels one by one, but slower.) A branch is dropped when some
rule can no longer be met, whatever is decided on the variables that come after.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from unwritten.data import IntArray

FIRST_BAND = 8  # the first budget is the price of this single deviation
GROWTH = 2.0  # from band to band; the last one dominates the work


class Task(NamedTuple):
    """One query, its v free variables sorted by price; d variables, r rules, k cuts."""

    price: Any  # (v,) ascending price of one step on each free variable
    steps: Any  # (v,) how many steps each has
    ups: Any  # (v,) the first `ups` steps go up from the start value, the others down
    column: Any  # (v,) its place in the label
    matrix: Any  # (v, r) rule coefficients of the free variables
    missing: Any  # (r,) right-hand side less the activity of the start label
    exact: Any  # (r,) equality rows
    most: Any  # (v + 1, r) largest activity that deviations from this variable on can add
    least: Any  # (v + 1, r) smallest
    weights: Any  # (d,)
    top: float  # upper bound at the start label
    cuts: Any  # (k, d)
    limits: Any  # (k,)
    order: Any  # (k,) cuts in the order they are tried; kept between queries, the ones that reject move forward
    equal: float  # values closer than this are equal


class Walk(NamedTuple):
    """Where a search stands, so that it can be left and taken up again: per depth, and in all."""

    label: Any
    best_label: Any
    activity: Any
    chosen: Any  # per depth: the variable that deviates, by how much, and where to go on
    change: Any
    next_variable: Any
    next_step: Any
    cost: Any
    value: Any
    killer: Any
    place: Any  # (depth, whether its label is still to be looked at, labels looked at)
    found: Any  # (budget, best value, best value that a cut rejected)

    @classmethod
    def begin(cls, start: IntArray, task: Task, floor: float) -> Walk:
        """At the start label, which is best in every variable for the reduced weights; answers must beat `floor`."""
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
            found=np.array([budget, floor, -np.inf]),
        )

    @property
    def best(self) -> float:
        """The best value so far, or the floor."""
        return float(self.found[1])

    @property
    def labels(self) -> int:
        """How many were looked at."""
        return int(self.place[2])

    def used_cuts(self, task: Task) -> bool:
        """Whether a cut rejected anything better."""
        return bool(self.found[2] > self.found[1] + task.equal)


@njit(cache=True, nogil=True)
def advance(task: Task, walk: Walk, until: int) -> bool:
    """Search on; whether it is finished before `until` labels have been looked at in all."""
    price, matrix, missing, exact, top, equal = task.price, task.matrix, task.missing, task.exact, task.top, task.equal
    label, activity, next_variable, next_step = walk.label, walk.activity, walk.next_variable, walk.next_step
    cost, value, killer = walk.cost, walk.value, walk.killer
    v, r = len(price), len(missing)
    depth, fresh, seen = walk.place[0], walk.place[1] > 0, walk.place[2]
    budget, best, rejected = walk.found[0], walk.found[1], walk.found[2]
    whole = 0.0
    for p in range(v):
        whole += task.steps[p] * price[p]
    while True:
        while True:
            if fresh:
                if seen >= until:
                    walk.place[:] = depth, 1, seen
                    walk.found[:] = budget, best, rejected
                    return False
                fresh = False
                seen += 1
                obeys = value[depth] > best + equal
                for i in range(r):
                    if activity[i] > missing[i] or (exact[i] and activity[i] != missing[i]):
                        obeys = False
                        break
                if obeys:
                    cut = _rejecting(label, task.cuts, task.limits, task.order, killer[depth])
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
                    if low > missing[i] or (exact[i] and high < missing[i]):
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
            walk.place[:] = depth, 0, seen
            walk.found[:] = budget, best, rejected
            return True
        budget = GROWTH * budget + 0.01 * price[v - 1] + equal
        fresh = True
        next_variable[0], next_step[0] = 0, 1


@njit(cache=True, nogil=True)
def _rejecting(label: Any, cuts: Any, limits: Any, order: Any, likely: int) -> int:
    """A cut that rejects the label, or −1. The one that rejected its parent is tried first, for it often does again."""
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
