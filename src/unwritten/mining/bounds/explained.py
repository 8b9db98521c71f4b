"""Explained covers: "at least one of Z" where bounds say "at least r of S", and Z shares columns with such scopes S.

Once the bounds are known, labels that miss Z are rarer than the cover's own evidence assumed: by chance, a label misses
Z with the share of the sets of as many members of each S that do. A cover that this explains is no rule of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, exp

import numpy as np

from unwritten.data import IntArray
from unwritten.evidence.chance import log_choose
from unwritten.mining.bounds.bound_claims import Bound
from unwritten.mining.miner import Context, Mined
from unwritten.rules import MINED, Evidence


def without_explained_covers(context: Context, mined: Mined, bounds: Sequence[Bound]) -> Mined:
    """What was mined, with the covers that some of the bounds explain among the doubtful rules.

    Pairs that are believed as a class were not believed because of their own evidence.
    """
    rules = mined.rules
    wide = [bound for bound in bounds if bound.most < -1 and (bound.values == -1).all()]
    covers = ~rules.equality & (rules.rhs == -1) & ((rules.matrix == 0) | (rules.matrix == -1)).all(axis=1)
    weaker: dict[int, Evidence] = {}
    for i in np.flatnonzero(covers).tolist():
        own, members = rules.evidence[i], np.flatnonzero(rules.matrix[i])
        if own is not None and not own.joint_confidence and rules.origins[i] == MINED:
            missed = _missed(context, wide, members)
            known = replace(own, chance=max(own.chance, float(f"{1 - missed:.12g}")))
            if known.nats < context.margin <= own.nats:
                weaker[i] = replace(known, needed=_needed(known, context.margin))
    if not weaker:
        return mined
    explained = np.isin(np.arange(len(rules)), list(weaker))
    doubtful = replace(rules[explained], evidence=tuple(weaker[i] for i in np.flatnonzero(explained).tolist()))
    return replace(mined, rules=rules[~explained], doubtful=mined.doubtful + doubtful)


def _missed(context: Context, bounds: Sequence[Bound], members: IntArray) -> float:
    """The share of labels that would miss all members if each label drew its members of each bounded scope at random.

    Scopes and the columns outside them are independent.
    """
    labels, share = context.tally.seen, 1.0
    for bound in bounds:
        inside = np.isin(members, bound.columns)
        if inside.any():
            share *= _missed_in_scope(labels[:, bound.columns].sum(axis=1), len(bound.columns), int(inside.sum()))
            members = members[~inside]
    return share * float(np.prod(1 - labels[:, members].mean(axis=0)))


def _missed_in_scope(sums: IntArray, size: int, members: int) -> float:
    """The share of sets with these sums, out of `size` columns, that have none of some of the columns."""
    values, counts = np.unique(sums, return_counts=True)
    shares = [exp(log_choose(size - members, value) - log_choose(size, value)) for value in values.tolist()]
    return float(counts @ np.array(shares) / counts.sum())


def _needed(evidence: Evidence, margin: float) -> int:
    """How many more examples without an exception would give enough evidence."""
    against_chance = evidence.nats + evidence.price
    missing = evidence.examples * (margin - evidence.nats) / against_chance if against_chance > 0 else evidence.examples
    return max(1, ceil(missing))
