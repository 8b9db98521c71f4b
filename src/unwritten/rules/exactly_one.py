"""Which rules say "exactly one of these variables is 1"."""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray
from unwritten.rules.ruleset import RuleSet


def exactly_one_rules(rules: RuleSet) -> BoolArray:
    """True for each rule Σ y_j = 1 over some of the variables."""
    zero_or_one = ((rules.matrix == 0) | (rules.matrix == 1)).all(axis=1)
    return np.asarray(zero_or_one & rules.equality & (rules.rhs == 1))


def in_exactly_one_rule(rules: RuleSet) -> BoolArray:
    """True for each variable that such a rule is about."""
    return np.asarray((rules.matrix[exactly_one_rules(rules)] != 0).any(axis=0))
