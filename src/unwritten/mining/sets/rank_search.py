"""The compiled search for rank rules. Importing it loads numba, so import it only where it is used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def rank_table(masks: Any, width: int) -> Any:
    """For each of the 2^d sets the most ones that any label has of it, and its size; sets and labels are masks."""
    every = 1 << width
    rank = np.zeros(every, np.int8)  # at first 1 for the subsets of labels
    size = np.zeros(every, np.int8)
    for mask in masks:
        rank[mask] = 1
    for j in range(width):
        for mask in range(every):
            if mask >> j & 1:
                rank[mask ^ (1 << j)] |= rank[mask]
    for mask in range(1, every):
        size[mask] = size[mask >> 1] + (mask & 1)
        rank[mask] *= size[mask]
    for j in range(width):
        for mask in range(every):
            if mask >> j & 1:
                rank[mask] = max(rank[mask], rank[mask ^ (1 << j)])
    return rank, size


@njit(cache=True, nogil=True)
def spread(above: Any, below: Any, width: int) -> None:
    """Pass the least rank of rules down to all subsets, and the most |T| − r(T) up to all supersets."""
    for j in range(width):
        for mask in range(len(above)):
            if mask >> j & 1:
                above[mask ^ (1 << j)] = min(above[mask ^ (1 << j)], above[mask])
                below[mask] = max(below[mask], below[mask ^ (1 << j)])


@njit(cache=True, nogil=True)
def grow(starts: Any, columns: Any, pairs: Any, allowed: Any, most: int, work: int) -> Any:
    """Sets grown from pairs by the column that the fewest labels at their most have; kept where a rule is allowed.

    Labels are given as in `CoverState`. A set is kept when its rank is about to rise and is at most allowed[size].
    """
    n, d = len(starts) - 1, len(allowed) - 1
    found = np.zeros((most, d), np.bool_)
    first = np.zeros(most, np.bool_)  # the smallest set from a pair: the pairs in it need no start of their own
    count, done = 0, 0
    for p in range(len(pairs)):
        one, other = pairs[p]
        if count == most or done >= work:
            break
        if (found[:count, one] & found[:count, other] & first[:count]).any():
            continue
        before = count
        member = np.zeros(d, np.bool_)
        ones = np.zeros(n, np.int64)
        rank, size, add = 0, 0, one
        while size < d and count < most:
            member[add] = True
            size += 1
            top = np.zeros(d, np.int64)
            near = np.zeros(d, np.int64)
            for i in range(n):
                for q in range(starts[i], starts[i + 1]):
                    ones[i] += columns[q] == add
                rank = max(rank, ones[i])
            for i in range(n):
                if ones[i] >= rank - 1:
                    for q in range(starts[i], starts[i + 1]):
                        if ones[i] == rank:
                            top[columns[q]] += 1
                        else:
                            near[columns[q]] += 1
            done += 2 * len(columns)
            add = other if size == 1 else -1
            for j in range(d):
                if (
                    size > 1
                    and not member[j]
                    and (add < 0 or top[j] < top[add] or (top[j] == top[add] and near[j] < near[add]))
                ):
                    add = j
            if rank <= allowed[size] and (add < 0 or top[add] > 0):
                found[count], first[count] = member, count == before
                count += 1
    return found[:count]
