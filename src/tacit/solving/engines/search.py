"""The compiled heart of best-first search: all labels whose bound is high enough, in bands from the best down.

A label is a start point plus *deviations*, each at a price ≥ 0 off the bound of the start. With prices sorted, a
depth-first walk meets every set of deviations within a budget and none beyond it; the budget grows until what was found
beats everything outside it. (A heap gives the same labels one by one, but slower.) A branch is dropped when some
rule can no longer be met, whatever is decided on the variables that come after.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

FOUND, CAPPED = 0, 1
FIRST_BAND = 8  # the first budget is the price of this single deviation
GROWTH = 2.0  # from band to band; the last one dominates the work


@njit(cache=True, nogil=True)
def best_first(
    price: Any,  # (v,) ascending price of one step on each free variable
    steps: Any,  # (v,) how many steps each has
    ups: Any,  # (v,) the first `ups` steps go up from the start value, the others down
    column: Any,  # (v,) its place in the label
    start: Any,  # (d,) start label, best in every variable for the reduced weights
    matrix: Any,  # (v, r) rule coefficients of the free variables
    missing: Any,  # (r,) right-hand side less the activity of the start label
    exact: Any,  # (r,) equality rows
    most: Any,  # (v + 1, r) largest activity that deviations from this variable on can add
    least: Any,  # (v + 1, r) smallest
    weights: Any,  # (d,)
    top: float,  # upper bound at the start label
    cuts: Any,  # (k, d)
    limits: Any,  # (k,)
    order: Any,  # (k,) cuts in the order they are tried; kept between queries, the ones that reject move forward
    floor: float,  # value that an answer must beat
    equal: float,  # values closer than this are equal
    cap: int,  # most labels to look at
) -> tuple[int, float, Any, float, bool, int]:
    """(outcome, best value, best label, bound, whether a cut rejected anything better, labels looked at)."""
    v, r = len(price), len(missing)
    label, best_label = start.copy(), start.copy()
    best, rejected, seen = floor, -np.inf, 0
    activity = np.zeros(r, np.int64)
    chosen = np.empty(v + 1, np.int64)  # per depth: the variable that deviates, by how much, and where to go on
    change = np.zeros(v + 1, np.int64)
    next_variable = np.zeros(v + 1, np.int64)
    next_step = np.ones(v + 1, np.int64)
    cost = np.zeros(v + 1)
    value = np.zeros(v + 1)
    killer = np.full(v + 1, -1)
    for j in range(len(start)):
        value[0] += weights[j] * start[j]
    budget = price[min(FIRST_BAND, v - 1)] if v else 0.0
    while True:
        depth, fresh = 0, True  # fresh: the label at this depth is still to be looked at
        next_variable[0], next_step[0] = 0, 1
        while True:
            if fresh:
                fresh = False
                seen += 1
                if seen > cap:
                    return CAPPED, best, best_label, top, rejected > best + equal, seen
                obeys = value[depth] > best + equal
                for i in range(r):
                    if activity[i] > missing[i] or (exact[i] and activity[i] != missing[i]):
                        obeys = False
                        break
                if obeys:
                    cut = _rejecting(label, cuts, limits, order, killer[depth])
                    killer[depth] = cut
                    if cut < 0:
                        best = value[depth]
                        best_label[:] = label
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
                    if activity[i] + least[p, i] > missing[i] or (exact[i] and activity[i] + most[p, i] < missing[i]):
                        more = False
                        break
            if not more:
                if depth == 0:
                    break
                depth -= 1
                p = chosen[depth]
                label[column[p]] -= change[depth]
                for i in range(r):
                    activity[i] -= change[depth] * matrix[p, i]
                continue
            if s < steps[p]:
                next_step[depth] = s + 1
            else:
                next_variable[depth], next_step[depth] = p + 1, 1
            chosen[depth] = p
            change[depth] = s if s <= ups[p] else ups[p] - s
            label[column[p]] += change[depth]
            for i in range(r):
                activity[i] += change[depth] * matrix[p, i]
            cost[depth + 1] = total
            value[depth + 1] = value[depth] + weights[column[p]] * change[depth]
            killer[depth + 1] = killer[depth]
            depth += 1
            next_variable[depth], next_step[depth] = p + 1, 1
            fresh = True
        whole = 0.0
        for p in range(v):
            whole += steps[p] * price[p]
        if budget >= whole or top - budget <= best + equal:
            return FOUND, best, best_label, best, rejected > best + equal, seen
        budget = GROWTH * budget + 0.01 * price[v - 1] + equal


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
