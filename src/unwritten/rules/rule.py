"""One rule, and the evidence it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import e, exp, log
from typing import Literal, Protocol

from unwritten.counted import counted
from unwritten.data import IntArray
from unwritten.data.html import html_table
from unwritten.shown import shown

RowSense = Literal["==", "<="]

MINED, GIVEN, DEFINITION, HABIT = "mined", "given", "definition", "habit"

RULE_HEADS = ("rule", "kind", "origin", "evidence")


@dataclass(frozen=True, repr=False)
class Evidence:
    """The examples that a rule was tested on, and how surely they show that it is not an accident.

    Two numbers say how far to trust a rule: `bound`, how often labels yet to come may break it, and `confidence`, how
    likely there is such a rule at all.

    Parameters
    ----------
    examples, violations
        How many examples the rule was tested on, and how many of them break it.
    chance, price
        The share of random labels that would obey the rule, and the cost, in nats, of choosing it among its kind.
    joint_confidence
        The confidence of a second test, in which all equalities found on a random half of the examples held on the
        other half, or the confidence that rules which are alike along the axes of the variables give it; 0 if neither.
    doubt
        How likely labels yet to come break the rule, judged by the rules that one to three examples break, and against
        a softer version of the rule itself.
    weight
        What one example counts: less than 1 if examples follow one another.
    needed
        How many more examples without an exception would make a doubtful rule sure; 0 for a rule that is stated.
    left_out
        How many labels a limit was tried on, each time fitted without them; 0 for other rules. `doubt` is the share
        that broke it, times the probability that the next label is new. A limit proves nothing: its numbers are the
        likeliest of many.
    estimate
        True for a limit whose numbers are not settled: a weaker row explains the examples as well.

    >>> Evidence(200, violations=3, chance=0.5, price=8.0)
    Evidence(200 examples, 3 break it, at most 1 in 11 will, >99.9 % sure it is not an accident)
    """

    examples: int
    violations: int = 0
    chance: float = 1.0
    price: float = 0.0
    joint_confidence: float = 0.0
    doubt: float = 0.0
    weight: float = 1.0
    needed: int = 0
    left_out: int = 0
    estimate: bool = False

    @property
    def support(self) -> int:
        """The number of examples that obey the rule."""
        return self.examples - self.violations

    @property
    def expected(self) -> float:
        """The number of examples that would break the rule if labels were random."""
        return self.weight * self.examples * (1.0 - self.chance)

    @property
    def nats(self) -> float:
        """How much better the rule explains the examples than chance does, in nats, less the rule's price.

        With violations, each example counts the relative entropy of the share that obeys the rule against `chance`.
        """
        if self.examples == 0:
            return -self.price
        share = self.support / self.examples
        if share <= self.chance:
            return -self.price
        gain = share * log(share / max(self.chance, 1e-300))
        if self.violations:
            gain += (1 - share) * log((1 - share) / (1 - self.chance))
        return self.weight * self.examples * gain - self.price

    @property
    def own_confidence(self) -> float:
        """A lower bound on the probability that this much evidence is not chance: 1 − e^−nats.

        The price makes this a union bound over all rules of the kind.
        """
        return 1.0 - exp(-max(0.0, self.nats))

    @property
    def confidence(self) -> float:
        """How likely there is such a rule at all: that it is neither chance nor broken by labels yet to come.

        The joint test of all equalities says more than a rule's own evidence about values that are hardly ever seen.
        """
        return min(max(self.joint_confidence, self.own_confidence), 1.0 - self.doubt)

    @property
    def lemma2(self) -> float:
        """The paper's Lemma 2: an equality mined from M examples fails on a fresh query with probability < 1/(e·M).

        The bound averages over the draw of the examples for one fixed equality. It does not hold for all rules at once.
        """
        return 1.0 if self.examples == 0 or self.violations else min(1.0, 1.0 / (e * self.examples))

    def bound(self, confidence: float = 0.95) -> float:
        """With this confidence, for all rules at once, no larger share of future labels breaks this rule.

        This is Occam's bound: the binomial tail at (1 − confidence)·e^−price, which covers all rules of the kind.
        """
        from scipy.special import betainccinv

        if self.support <= 0 or confidence >= 1:
            return 1.0
        doubt = (1.0 - confidence) * exp(-self.price)
        if not self.violations:
            return float(min(1.0, -(log(1.0 - confidence) - self.price) / (self.weight * self.examples)))
        return float(betainccinv(self.weight * self.violations + 1, self.weight * self.support, doubt))

    def __str__(self) -> str:
        verb = "breaks" if self.violations == 1 else "break"
        broken = f", {self.violations:,} {verb} it" if self.violations else ""
        if self.left_out:
            return (
                f"{counted(self.examples, 'example')}; {100 * self.doubt:.2g} % of new examples may break it (tried on "
                f"{self.left_out:,} labels that it was fitted without)"
            )
        return (
            f"{counted(self.examples, 'example')}{broken}, {often_text(self.bound())} will, "
            f"{sure_text(self.confidence)} sure it is not an accident"
        )

    def __repr__(self) -> str:
        return f"Evidence({self})"

    def _repr_html_(self) -> str:
        measures = [
            ("examples", self.examples),
            ("examples that break the rule", self.violations),
            ("examples that would break it by chance", f"{self.expected:,.1f}"),
            ("labels yet to come that break it (with 95 % confidence)", often_text(self.bound())),
            ("how sure it is not an accident", sure_text(self.confidence)),
        ]
        return html_table(["evidence", "value"], measures)


@dataclass(frozen=True, eq=False, repr=False)
class Rule:
    """The constraint `coefficients · y  sense  rhs`, with its kind, its text and its origin.

    The origin is *mined*, *given* (by a person), *definition* (of a one-hot column or a latent variable) or *habit*
    (what the examples always do but do not prove to be required).
    """

    coefficients: IntArray
    sense: RowSense
    rhs: int
    kind: str
    text: str
    origin: str
    evidence: Evidence | None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Rule({shown(self.text)!r})"

    def _repr_html_(self) -> str:
        return html_table(RULE_HEADS, [rule_cells(self)])


class Stated(Protocol):
    """What is said of a rule, or of several together."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def kind(self) -> str:
        """The kind of row."""

    @property
    def origin(self) -> str:
        """Where the rules come from."""

    @property
    def evidence(self) -> Evidence | None:
        """What the rules rest on."""


def rule_cells(rule: Stated) -> tuple[object, ...]:
    """The row of an HTML table with the heads `RULE_HEADS`."""
    return rule.text, rule.kind, rule.origin, rule.evidence


def weakest(evidence: Iterable[Evidence | None]) -> Evidence | None:
    """The evidence of the rule that is least sure; None if none of the rules has evidence."""
    known = [part for part in evidence if part is not None]
    return min(known, key=lambda part: (part.nats, part.examples), default=None)


def often_text(bound: float) -> str:
    """How often a rule may break, in words: a share of at most 0.004 is "at most 1 in 250".

    >>> often_text(0.004), often_text(0.7)
    ('at most 1 in 250', 'any number')
    """
    return f"at most 1 in {int(1 / bound + 1e-9):,}" if bound <= 0.5 else "any number"


def sure_text(confidence: float) -> str:
    """A confidence in percent; never 100 %, since no number of examples is a proof."""
    return ">99.9 %" if confidence > 0.9995 else f"{100 * confidence:.1f} %"
