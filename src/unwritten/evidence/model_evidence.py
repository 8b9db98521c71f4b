"""How far a model can be trusted, judged by its own examples: no test set is needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt

import numpy as np

from unwritten import linalg
from unwritten.counted import counted
from unwritten.data import IntArray
from unwritten.data.html import html_table
from unwritten.evidence import break_bound, chance, critical
from unwritten.rules import MINED, RuleSet
from unwritten.tally import Tally, gram_of

FARTHEST = 1.0  # most new examples per example to look ahead: beyond it, the Good–Toulmin series is noise
TERMS = 20  # terms of the series: later ones are differences of huge numbers that nearly cancel


@dataclass(frozen=True, eq=False, repr=False)
class ModelEvidence:
    """What the examples say about the next one.

    `labels` are the distinct labels, followed by their latent variables if the rules have any; `counts` says how often
    each was seen.
    """

    rules: RuleSet
    labels: IntArray
    counts: IntArray

    @property
    def examples(self) -> int:
        """How many labels were mined."""
        return int(self.counts.sum())

    @property
    def unseen(self) -> float:
        """The probability that the next label is new: the share of examples whose label was seen once (Good–Turing)."""
        return chance.unseen(self.counts)

    def unseen_bound(self, confidence: float = 0.95) -> float:
        """With this confidence, the next label is new with at most this probability (McAllester and Schapire)."""
        width = (2 * sqrt(2) + sqrt(3)) * sqrt(log(3 / (1 - confidence)) / self.examples)
        return min(1.0, self.unseen + width)

    @cached_property
    def whole(self) -> bool:
        """True if all equalities that the examples obey were mined, and there are some."""
        gram = self._tally.gram
        nullity = len(gram) - linalg.rank_modulo(gram)
        return len(self.rules.by_origin(MINED).equalities) > 0 and linalg.rank_modulo(self.rules.rows) == nullity

    @cached_property
    def breaks(self) -> float:
        """The probability that the next label breaks a mined equality: the share of critical examples (unbiased)."""
        if not self.whole:
            return 0.0
        return critical(self._tally, self.labels) / self.examples

    def breaks_bound(self, confidence: float = 0.95) -> float:
        """With this confidence, no larger share of future labels breaks any equality that all examples obey."""
        return break_bound(self._tally, self.labels, confidence)

    @property
    def inner_accuracy(self) -> float:
        """The expected share of fresh queries for which the best seen label is the right answer."""
        return 1.0 - self.unseen

    def inner_accuracy_after(self, more: int) -> float:
        """The expected share after `more` further examples, by the series of Good and Toulmin.

        It looks ahead no further than twice the examples.
        """
        t = min(FARTHEST, more / self.examples)
        often = np.bincount(self.counts[self.counts <= TERMS], minlength=2)[1:]
        power = np.arange(1, len(often) + 1)
        terms = (-1.0) ** (power - 1) * power * t ** (power - 1) * often
        unseen = float(terms.sum() / self.examples)
        if not 0 <= unseen <= self.unseen:  # too few examples for the series: continue the trend of the second half
            unseen = self.unseen * (self.unseen / max(self._unseen_at_half, self.unseen, 1e-12)) ** np.log2(1 + t)
        return 1.0 - float(unseen)

    @property
    def _unseen_at_half(self) -> float:
        """The expected probability of a new label after a random half of the examples."""
        # for each label, the probability that it is in the half exactly once
        once = self.counts * 0.5 ** (self.counts.astype(np.float64) - 1) / 2
        return float(2 * once.sum() / self.examples)

    @property
    def weakest(self) -> float:
        """The least confidence of a mined rule; 1 if no rule was mined."""
        return min((e.confidence for e in self.rules.by_origin(MINED).evidence if e is not None), default=1.0)

    def summary(self) -> str:
        """All of the above in plain words, one fact per line."""
        mined = self.rules.by_origin(MINED)
        noisy = sum(1 for e in mined.evidence if e is not None and e.violations)
        again = self.inner_accuracy_after(self.examples)
        lines = [
            f"{self.examples} examples, {len(self.counts)} distinct labels, {int((self.counts == 1).sum())} seen once",
            f"the next label is unseen with probability {_percent(self.unseen)} (at most "
            f"{_percent(self.unseen_bound())} with 95 % confidence)",
            f"so the best seen label answers {_percent(self.inner_accuracy)} of fresh queries, "
            f"and {_percent(again)} after as many examples again",
        ]
        if self.whole:
            lines.append(
                f"the next label breaks a mined equality with probability {_percent(self.breaks)} (at most "
                f"{_percent(self.breaks_bound())} with 95 % confidence)"
            )
        if len(mined):
            lines.append(
                f"{counted(len(mined), 'rule')} mined; with {_percent(self.weakest)} confidence the weakest is not an "
                "accident"
            )
        if noisy:
            lines.append(f"{noisy} of them are noisy: some examples break them")
        return "\n".join(lines)

    __str__ = summary

    def __repr__(self) -> str:
        return f"ModelEvidence({self.summary().splitlines()[0]})"

    def _repr_html_(self) -> str:
        return html_table(
            ["what the examples say about the next label"], [[line] for line in self.summary().splitlines()]
        )

    @cached_property
    def _tally(self) -> Tally:
        return Tally(self.examples, gram_of(self.labels), self.labels, self.counts)


def _percent(share: float) -> str:
    if 0 < share < 0.001 or 0.999 < share < 1:
        return f"{100 * min(share, 0.99999):.3f} %"
    return f"{100 * share:.1f} %"
