"""The compiled exact-cover search: sets of columns such that exactly one of them is 1 in every example.

An "exactly one of S" rule is an exact cover: the supports of its members (the examples where each is 1) partition the
examples. The search is depth-first and branches on the uncovered example that the fewest columns can still cover.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from unwritten.data import BoolArray, IntArray


def partitions(ones: BoolArray, nodes: int, most: int) -> tuple[list[IntArray], bool]:
    """The sets of columns of `ones` (n × d) with exactly one 1 in each row, and whether all such sets were found.

    The search stops after `nodes` nodes or `most` sets. Columns without a 1 are left out.
    """
    n, d = ones.shape
    columns = np.flatnonzero(ones.any(axis=0))
    supports = _packed(ones[:, columns])
    cap = min(n, d) + 1
    members, sizes, complete = _search(supports, ones[:, columns].T.copy(), n, nodes, most, cap)
    return [columns[np.sort(row[:size])] for row, size in zip(members, sizes, strict=True)], bool(complete)


def _packed(ones: BoolArray) -> Any:
    """The support of each column as 64-bit words (columns × words)."""
    n, d = ones.shape
    words = -(-n // 64)
    padded = np.zeros((d, words * 64), bool)
    padded[:, :n] = ones.T
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


@njit(cache=True, nogil=True)
def _search(
    supports: Any, has: Any, n: int, budget: int, most: int, cap: int
) -> Any:  # (sets × cap members, sizes, whether all were found)
    d, words = supports.shape
    sets = np.empty((16, cap), np.int32)
    sizes = np.empty(16, np.int64)
    count, nodes = 0, 0
    covered = np.zeros((cap + 1, words), np.uint64)
    open_ = np.empty((cap + 1, d), np.int32)  # per depth: columns that are 1 in no covered example
    width = np.zeros(cap + 1, np.int64)
    options = np.empty((cap + 1, d), np.int32)  # per depth: the open columns that cover the example branched on
    option_count = np.zeros(cap + 1, np.int64)
    tried = np.zeros(cap + 1, np.int64)
    chosen = np.empty(cap + 1, np.int32)
    waiting = np.zeros(n, np.int64)
    for j in range(d):
        open_[0, j] = j
    width[0] = d
    depth = 0
    arrive = True
    while depth >= 0:
        if arrive:
            arrive = False
            nodes += 1
            if nodes > budget:
                return sets[:count], sizes[:count], False
            option_count[depth] = 0
            tried[depth] = 0
            waiting[:] = 0
            for k in range(width[depth]):
                j = open_[depth, k]
                for e in range(n):
                    waiting[e] += has[j, e]
            best, fewest = -1, d + 1
            for e in range(n):
                if (covered[depth, e >> 6] >> np.uint64(e & 63)) & np.uint64(1) == 0 and waiting[e] < fewest:
                    best, fewest = e, waiting[e]
            if best < 0:
                if count == most:
                    return sets[:count], sizes[:count], False
                if count == len(sets):
                    wider = np.empty((2 * count, cap), np.int32)
                    wider[:count] = sets
                    sets = wider
                    longer = np.empty(2 * count, np.int64)
                    longer[:count] = sizes
                    sizes = longer
                for k in range(depth):
                    sets[count, k] = chosen[k]
                sizes[count] = depth
                count += 1
            elif fewest > 0:
                for k in range(width[depth]):
                    j = open_[depth, k]
                    if has[j, best]:
                        options[depth, option_count[depth]] = j
                        option_count[depth] += 1
        if tried[depth] == option_count[depth]:
            depth -= 1
            continue
        j = options[depth, tried[depth]]
        tried[depth] += 1
        chosen[depth] = j
        for w in range(words):
            covered[depth + 1, w] = covered[depth, w] | supports[j, w]
        size = 0
        for k in range(width[depth]):
            other = open_[depth, k]
            apart = True
            for w in range(words):
                if supports[other, w] & supports[j, w]:
                    apart = False
                    break
            if apart:
                open_[depth + 1, size] = other
                size += 1
        width[depth + 1] = size
        depth += 1
        arrive = True
    return sets[:count], sizes[:count], True
