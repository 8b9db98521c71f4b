"""Explained parts: "at least one of these 12 people" where "at least three of all 15" is a rule already.

Once the sum over a scope S is limited, sums over parts of it rarely pass a value that no rule forbids: a label with k
members of S has any k of them. So a bound on a part needs as much evidence against this rival as against all others.
Under this rival, no label ever passes a bound that follows from the one on S, so such a bound is not stated either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.evidence.chance import exceeds
from unwritten.mining.bounds.believed_bounds import Believed
from unwritten.mining.bounds.bound_claims import Bound
from unwritten.mining.bounds.fewest_columns import with_fewest_columns
from unwritten.mining.miner import Context
from unwritten.rules import Evidence

SCOPES = 4  # of the scopes around a part, the narrowest ones that are tried as a rival


def without_explained_parts(believed: Believed, context: Context, blocks: Sequence[IntArray]) -> Believed:
    """The bounds; those that a bound on more columns explains are no longer sure.

    Sums over members of exactly-one blocks are compared in the fewest columns.
    """
    claims: dict[int, tuple[list[Bound], Evidence]] = {}
    for bound, evidence in believed.sure:  # bounds of one claim share their evidence
        claims.setdefault(id(evidence), ([], evidence))[0].append(with_fewest_columns(bound, blocks))
    binary = context.variables.binary
    counts = [key for key, (bounds, _) in claims.items() if all(_is_count(bound, binary) for bound in bounds)]
    wide: list[Bound] = []
    explained: set[int] = set()
    for key in sorted(counts, key=lambda key: -min(len(bound.columns) for bound in claims[key][0])):
        bounds, evidence = claims[key]
        if _passed(bounds, wide, context) < evidence.price + context.margin:
            explained.add(key)
        else:
            wide += bounds
    if not explained:
        return believed
    sure = [(bound, evidence) for bound, evidence in believed.sure if id(evidence) not in explained]
    unsure = [(bound, _doubted(evidence)) for bound, evidence in believed.sure if id(evidence) in explained]
    return Believed(sure, believed.unsure + unsure)


def _is_count(bound: Bound, binary: BoolArray) -> bool:
    return bool(binary[bound.columns].all()) and set(bound.values.tolist()) in ({1}, {-1})


def _passed(bounds: list[Bound], wide: list[Bound], context: Context) -> float:
    """How many labels should pass these bounds if they have any members of the wider scopes."""
    scopes = [frozenset(bound.columns.tolist()) for bound in wide]
    total = 0.0
    for bound in bounds:
        members = frozenset(bound.columns.tolist())
        around = sorted({scope for scope in scopes if members < scope}, key=lambda scope: (len(scope), sorted(scope)))
        total += min((_passed_within(bound, scope, context) for scope in around[:SCOPES]), default=np.inf)
    return total


def _passed_within(bound: Bound, scope: frozenset[int], context: Context) -> float:
    size, labels = len(bound.columns), context.tally.seen[:, sorted(scope)]
    sums, most = labels.sum(axis=1), bound.most
    if bound.values[0] < 0:  # "at least so many ones" is read as "at most so many zeros"
        sums, most = len(scope) - sums, size + bound.most
    totals, where = np.unique(sums, return_inverse=True)
    counts = np.bincount(where.ravel(), context.tally.counts)
    return float(context.tally.weight * counts.sum() * exceeds(len(scope), size, most, totals, counts))


def _doubted(evidence: Evidence) -> Evidence:
    """The evidence of a bound that another one explains: twice as many examples may settle it."""
    return replace(evidence, doubt=max(evidence.doubt, 0.5), needed=max(evidence.needed, evidence.examples))
