"""Exactly-one groups of wide labels: for one column at a time, search the columns that are never 1 together with it.

In every example, exactly one column of a group is 1. So each group contains one of the columns that are 1 in the
example with the fewest ones; these columns are the roots of the search. The Gram matrix shows which columns are never 1
together with a root. They are usually few, so the exact cover around one root is a small search. Sets of columns are
Python integers with one bit per column.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.data.bitmasks import mask_of

NODE_COST = 10  # cost of one node of the search, in examples looked at

Sets = list[IntArray]


def local_partitions(gram: IntArray, seen: IntArray, columns: IntArray, most: int) -> tuple[Sets, bool]:
    """The sets of at least two of the given 0/1 columns such that exactly one of them is 1 in every example.

    Also returns whether all such sets were found: the search stops after `most` sets, and each root gets an equal share
    of `budgets.LOCAL_WORK`.
    """
    if not len(columns):
        return [], True
    sample = np.random.default_rng(0).permutation(len(seen))[: budgets.LOCAL_SAMPLE]
    has = np.ascontiguousarray((seen[sample][:, columns] == 1).T)  # column × example
    roots = np.flatnonzero(has[:, has.sum(axis=0).argmin()])
    n, counts = int(gram[-1, -1]), gram[-1, columns].astype(np.int64)
    groups: Sets = []
    complete, work_left = True, budgets.LOCAL_WORK
    for k, root in enumerate(roots.tolist()):
        candidates = np.flatnonzero(gram[columns[root], columns] == 0)
        missing = n - int(counts[root])
        if counts[candidates].sum() < missing:
            continue
        if len(candidates) > budgets.LOCAL_COLUMNS:
            complete = False
            continue
        exclusive = gram[np.ix_(columns[candidates], columns[candidates])] == 0
        candidates, exclusive = _useful(candidates, exclusive, counts, missing)
        work = work_left // (len(roots) - k)
        covers, spent, all_found = _covers(
            exclusive, has[np.ix_(candidates, ~has[root])], counts[candidates], missing, work
        )
        work_left -= spent
        complete &= all_found
        groups += [np.sort(columns[[root, *candidates[members]]]) for members in covers]
        if len(groups) > most:
            return groups[:most], False
    return groups, complete


def _useful(candidates: IntArray, exclusive: BoolArray, counts: IntArray, missing: int) -> tuple[IntArray, BoolArray]:
    """Drop a candidate if it and all columns that are never 1 together with it cannot cover the missing examples."""
    while len(candidates):
        count = counts[candidates]
        enough = exclusive.astype(np.float64) @ count + count >= missing
        if enough.all():
            break
        candidates, exclusive = candidates[enough], exclusive[np.ix_(enough, enough)]
    return candidates, exclusive


def _covers(
    exclusive: BoolArray, has: BoolArray, counts: IntArray, missing: int, work: int
) -> tuple[list[list[int]], int, bool]:
    """Sets of mutually exclusive columns that cover the missing examples; the work done; whether all sets were found.

    The search branches on the uncovered example that the fewest columns can still cover.
    """
    hardest = np.argsort(has.sum(axis=0), kind="stable")[: budgets.LOCAL_EXAMPLES]
    neighbours, uncovered = [mask_of(row) for row in exclusive], [mask_of(example) for example in has.T[hardest]]
    size = counts.tolist()
    covers: list[list[int]] = []
    spent = 0
    stack = [([], (1 << len(size)) - 1, uncovered, missing)] if size else []  # type: ignore[var-annotated]
    while stack:
        members, candidates, uncovered, missing = stack.pop()
        if missing == 0:
            covers.append(members)
            continue
        spent += NODE_COST + len(uncovered)
        if spent > work:
            return covers, spent, False
        options = min((example & candidates for example in uncovered), key=int.bit_count, default=candidates)
        while options:
            low = options & -options
            options ^= low
            k = low.bit_length() - 1
            if size[k] <= missing:
                rest = [example for example in uncovered if not example & low]
                stack.append(([*members, k], candidates & neighbours[k], rest, missing - size[k]))
            if not uncovered:  # no example tells the columns apart: list each set once, by its first column
                candidates ^= low
    return covers, spent, True
