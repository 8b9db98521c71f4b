"""Exactly-one groups of wide data: around each column of one example, among those that never meet it.

Every group has exactly one column of any one example, so the columns of the example that has fewest are roots that
reach all groups. The Gram matrix tells which columns never meet; with more than a few examples these are few, and the
exact cover is a small search for each root, over Python integers as sets of columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import BoolArray, IntArray

NODE = 10  # what a node costs besides, in examples

Sets = list[IntArray]


def local_partitions(gram: IntArray, seen: IntArray, columns: IntArray, most: int) -> tuple[Sets, bool]:
    """The sets of at least two of the columns (0/1, varying) of which every example has exactly one.

    Also whether these are all: the search stops after `most` sets, and spends no more than its share on one root.
    """
    if not len(columns):
        return [], True
    chosen = np.random.default_rng(0).permutation(len(seen))[: budgets.LOCAL_SAMPLE]
    has = np.ascontiguousarray((seen[chosen][:, columns] == 1).T)  # column × example
    roots = np.flatnonzero(has[:, has.sum(axis=0).argmin()])
    n, counts = int(gram[-1, -1]), gram[-1, columns].astype(np.int64)
    found: Sets = []
    complete, left = True, budgets.LOCAL_WORK
    for k, root in enumerate(roots.tolist()):
        near = np.flatnonzero(gram[columns[root], columns] == 0)
        missing = n - int(counts[root])
        if counts[near].sum() < missing:
            continue
        if len(near) > budgets.LOCAL_COLUMNS:
            complete = False
            continue
        near, apart = _useful(near, gram[np.ix_(columns[near], columns[near])] == 0, counts, missing)
        work = left // (len(roots) - k)
        sets, spent, whole = _covers(apart, has[np.ix_(near, ~has[root])], counts[near], missing, work)
        left -= spent
        complete &= whole
        found += [np.sort(columns[[root, *near[members]]]) for members in sets]
        if len(found) > most:
            return found[:most], False
    return found, complete


def _useful(near: IntArray, apart: BoolArray, counts: IntArray, missing: int) -> tuple[IntArray, BoolArray]:
    """Without the columns that could not reach the missing number of examples with all they never meet."""
    while len(near):
        count = counts[near]
        kept = apart.astype(np.float64) @ count + count >= missing
        if kept.all():
            break
        near, apart = near[kept], apart[np.ix_(kept, kept)]
    return near, apart


def _covers(
    apart: BoolArray, has: BoolArray, counts: IntArray, missing: int, work: int
) -> tuple[list[list[int]], int, bool]:
    """Sets of columns that are pairwise apart and together have the missing examples; the work, and whether all.

    Branches on the uncovered example that the fewest columns can still cover.
    """
    fewest = np.argsort(has.sum(axis=0), kind="stable")[: budgets.LOCAL_EXAMPLES]
    neighbours, wanted = [_mask(row) for row in apart], [_mask(example) for example in has.T[fewest]]
    size = counts.tolist()
    found: list[list[int]] = []
    spent = 0
    stack = [([], (1 << len(size)) - 1, wanted, missing)] if size else []  # type: ignore[var-annotated]
    while stack:
        members, open_, wanted, missing = stack.pop()
        if missing == 0:
            found.append(members)
            continue
        spent += NODE + len(wanted)
        if spent > work:
            return found, spent, False
        options = min((example & open_ for example in wanted), key=int.bit_count, default=open_)
        while options:
            low = options & -options
            options ^= low
            k = low.bit_length() - 1
            if size[k] <= missing:
                rest = [example for example in wanted if not example & low]
                stack.append(([*members, k], open_ & neighbours[k], rest, missing - size[k]))
            if not wanted:  # any of them may be in, or none: each set once, by its first
                open_ ^= low
    return found, spent, True


def _mask(row: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
