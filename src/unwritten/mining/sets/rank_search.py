"""The compiled search for rank rules. Importing it loads numba, so import it only where it is used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def rank_table(masks: Any, width: int) -> Any:
    """For each of the 2^d sets of columns: the most ones that a label has in it, and its size; sets are bit masks."""
    set_count = 1 << width
    rank = np.zeros(set_count, np.int8)  # at first 1 for the subsets of labels
    size = np.zeros(set_count, np.int8)
    for mask in masks:
        rank[mask] = 1
    for j in range(width):
        for mask in range(set_count):
            if mask >> j & 1:
                rank[mask ^ (1 << j)] |= rank[mask]
    for mask in range(1, set_count):
        size[mask] = size[mask >> 1] + (mask & 1)
        rank[mask] *= size[mask]
    for j in range(width):
        for mask in range(set_count):
            if mask >> j & 1:
                rank[mask] = max(rank[mask], rank[mask ^ (1 << j)])
    return rank, size


@njit(cache=True, nogil=True)
def spread(above: Any, below: Any, width: int) -> None:
    """Pass the least rank of a rule down to all subsets, and the greatest |T| − r(T) up to all supersets."""
    for j in range(width):
        for mask in range(len(above)):
            if mask >> j & 1:
                above[mask ^ (1 << j)] = min(above[mask ^ (1 << j)], above[mask])
                below[mask] = max(below[mask], below[mask ^ (1 << j)])


@njit(cache=True, nogil=True)
def grow(starts: Any, columns: Any, pairs: Any, allowed: Any, most: int, work: int) -> Any:
    """Grow sets from pairs, and return those whose rank is about to rise and is at most allowed[size].

    Each step adds the column that the fewest labels with the most ones in the set have. Labels are given as in
    `CoverState`.
    """
    n, d = len(starts) - 1, len(allowed) - 1
    sets = np.zeros((most, d), np.bool_)
    first = np.zeros(most, np.bool_)  # the smallest set grown from each pair; no search starts from a pair in it
    count, done = 0, 0
    for p in range(len(pairs)):
        one, other = pairs[p]
        if count == most or done >= work:
            break
        if (sets[:count, one] & sets[:count, other] & first[:count]).any():
            continue
        before = count
        member = np.zeros(d, np.bool_)
        ones = np.zeros(n, np.int64)
        rank, size, add = 0, 0, one
        while size < d and count < most:
            member[add] = True
            size += 1
            top = np.zeros(d, np.int64)
            below_top = np.zeros(d, np.int64)
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
                            below_top[columns[q]] += 1
            done += 2 * len(columns)
            add = other if size == 1 else -1
            for j in range(d):
                if (
                    size > 1
                    and not member[j]
                    and (add < 0 or top[j] < top[add] or (top[j] == top[add] and below_top[j] < below_top[add]))
                ):
                    add = j
            if rank <= allowed[size] and (add < 0 or top[add] > 0):
                sets[count], first[count] = member, count == before
                count += 1
    return sets[:count]
