"""Groups: "exactly one of S", from few examples, by exact cover over the supports of 0/1 columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.data import BoolArray, IntArray
from tacit.mining import chance
from tacit.mining.tally import Tally

SAMPLE = 192  # examples to search on; the groups found are verified on all
NODES = 3_000_000  # of the search: a few seconds
MOST = 5_000  # groups


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows `[a, −1]` over [y, 1]; not `complete` if the budget cut the search short."""

    rows: IntArray
    complete: bool


def groups(tally: Tally, known: BoolArray, *, margin: float = chance.MARGIN, budget: int = NODES) -> Groups:
    """The exactly-one groups of at least two columns that stand out against chance by `margin` nats.

    Columns that are `known` to be in one, and copies of a column, are left aside. The search runs on some of the
    distinct labels, and what it finds is verified on all through the Gram matrix: the members' counts add up to n, and
    no two of them ever meet.
    """
    from tacit.mining.partitions import partitions

    counts = tally.gram[-1, :-1]
    binary = (np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0) & ~known
    varying = np.flatnonzero(binary & (counts > 0) & (counts < tally.n))
    varying = varying[~_copies(tally.gram[np.ix_(varying, varying)])]
    sample = tally.sample
    if sample is None:
        order = np.random.default_rng(0).permutation(len(tally.seen))[:SAMPLE]
        sample = tally.seen[np.sort(order)]
    found, complete = partitions(sample[:, varying] == 1, budget, MOST)
    sets = [varying[members] for members in found]
    kept = [s for s in sets if len(s) > 1 and _holds(s, tally) and _stands_out(s, tally, margin)]
    unseen = np.flatnonzero(binary & (counts == 0))
    kept = _completed(kept, unseen)
    rows = np.zeros((len(kept), len(counts) + 1), np.int64)
    for row, members in zip(rows, kept, strict=True):
        row[members], row[-1] = 1, -1
    return Groups(rows, complete)


def _copies(both: IntArray) -> BoolArray:
    """Which columns equal one before them: they meet whenever either is 1."""
    count = np.diag(both)
    same = (both == count[:, None]) & (both == count[None, :])
    return np.asarray(np.tril(same, -1).any(axis=1))


def _holds(members: IntArray, tally: Tally) -> bool:
    """Whether every example has exactly one of the members."""
    block = tally.gram[np.ix_(members, members)]
    return int(np.trace(block)) == tally.n == int(block.sum())


def _stands_out(members: IntArray, tally: Tally, margin: float) -> bool:
    """Whether so many examples would hardly have exactly one of some set of this size by chance."""
    share = tally.gram[-1, members] / tally.n
    exactly_one = float((share / (1 - share)).sum() * np.prod(1 - share))
    cost = chance.log_choose(tally.gram.shape[0] - 1, len(members))
    return chance.evidence(tally.trials, exactly_one, cost) >= margin


def _completed(sets: list[IntArray], unseen: IntArray) -> list[IntArray]:
    """Give the one column that no example has to the groups that lack a member, where that is unambiguous.

    A value that never came up in a few examples is not forbidden, only unseen. If all groups have the same size but
    some that lack one, and these are as many as every other column has groups, they are its groups.
    """
    if len(unseen) != 1 or not sets:
        return sets
    sizes = np.array([len(s) for s in sets])
    usual = int(np.bincount(sizes).argmax())
    short = np.flatnonzero(sizes == usual - 1)
    member = np.bincount(np.concatenate(sets))
    regular = set(sizes.tolist()) <= {usual, usual - 1} and set(member[member > 0].tolist()) == {len(short)}
    if not regular or not len(short):
        return sets
    return [np.sort(np.append(s, unseen)) if k in short else s for k, s in enumerate(sets)]
