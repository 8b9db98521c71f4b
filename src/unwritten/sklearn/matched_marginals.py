"""MatchedMarginals: a classifier's probabilities, moved as little as the rules demand.

Of all distributions over labels that obey the rules, take the one of largest entropy that keeps the classifier's
probability of each label. Its marginals are those probabilities, if any such distribution exists. If none does, as when
"cat" is likelier than "animal", they are moved as little as possible, in relative entropy, until they obey every rule
in expectation. For rules that form a forest or separate groups, that is all that a distribution over labels requires;
for others it is what their linear relaxation requires. Without rules, nothing moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.model import Model
from unwritten.native import kernels
from unwritten.rules import RuleSet
from unwritten.sklearn.target_columns import TargetColumns

TOLERANCE = 1e-6
"""By how much the expected sum of a rule may miss its right-hand side."""


@dataclass(frozen=True, eq=False)
class MatchedMarginals:
    """The rules that marginals must obey in expectation."""

    rules: RuleSet

    @classmethod
    def of(cls, model: Model, target: TargetColumns) -> MatchedMarginals:
        """Take the rules over the label's own variables; in columns of classes, one class of each has to be true."""
        width = len(model.variables)
        rules = model.rules[~(model.rules.matrix[:, width:] != 0).any(axis=1)]
        if target.binary:
            return cls(rules)
        column = np.repeat(np.arange(len(target.order)), [len(order) for order in target.order])
        blocks = np.zeros((len(target.order), len(rules.variables)), np.int64)
        blocks[column, np.arange(width)] = 1
        return cls(rules + RuleSet.of(rules.variables, [(row, "==", 1) for row in blocks]))

    def marginals(self, probabilities: FloatArray) -> FloatArray:
        """The probabilities (m × d) after the rules; those that need not move keep every bit."""
        if not len(self.rules):
            return probabilities
        given = np.ascontiguousarray(probabilities)
        starts, columns, coefficients, rhs, equality = self.rules.entries
        return kernels.matched_marginals(
            given, starts, columns, coefficients, rhs, equality, budgets.MATCHING_SWEEPS, TOLERANCE
        )
