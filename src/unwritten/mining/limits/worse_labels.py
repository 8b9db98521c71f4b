"""Labels that are worse than a seen one for the weights of every example: no example shows that they are forbidden.

If a column is a gain in every example (or a cost), no example tells whether having less of it is allowed. Limits are
about what would have been better, so they should not forbid what is merely worse: such labels are kept like seen ones.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.limits.choices import Choices
from unwritten.rules import RuleSet

STEPS = 2  # steps from a seen label


def worse_labels(choices: Choices, rules: RuleSet, steps: IntArray) -> IntArray:
    """Labels one or two steps from a seen label that are worse for all weights, within bounds and rules."""
    gains, costs = choices.better > 0, choices.better < 0
    worse = steps[((steps <= 0) | costs).all(axis=1) & ((steps >= 0) | gains).all(axis=1)]
    lower, upper = choices.variables.lower, choices.variables.upper
    seen = choices.seen
    labels = [seen]
    for _ in range(STEPS):
        if not len(worse) or not len(labels[-1]):
            break
        room = max(1, budgets.LIMIT_WORSE_LABELS // len(worse))
        start = labels[-1][np.random.default_rng(0).permutation(len(labels[-1]))[:room]]
        after = (start[:, None] + worse[None]).reshape(-1, len(lower))
        after = after[((after >= lower) & (after <= upper)).all(axis=1)]
        labels.append(np.unique(after[rules.obeyed_by(after)], axis=0))
    distinct = np.unique(np.concatenate(labels), axis=0)
    return _without(distinct, seen)


def _without(labels: IntArray, others: IntArray) -> IntArray:
    """The distinct labels that are not among the others."""
    both, counts = np.unique(np.concatenate([labels, others]), axis=0, return_counts=True)
    return np.asarray(both[counts == 1])
