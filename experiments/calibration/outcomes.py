"""What a stated rule claims, beside what labels that were not mined say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binom

import unwritten
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining import lifted_labels
from unwritten.rules import MINED, RuleSet

BLOCK = 1 << 23  # the most products that are computed at once
SINGLE = 1 << 24  # integers below this are exact as 32-bit floats
SIGNIFICANT = 0.001  # of rules that keep their bound, at most this share is called significantly above it


@dataclass(frozen=True)
class Outcome:
    """One stated rule: its two numbers, and how many of the `tested` fresh labels broke it."""

    source: str
    examples: int
    kind: str
    text: str
    confidence: float
    bound: float
    tested: int
    broken: int

    @property
    def holds(self) -> bool:
        """No fresh label breaks the rule."""
        return self.broken == 0

    @property
    def rate(self) -> float:
        """The share of fresh labels that break the rule."""
        return self.broken / max(1, self.tested)

    @property
    def exceeds_bound(self) -> bool:
        """So many fresh labels break the rule that its bound is not believable."""
        return self.rate > self.bound and float(binom.sf(self.broken - 1, self.tested, self.bound)) < SIGNIFICANT


@dataclass(frozen=True)
class Trial:
    """For each rule the number of labels that tested it and that broke it; and the labels that broke any rule."""

    tested: IntArray
    broken: IntArray
    lost: int


def outcomes(source: str, model: unwritten.Model, fresh: IntArray, unknown: BoolArray | None = None) -> list[Outcome]:
    """Return the outcome of every mined rule, and of the matroid if one was mined.

    Where `unknown` (of the shape of the labels) is true, the value was never mined: a rule says nothing about it, and
    such labels do not test the rules on that variable.
    """
    mined, examples = model.rules.by_origin(MINED), model.examples
    trial = try_rules(mined, lifted_labels(model.lifts, fresh), unknown)
    found = [
        Outcome(source, examples, rule.kind, rule.text, rule.evidence.confidence, rule.evidence.bound(), tested, broken)
        for rule, tested, broken in zip(mined, trial.tested.tolist(), trial.broken.tolist(), strict=True)
        if rule.evidence is not None
    ]
    if model.matroid is not None:
        refused = int((~model.matroid.is_basis(fresh)).sum())
        found.append(Outcome(source, examples, "matroid", model.matroid.text, 1.0, 1.0, len(fresh), refused))
    return found


def try_rules(rules: RuleSet, labels: IntArray, unknown: BoolArray | None = None) -> Trial:
    """Test rules on labels. The products are of floats, which are exact for integers of this size."""
    tested, broken = np.zeros((2, len(rules)), np.int64)
    if not len(rules) or not len(labels):
        return Trial(tested, broken, 0)
    reach = int((np.abs(rules.matrix) @ np.abs(labels).max(axis=0)).max())
    exact: Any = np.float32 if reach < SINGLE else np.float64
    matrix, rhs = rules.matrix.T.astype(exact), rules.rhs.astype(exact)
    used, lost = (rules.matrix.T != 0).astype(np.float32), 0
    for start in range(0, len(labels), step := max(1, BLOCK // len(rules))):
        part = slice(start, start + step)
        sums: FloatArray = labels[part].astype(exact) @ matrix
        breaks: BoolArray = (sums > rhs) | (rules.equality & (sums < rhs))
        if unknown is None:
            tested += len(breaks)
        else:
            knows: BoolArray = unknown[part].astype(np.float32) @ used == 0
            tested += knows.sum(axis=0)
            breaks &= knows
        broken += breaks.sum(axis=0)
        lost += int(breaks.any(axis=1).sum())
    return Trial(tested, broken, lost)
