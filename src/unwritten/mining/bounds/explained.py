"""Explained covers: "at least one of Z" where a bound says "at least r of S", and Z is a part of S.

Once the bound is known, labels that miss Z are rarer than the cover's own evidence assumed: by chance, they miss Z with
the share of sets of as many members of S that do. A cover that this explains is no rule of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, exp

import numpy as np

from unwritten.evidence.chance import log_choose
from unwritten.mining.bounds.claims import Bound
from unwritten.mining.miner import Context, Mined
from unwritten.rules import MINED, Evidence


def without_explained_covers(context: Context, mined: Mined, bounds: Sequence[Bound]) -> Mined:
    """What was mined, with the covers that some of the bounds explain among the doubtful rules."""
    rules = mined.rules
    wide = [bound for bound in bounds if bound.most < -1 and (bound.values == -1).all()]
    covers = ~rules.equality & (rules.rhs == -1) & ((rules.matrix == 0) | (rules.matrix == -1)).all(axis=1)
    weaker: dict[int, Evidence] = {}
    for i in np.flatnonzero(covers).tolist():
        own, members = rules.evidence[i], np.flatnonzero(rules.matrix[i])
        if own is None or rules.origins[i] != MINED:
            continue
        for bound in wide:
            if np.isin(members, bound.columns).all():
                known = replace(own, chance=float(f"{1 - _missed(context, bound, len(members)):.12g}"))
                if known.nats < context.margin:
                    weaker[i] = replace(known, needed=_needed(known, context.margin))
                    break
    if not weaker:
        return mined
    explained = np.isin(np.arange(len(rules)), list(weaker))
    doubtful = replace(rules[explained], evidence=tuple(weaker[i] for i in np.flatnonzero(explained).tolist()))
    return replace(mined, rules=rules[~explained], doubtful=mined.doubtful + doubtful)


def _missed(context: Context, bound: Bound, members: int) -> float:
    """The share of labels that miss so many members of a scope, if each label has any of its members as likely."""
    size = len(bound.columns)
    sums, counts = np.unique(context.tally.seen[:, bound.columns].sum(axis=1), return_counts=True)
    shares = [exp(log_choose(size - members, s) - log_choose(size, s)) for s in sums.tolist()]
    return float(counts @ np.array(shares) / counts.sum())


def _needed(evidence: Evidence, margin: float) -> int:
    """How many more examples without an exception would give enough evidence."""
    against_chance = evidence.nats + evidence.price
    missing = evidence.examples * (margin - evidence.nats) / against_chance if against_chance > 0 else evidence.examples
    return max(1, ceil(missing))
