"""Near pairs: pairs of literals that one to three examples have, beside those that none has.

They tell how many pairs are absent by luck. A pair whose absence follows from exactly-one groups or from longer rules
is no matter of luck, so it is not counted: hundreds of such pairs would make the few that are left look surer than they
are. Short equalities are counted with the pairs: a = b says two implications at once, a = b + c three and an exclusion.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.evidence.doubt import WEIGHTS, NearRules
from unwritten.mining.pairs.pair_miner import clauses_of
from unwritten.mining.pairs.rare_pairs import least_expected, rare_pairs, varying_columns
from unwritten.rules import RuleSet
from unwritten.rules.exactly_one import exactly_one_rules
from unwritten.tally.tally import Tally

SHORT = 3  # equalities with at most so many columns say no more than pairs do


def near_pairs(tally: Tally, known: RuleSet, margin: float) -> NearRules:
    """The strengths of pairs that are never both true, and of those that are in one, two or three examples.

    Pairs that follow from known exactly-one rules, and from known rules over more than `SHORT` columns, are left out.
    """
    columns = varying_columns(tally)
    if len(columns) < 2:
        return NearRules.of(np.zeros(0), np.zeros(0), np.zeros(0))
    weight = tally.weight
    rare = rare_pairs(tally, columns, known, least_expected(columns, margin) / weight, int(len(WEIGHTS) / weight))
    near = rare.exceptions > 0
    rule = ~near
    if near.any():
        first, second = rare.literals
        long = (known.matrix != 0).sum(axis=1) > SHORT
        clauses = clauses_of(known[long | exactly_one_rules(known)])
        strongest = np.flatnonzero(rule)
        strongest = strongest[np.argsort(-rare.expected[strongest], kind="stable")[: budgets.PAIR_CANDIDATES]]
        follows = [
            clauses.excludes(a, b) for a, b in zip(first[strongest].tolist(), second[strongest].tolist(), strict=True)
        ]
        rule[strongest[np.array(follows, bool)]] = False
    strengths = weight * rare.expected
    return NearRules.of(strengths[rule], strengths[near], np.asarray(weight * rare.exceptions[near], float))
