"""One rule, and the evidence it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from math import e, exp, log
from typing import Literal

from unwritten.data import IntArray

RowSense = Literal["==", "<="]

MINED, GIVEN, DEFINITION = "mined", "given", "definition"


@dataclass(frozen=True)
class Evidence:
    """What speaks for a rule.

    `examples` were looked at and `violations` of them break it; `chance` is the share of random labels that would obey
    it, and `price` what it costs to name it among all rules of its kind, in nats. `settled` is the confidence at which
    it passed another test: together with all equalities of a random half of the examples, on the other half.
    """

    examples: int
    violations: int = 0
    chance: float = 1.0
    price: float = 0.0
    settled: float = 0.0

    @property
    def support(self) -> int:
        """How many examples obey the rule."""
        return self.examples - self.violations

    @property
    def expected(self) -> float:
        """How many of the examples would break the rule by chance."""
        return self.examples * (1.0 - self.chance)

    @property
    def nats(self) -> float:
        """How much less likely the examples are under chance than under the rule, less its price.

        With violations it is the relative entropy of the share that obeys against chance.
        """
        if self.examples == 0:
            return -self.price
        share = self.support / self.examples
        if share <= self.chance:
            return -self.price
        gain = share * log(share / max(self.chance, 1e-300))
        if self.violations:
            gain += (1 - share) * log((1 - share) / (1 - self.chance))
        return self.examples * gain - self.price

    @property
    def alone(self) -> float:
        """At least the probability that so much evidence is not chance: 1 − e^−nats (a union bound over its kind)."""
        return 1.0 - exp(-max(0.0, self.nats))

    @property
    def confidence(self) -> float:
        """How sure the rule is: alone, or settled together where that says more, as of values hardly ever seen."""
        return max(self.settled, self.alone)

    @property
    def lemma2(self) -> float:
        """The paper's Lemma 2: chance that an equality mined from M examples fails on a fresh query, < 1/(e·M).

        It averages over the draw of the examples for one fixed equality; it says nothing of all rules together.
        """
        return 1.0 if self.examples == 0 or self.violations else min(1.0, 1.0 / (e * self.examples))

    def bound(self, confidence: float = 0.95) -> float:
        """With this confidence, for all rules at once, no larger share of future labels breaks this rule.

        Occam's bound: the binomial tail at (1 − confidence)·e^−price, so that all rules of the kind are covered.
        """
        from scipy.special import betainccinv

        if self.support <= 0 or confidence >= 1:
            return 1.0
        doubt = (1.0 - confidence) * exp(-self.price)
        if not self.violations:
            return float(min(1.0, -(log(1.0 - confidence) - self.price) / self.examples))
        return float(betainccinv(self.violations + 1, self.support, doubt))


@dataclass(frozen=True, eq=False)
class Rule:
    """`coefficients · y  sense  rhs`, with its kind, its origin (mined, given or definition) and its text."""

    coefficients: IntArray
    sense: RowSense
    rhs: int
    kind: str
    text: str
    origin: str
    evidence: Evidence | None

    def __str__(self) -> str:
        return self.text
