"""The evidence for exactly-one groups, and which of them to keep."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.evidence.chance import trials_and_price
from unwritten.tally import Tally


def group_evidence(members: IntArray, tally: Tally, other: IntArray | None = None) -> float:
    """The evidence in nats for a group, against columns that are drawn independently.

    If another group is given, it is taken to hold: chance then draws exactly one of its columns.
    """
    share = tally.gram[-1, members] / tally.n
    width = tally.gram.shape[0] - 1
    row = np.zeros(width, np.int64)
    row[members] = 1
    trials, price = trials_and_price(tally, row)
    if other is None:
        return chance.evidence(trials, _none_or_one(share)[1], price)
    common = np.isin(members, other)
    none, one = _none_or_one(share[~common])
    inside = float(share[common].sum())
    shared = int(common.sum())
    price = chance.log_choose(len(other), shared) + chance.log_choose(width - len(other), len(members) - shared)
    return chance.evidence(trials, inside * none + (1 - inside) * one, price)


def block_evidence(members: IntArray, tally: Tally) -> float:
    """The evidence in nats for a group whose columns are known before the examples, so that naming it is free."""
    share = tally.gram[-1, members] / tally.n
    return 0.0 if (share == 1).any() else chance.evidence(tally.n, _none_or_one(share)[1], 0.0)


def family_evidence(blocks: Sequence[IntArray], tally: Tally) -> float:
    """The evidence in nats for all blocks together, against random labels that have as many ones as there are blocks.

    Without this test, two pairs of columns could pass for cells because "exactly two of the four" holds.
    """
    counts = tally.gram[-1, :-1]
    sizes = [max(1, int(np.count_nonzero(counts[block]))) for block in blocks]
    return tally.n * (chance.log_choose(sum(sizes), len(sizes)) - sum(log(size) for size in sizes))


def evidence_beyond_blocks(members: IntArray, blocks: Sequence[IntArray], tally: Tally) -> float:
    """The evidence in nats for a group if exactly one column of each block is 1, and chance draws it for each block."""
    share = tally.gram[-1, :-1] / tally.n
    inside = np.zeros(len(share), bool)
    inside[members] = True
    parts = [float(share[block[inside[block]]].sum()) for block in blocks if inside[block].any()]
    inside[np.concatenate(blocks)] = False
    none, one = 1.0, 0.0  # the probabilities that none, and that exactly one, of the members so far is 1
    for part in [*parts, *share[inside].tolist()]:
        none, one = none * (1 - part), one * (1 - part) + none * part
    row = np.zeros(len(share), np.int64)
    row[members] = 1
    trials, price = trials_and_price(tally, row)
    return chance.evidence(trials, min(1.0, one), price)


def _none_or_one(share: FloatArray) -> tuple[float, float]:
    """The probabilities that none, and that exactly one, of independent columns is 1."""
    none = float(np.prod(1 - share))
    return none, none * float((share / (1 - share)).sum())


def without_near_copies(groups: list[IntArray], tally: Tally, margin: float) -> list[IntArray]:
    """Drop a group that differs from a believed one in a few columns, if the difference may be an accident.

    In a few examples, a rare column can always be 1 where another one is. Groups of the commonest size come first.
    """
    if len(groups) < 2:
        return groups
    sizes = np.array([len(members) for members in groups])
    usual = int(np.bincount(sizes).argmax())
    order = sorted(range(len(groups)), key=lambda k: (sizes[k] != usual, -group_evidence(groups[k], tally)))
    member = np.zeros((len(groups), tally.gram.shape[0] - 1), np.float32)
    for row, members in zip(member, groups, strict=True):
        row[members] = 1
    common = member @ member.T  # exact: counts of columns
    believed: list[int] = []
    for k in order:
        if believed:
            nearest = believed[int(common[k, believed].argmax())]
            overlaps = common[k, nearest] > 1
            if overlaps and group_evidence(groups[k], tally, groups[nearest]) - np.log(len(groups)) < margin:
                continue
        believed.append(k)
    return [groups[k] for k in sorted(believed)]


def completed(groups: list[IntArray], never_one: IntArray) -> list[IntArray]:
    """Add the one column that is never 1 to the groups that lack a member, if it is clear which these are.

    A value that does not occur in a few examples may still be allowed. Suppose that all groups have the same size
    except some that lack one member, and that their number is the number of groups that every other column is in. Then
    the column belongs to them.
    """
    if len(never_one) != 1 or not groups:
        return groups
    sizes = np.array([len(members) for members in groups])
    usual = int(np.bincount(sizes).argmax())
    short = np.flatnonzero(sizes == usual - 1)
    memberships = np.bincount(np.concatenate(groups))
    regular = set(sizes.tolist()) <= {usual, usual - 1} and set(memberships[memberships > 0].tolist()) == {len(short)}
    if not regular or not len(short):
        return groups
    return [np.sort(np.append(members, never_one)) if k in short else members for k, members in enumerate(groups)]
