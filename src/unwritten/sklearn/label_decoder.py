"""LabelDecoder: one way from the scores of a classifier to labels and probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.model import Model
from unwritten.sklearn.column_scorer import ColumnScores
from unwritten.sklearn.label_distribution import LabelDistribution
from unwritten.sklearn.matched_marginals import MatchedMarginals
from unwritten.sklearn.parameter_types import DecodeKind, ProbabilityKind
from unwritten.sklearn.target_columns import TargetColumns

OWN_LEVEL = 0.5  # a threshold here means the estimator's own answer
AVERAGING = ("seen-average", "blend")


@dataclass(frozen=True, eq=False)
class LabelSource:
    """What labels are decided by: a mined model, and distributions over its labels.

    `seen` are the labels that means of seen labels are over, if not those of the model.
    """

    model: Model
    target: TargetColumns
    seen: IntArray | None = None

    @cached_property
    def distribution(self) -> LabelDistribution:
        """Probabilities ∝ exp(w·y) over the labels that obey the rules, or over the seen ones if those are too many."""
        return LabelDistribution.of(self.model)

    @cached_property
    def seen_distribution(self) -> LabelDistribution:
        """Probabilities ∝ exp(w·y) over the seen labels."""
        return LabelDistribution("seen", (self.model.seen if self.seen is None else self.seen).astype(np.int8))

    @cached_property
    def matched(self) -> MatchedMarginals:
        """The classifier's probabilities, moved as little as the rules demand."""
        return MatchedMarginals.of(self.model, self.target)

    @cached_property
    def rules_allow_only_seen(self) -> bool:
        """True if every label that obeys the rules was seen: then both decode alike."""
        listed = self.distribution
        return listed.support == "feasible" and len(listed.labels) == len(self.model.seen)

    def probabilities(self, scores: ColumnScores, kind: ProbabilityKind) -> FloatArray:
        """The probability that each variable is 1."""
        if kind == "matched":
            return self.matched.marginals(scores.probabilities)
        tied = len(self.model.rules) or len(self.model.cuts)  # else columns are independent, as the estimator has them
        return self.distribution.marginals(scores.weights) if kind == "joint" and tied else scores.probabilities


@dataclass(frozen=True)
class RuleChoice:
    """Which rules: those of the confidence that the user gave (None) or of another, and more implications or not."""

    confidence: float | None = None
    implications: bool = False

    def __str__(self) -> str:
        at = "" if self.confidence is None else f" at confidence {self.confidence:g}"
        return at + (" and implications" if self.implications else "")


@dataclass(frozen=True)
class LabelDecoder:
    """A way to decode.

    "rules": the best label under the rules; "seen": the best seen label; "threshold": the estimator's own answer,
    column by column, or all labels to which it gives a probability of another `level` than 0.5; "probabilities": all
    labels whose probability under the rules reaches `level`; "seen-average": all labels that reach it in the mean of
    the seen labels, weighed by exp(w·y / `temperature`); "blend": all labels that reach it in the mean of these two.
    """

    kind: DecodeKind
    rules: RuleChoice = RuleChoice()
    level: float = OWN_LEVEL
    temperature: float = 0.5

    def __str__(self) -> str:
        at = f" at {self.level:g}" if self.is_soft or self._is_moved else ""
        return f"{self.kind}{self.rules}{at}" + f", temperature {self.temperature:g}" * (self.kind in AVERAGING)

    @property
    def is_soft(self) -> bool:
        """True if labels are those whose `chances` reach the level."""
        return self.kind == "probabilities" or self.kind in AVERAGING

    @property
    def _is_moved(self) -> bool:
        return self.kind == "threshold" and self.level != OWN_LEVEL

    def labels(self, scores: ColumnScores, source: LabelSource, settings: Mapping[str, Any]) -> IntArray:
        """Labels over the variables of the model."""
        if self.kind == "threshold":
            return source.target.most_probable(scores.probabilities, self.level) if self._is_moved else scores.own
        if self.is_soft:
            return source.target.most_probable(self.chances(scores, source), self.level)
        chosen = {**settings, "engine": "inner"} if self.kind == "seen" else settings
        labels: IntArray = source.model.predict(scores.weights, progress=False, **chosen)
        return labels

    def chances(self, scores: ColumnScores, source: LabelSource) -> FloatArray:
        """What is compared with the level: probabilities by rules, the mean of the seen labels, or the mean of both."""
        if self.kind == "probabilities":
            return source.probabilities(scores, "matched")
        mean = source.seen_distribution.marginals(scores.weights / self.temperature)
        return mean if self.kind == "seen-average" else (mean + source.probabilities(scores, "matched")) / 2

    def probabilities(self, scores: ColumnScores, source: LabelSource) -> FloatArray:
        """The probabilities that belong to this way of decoding."""
        if self.kind in ("seen", "seen-average"):
            return source.seen_distribution.marginals(scores.weights)
        return source.probabilities(scores, "estimator" if self.kind == "threshold" else "matched")
