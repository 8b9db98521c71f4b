"""The compiled heart of best-first search: labels in order of an upper bound on their value.

A label is a start point plus *deviations*, each at a price ≥ 0; with prices sorted, every set of deviations has at
most three successors (one step further on the last variable, the next variable added, the last moved on), none
cheaper than itself, so a heap yields all labels from the best bound down. A branch is dropped when some rule can no
longer be met, whatever is decided on the variables that come after.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

FOUND, CAPPED = 0, 1


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
    links: Any,  # (4, cap) room for nodes: the one with the deviations before the last, the last, its step; the heap
    cost: Any,  # (cap,) and the price of each node
) -> tuple[int, float, Any, float, bool, int]:
    """(outcome, best value, best label, bound, whether a cut rejected anything, nodes)."""
    v, r, d = len(price), len(missing), len(start)
    before, last, step, heap = links[0], links[1], links[2], links[3]
    cap = len(cost)
    label = start.copy()
    best_label = start.copy()
    best, used_cuts = floor, False
    nodes, size = 1, 1
    before[0], last[0], step[0], cost[0], heap[0] = -1, -1, 0, 0.0, 0
    activity = np.empty(r, np.int64)
    while size > 0:
        node = heap[0]
        bound = top - cost[node]
        if bound <= best + equal:
            return FOUND, best, best_label, best, used_cuts, nodes
        size -= 1
        moved = heap[size]
        hole = 0
        while True:
            child = 2 * hole + 1
            if child >= size:
                break
            if child + 1 < size and cost[heap[child + 1]] < cost[heap[child]]:
                child += 1
            if cost[heap[child]] >= cost[moved]:
                break
            heap[hole] = heap[child]
            hole = child
        heap[hole] = moved

        # The label of this node: does it obey the rules, beat the best and pass the cuts?
        for i in range(r):
            activity[i] = 0
        walk = node
        while walk >= 0 and last[walk] >= 0:
            p, t = last[walk], step[walk]
            change = t if t <= ups[p] else ups[p] - t
            for i in range(r):
                activity[i] += change * matrix[p, i]
            walk = before[walk]
        obeys = True
        for i in range(r):
            if activity[i] > missing[i] or (exact[i] and activity[i] != missing[i]):
                obeys = False
                break
        if obeys:
            for j in range(d):
                label[j] = start[j]
            walk = node
            while walk >= 0 and last[walk] >= 0:
                p, t = last[walk], step[walk]
                label[column[p]] += t if t <= ups[p] else ups[p] - t
                walk = before[walk]
            value = 0.0
            for j in range(d):
                value += weights[j] * label[j]
            if value > best + equal:
                rejected = _rejected(label, cuts, limits, order)
                if rejected:
                    used_cuts = True
                else:
                    best = value
                    best_label[:] = label

        # Its successors.
        p, t = last[node], step[node]
        for way in range(3):
            if way == 0:  # one step further on the last variable
                if p < 0 or t >= steps[p]:
                    continue
                prefix, q, s, c = before[node], p, t + 1, cost[node] + price[p]
            elif way == 1:  # the next variable as well
                if p + 1 >= v:
                    continue
                prefix, q, s, c = node, p + 1, 1, cost[node] + price[p + 1]
            else:  # the next variable instead
                if p < 0 or t != 1 or p + 1 >= v:
                    continue
                prefix, q, s, c = before[node], p + 1, 1, cost[node] - price[p] + price[p + 1]
            if top - c <= best + equal:
                continue
            for i in range(r):
                activity[i] = 0
            walk = prefix
            while walk >= 0 and last[walk] >= 0:
                a, b = last[walk], step[walk]
                change = b if b <= ups[a] else ups[a] - b
                for i in range(r):
                    activity[i] += change * matrix[a, i]
                walk = before[walk]
            open_ = True
            for i in range(r):
                if activity[i] + least[q, i] > missing[i] or (exact[i] and activity[i] + most[q, i] < missing[i]):
                    open_ = False
                    break
            if not open_:
                continue
            if nodes >= cap or size >= cap:
                return CAPPED, best, best_label, bound, used_cuts, nodes
            before[nodes], last[nodes], step[nodes], cost[nodes] = prefix, q, s, c
            hole = size
            while hole > 0:
                parent = (hole - 1) // 2
                if cost[heap[parent]] <= c:
                    break
                heap[hole] = heap[parent]
                hole = parent
            heap[hole] = nodes
            nodes += 1
            size += 1
    return FOUND, best, best_label, best, used_cuts, nodes


@njit(cache=True, nogil=True)
def _rejected(label: Any, cuts: Any, limits: Any, order: Any) -> bool:
    """Whether some cut rejects the label; a cut that does is tried earlier next time."""
    d = len(label)
    support = np.empty(d, np.int64)
    size = 0
    for j in range(d):
        if label[j] != 0:
            support[size] = j
            size += 1
    for k in range(len(order)):
        cut = order[k]
        value = 0.0
        for i in range(size):
            j = support[i]
            value += cuts[cut, j] * label[j]
        if value > limits[cut]:
            order[k] = order[k // 2]
            order[k // 2] = cut
            return True
    return False
