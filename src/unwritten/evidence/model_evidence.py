"""How far a model can be trusted, from its own examples: no test set is needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt

import numpy as np

from unwritten import linalg
from unwritten.data import IntArray
from unwritten.evidence import break_bound, chance, critical
from unwritten.rules import MINED, RuleSet
from unwritten.tally import Tally, gram_of

FORECAST = 1.0  # further ahead than doubling the examples, the series below is noise


@dataclass(frozen=True, eq=False)
class ModelEvidence:
    """What the examples say of the next one.

    `labels` are the distinct labels (with latents, if the rules have any), `counts` how often each was seen.
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
        """The chance that the next label was never seen: the share of labels seen once (Good and Turing)."""
        return chance.unseen(self.counts)

    def unseen_bound(self, confidence: float = 0.95) -> float:
        """With this confidence the chance that the next label is unseen is no larger (McAllester and Schapire)."""
        width = (2 * sqrt(2) + sqrt(3)) * sqrt(log(3 / (1 - confidence)) / self.examples)
        return min(1.0, self.unseen + width)

    @cached_property
    def whole(self) -> bool:
        """Whether equalities were mined, and all that the examples obey: those left out would break first."""
        gram = self._tally.gram
        nullity = len(gram) - linalg.rank_modulo(gram)
        return len(self.rules.by_origin(MINED).equalities) > 0 and linalg.rank_modulo(self.rules.rows) == nullity

    @cached_property
    def breaks(self) -> float:
        """The chance that the next label breaks a mined equality: critical examples over all (unbiased)."""
        if not self.whole:
            return 0.0
        return critical(self._tally, self.labels) / self.examples

    def breaks_bound(self, confidence: float = 0.95) -> float:
        """With this confidence, no larger share of future labels breaks any equality that all examples obey."""
        return break_bound(self._tally, self.labels, confidence)

    @property
    def inner_accuracy(self) -> float:
        """Forecast of the share of fresh queries that the best seen label answers rightly."""
        return 1.0 - self.unseen

    def inner_accuracy_after(self, more: int) -> float:
        """The same after `more` examples, at most as many again (Good and Toulmin's series)."""
        t = min(FORECAST, more / self.examples)
        often = np.bincount(self.counts, minlength=2)[1:]
        power = np.arange(1, len(often) + 1)
        # beyond 20 repeats a term is a difference of huge numbers; its true share of the missing mass is nil
        terms = ((-1.0) ** (power - 1) * power * t ** (power - 1) * often)[:20]
        unseen = float(terms.sum() / self.examples)
        if not 0 <= unseen <= self.unseen:  # too few examples for the series: go on as from half of them to all
            unseen = self.unseen * (self.unseen / max(self._unseen_at_half, self.unseen, 1e-12)) ** np.log2(1 + t)
        return 1.0 - float(unseen)

    @property
    def _unseen_at_half(self) -> float:
        """The expected chance of an unseen label after a random half of the examples."""
        once = self.counts * 0.5 ** (self.counts.astype(np.float64) - 1) / 2  # in the half exactly once
        return float(2 * once.sum() / self.examples)

    @property
    def weakest(self) -> float:
        """The least confidence of a mined rule (1 if there is none)."""
        found = [e.confidence for e in self.rules.by_origin(MINED).evidence if e is not None]
        return min(found, default=1.0)

    def summary(self) -> str:
        """The whole in plain words."""
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
                f"{len(mined)} rules mined; the weakest is no accident with {_percent(self.weakest)} confidence"
            )
        if noisy:
            lines.append(f"{noisy} of them are noisy: some examples break them")
        return "\n".join(lines)

    __str__ = summary

    @cached_property
    def _tally(self) -> Tally:
        return Tally(self.examples, gram_of(self.labels), self.labels, self.counts)


def _percent(share: float) -> str:
    if 0 < share < 0.001 or 0.999 < share < 1:
        return f"{100 * min(share, 0.99999):.3f} %"
    return f"{100 * share:.1f} %"
