"""Groups: "exactly one of S", from few examples, by exact cover over the supports of 0/1 columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.evidence.trials import trials_and_price
from unwritten.mining.local_search import local_partitions
from unwritten.tally.equal_columns import first_twins
from unwritten.tally.tally import Tally


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows `[a, −1]` over [y, 1]; not `complete` if the budget cut the search short."""

    rows: IntArray
    complete: bool


def groups(
    tally: Tally, known: BoolArray, *, margin: float = chance.MARGIN, budget: int = budgets.GROUP_WORK
) -> Groups:
    """The exactly-one groups of at least two columns that stand out against chance by `margin` nats.

    Columns that are `known` to be in one, and copies of a column, are left aside. The search runs on some of the
    distinct labels, and what it finds is verified on all through the Gram matrix: the members' counts add up to n, and
    no two of them ever meet.
    """
    counts = tally.gram[-1, :-1]
    binary = (np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0) & ~known
    varying = np.flatnonzero(binary & (counts > 0) & (counts < tally.n))
    varying = varying[first_twins(tally.gram, varying) == np.arange(len(varying))]
    wide = len(varying) > budgets.WIDE_COLUMNS and tally.symmetry is None
    sets, complete = (
        local_partitions(tally.gram, tally.seen, varying, budgets.GROUPS_SEARCHED)
        if wide
        else _searched(tally, varying, budget)
    )
    kept = [s for s in sets if len(s) > 1 and _holds(s, tally) and _evidence(s, tally) >= margin]
    if not complete:  # as in a deep hierarchy, whose levels combine freely: any few of them will do
        kept = sorted(kept, key=len)[: None if wide else budgets.GROUPS_KEPT]
    kept = _apart(kept, tally, margin)
    unseen = np.flatnonzero(binary & (counts == 0))
    kept = _completed(kept, unseen)
    rows = np.zeros((len(kept), len(counts) + 1), np.int64)
    for row, members in zip(rows, kept, strict=True):
        row[members], row[-1] = 1, -1
    return Groups(rows, complete)


def _searched(tally: Tally, varying: IntArray, budget: int) -> tuple[list[IntArray], bool]:
    """The groups that hold on a sample of the labels, or of their images."""
    from unwritten.mining.group_search import partitions

    sample = _some(tally.seen, varying) if tally.symmetry is None else tally.symmetry.sample
    found, complete = partitions(sample[:, varying] == 1, budget // max(1, len(varying)), budgets.GROUPS_SEARCHED)
    return [varying[members] for members in found], complete


def _some(seen: IntArray, columns: IntArray) -> IntArray:
    """A sample of the labels, and one more for each column that no label of it has: else its groups were missed."""
    order = np.random.default_rng(0).permutation(len(seen))
    chosen, rest = order[: budgets.GROUP_SAMPLE], order[budgets.GROUP_SAMPLE :]
    lacking = columns[~seen[np.ix_(chosen, columns)].any(axis=0)]
    more = [rest[int(seen[rest, j].argmax())] for j in lacking]
    return np.asarray(seen[np.unique(np.concatenate([chosen, np.array(more, np.int64)]))])


def _holds(members: IntArray, tally: Tally) -> bool:
    """Whether every example has exactly one of the members."""
    block = tally.gram[np.ix_(members, members)]
    return int(np.trace(block)) == tally.n == int(block.sum())


def _evidence(members: IntArray, tally: Tally, other: IntArray | None = None) -> float:
    """Nats by which the examples speak against chance for a group (given that another one holds).

    Chance draws every column by itself, but of the other group exactly one.
    """
    share = tally.gram[-1, members] / tally.n
    width = tally.gram.shape[0] - 1
    row = np.zeros(width, np.int64)
    row[members] = 1
    trials, cost = trials_and_price(tally, row)
    if other is None:
        return chance.evidence(trials, _none_or_one(share)[1], cost)
    common = np.isin(members, other)
    none, one = _none_or_one(share[~common])
    inside = float(share[common].sum())
    kept = int(common.sum())
    cost = chance.log_choose(len(other), kept) + chance.log_choose(width - len(other), len(members) - kept)
    return chance.evidence(trials, inside * none + (1 - inside) * one, cost)


def _none_or_one(share: FloatArray) -> tuple[float, float]:
    """The chances that none, and that exactly one, of independent columns is 1."""
    none = float(np.prod(1 - share))
    return none, none * float((share / (1 - share)).sum())


def _apart(sets: list[IntArray], tally: Tally, margin: float) -> list[IntArray]:
    """Drop groups that are a believed one with a few columns exchanged, where the exchange may be an accident.

    A rare column or two can stand in for another in all of a few examples. Groups of the usual size come first.
    """
    if len(sets) < 2:
        return sets
    sizes = np.array([len(s) for s in sets])
    usual = int(np.bincount(sizes).argmax())
    order = sorted(range(len(sets)), key=lambda k: (sizes[k] != usual, -_evidence(sets[k], tally)))
    member = np.zeros((len(sets), tally.gram.shape[0] - 1), np.float32)
    for row, s in zip(member, sets, strict=True):
        row[s] = 1
    common = member @ member.T
    kept: list[int] = []
    for k in order:
        if kept:
            nearest = kept[int(common[k, kept].argmax())]
            near = common[k, nearest] > 1
            if near and _evidence(sets[k], tally, sets[nearest]) - np.log(len(sets)) < margin:
                continue
        kept.append(k)
    return [sets[k] for k in sorted(kept)]


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
