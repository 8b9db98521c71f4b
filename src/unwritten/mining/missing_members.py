"""Missing members: a column that no example has may belong to a rule that was found without it.

"Exactly one of a, b, c" is wrong if d, which no example has, can take their place. The rules are then found without d,
and the first label with d breaks them.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.doubt import never_odds
from unwritten.mining.groups.block_families import follows_numbers
from unwritten.mining.groups.laid_out import laid_out_blocks
from unwritten.mining.miner import Context
from unwritten.rules import RuleSet
from unwritten.rules.exactly_one import in_exactly_one_rule

REGULAR = 0.5  # if this share of the rules have one size, smaller ones look as if they lacked a member


def missing_member_odds(context: Context, rules: RuleSet) -> FloatArray:
    """For each rule, the odds that a column which no example has belongs to it.

    Such a column is expected to belong to as many rules as other columns do. If most rules have one size, smaller ones
    are the first to lack a member.
    """
    odds = np.zeros(len(rules))
    never = _never_one(context)
    if not len(never):
        return odds
    width = context.tally.seen.shape[1]
    excluded = in_exactly_one_rule(context.known)[:width]
    families = laid_out_blocks(context, excluded).families
    at_risk = np.flatnonzero(_needs_all_members(rules) & ~follows_numbers(rules.matrix[:, :width], families))
    if not len(at_risk):
        return odds
    member = rules.matrix[at_risk] != 0
    sizes, memberships = member.sum(axis=1), member.sum(axis=0)
    places = len(never) * float(memberships[memberships > 0].mean())  # in the rules, for columns that are missing
    odds[at_risk] = _shared_out(sizes, places) * never_odds(context.tally.weight * context.tally.n)
    return odds


def _needs_all_members(rules: RuleSet) -> BoolArray:
    """Which rules a further column could break: equalities, and "at least" rules."""
    columns = (rules.matrix != 0).sum(axis=1)
    at_least = (rules.matrix <= 0).all(axis=1) & (rules.rhs < 0)
    return np.asarray((columns > 1) & (rules.equality | at_least))


def _never_one(context: Context) -> IntArray:
    """The columns that are 0 in every example, and that no known rule explains."""
    width = context.tally.seen.shape[1]
    zero = (context.tally.gram[-1, :width] == 0) & (np.diag(context.tally.gram)[:width] == 0)
    return np.flatnonzero(zero & ~in_exactly_one_rule(context.known)[:width])


def _shared_out(sizes: IntArray, places: float) -> FloatArray:
    """The missing members that each rule has on average: first for rules that are smaller than usual.

    The usual size says nothing of rules that are larger, so these may lack a member each.
    """
    counts = np.bincount(sizes)
    usual = int(counts.argmax())
    short = np.where(sizes > usual, 1, usual - sizes).astype(float)
    if counts[usual] >= REGULAR * len(sizes) and len(sizes) > 2 and short.any():
        filled = np.minimum(1.0, short * min(1.0, places / short.sum()))
        return np.asarray(filled + max(0.0, places - short.sum()) / len(sizes))
    return np.full(len(sizes), places / len(sizes))
