"""HeldOutScores: how well each way to decode does on samples that it was not fitted on.

Scores are sums over samples, so that folds and chunks add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.sklearn.column_scorer import ColumnScores
from unwritten.sklearn.decode_report import DecodeReport
from unwritten.sklearn.label_decoder import LabelDecoder, LabelSource
from unwritten.sklearn.parameter_types import ProbabilityKind, Scoring

LEVELS = tuple(round(0.1 + 0.05 * k, 2) for k in range(17))
"""The probabilities from which on a label is predicted that are tried for F1."""


def candidates(scoring: Scoring, confidence: float, *, lower: float | None = None) -> list[LabelDecoder]:
    """The ways to decode among which to choose; of equally good ones, the first.

    `lower` is a lower confidence of rules to try as well.
    """
    rules = [LabelDecoder("rules")]
    if lower is not None and lower < confidence:
        rules.append(LabelDecoder("rules", lower))
    levels = {"f1": LEVELS, "hamming": (0.5,)}.get(scoring, ())
    soft = [LabelDecoder("probabilities", level=level) for level in levels]
    return [*rules, LabelDecoder("seen"), *soft, LabelDecoder("threshold")]


@dataclass
class _Sums:
    """What the scores of one way to decode are computed from."""

    weight: float = 0.0
    right: float = 0.0
    true_ones: float = 0.0
    all_ones: float = 0.0
    wrong_entries: float = 0.0
    loss: float = 0.0

    def score(self, scoring: Scoring, width: int) -> float:
        if scoring == "f1":
            return 2 * self.true_ones / self.all_ones if self.all_ones else 1.0
        if scoring == "hamming":
            return 1 - self.wrong_entries / (self.weight * width)
        return self.right / self.weight if scoring == "exact-match" else -self.loss / (self.weight * width)


@dataclass
class HeldOutScores:
    """Sums for each way to decode, and the log loss of each kind of probabilities."""

    scoring: Scoring
    decoders: list[LabelDecoder]
    width: int
    n: int = 0
    sums: dict[LabelDecoder, _Sums] = field(default_factory=dict)
    losses: dict[ProbabilityKind, float] = field(default_factory=dict)

    def add(
        self,
        scores: ColumnScores,
        truth: IntArray,
        sources: Mapping[float | None, LabelSource],
        sample_weight: FloatArray | None,
        settings: Mapping[str, Any],
        examples: int,
    ) -> None:
        """Add samples; `sources` has what was mined, by confidence, from `examples` other samples."""
        weight = np.ones(len(truth)) if sample_weight is None else sample_weight
        self.n += len(truth)
        for decoder in self.decoders:
            source, sums = sources[decoder.confidence], self.sums.setdefault(decoder, _Sums())
            labels = decoder.labels(scores, source, settings)
            wrong = labels != truth
            sums.weight += float(weight.sum())
            sums.right += float(weight @ ~wrong.any(axis=1))
            sums.true_ones += float(weight @ (labels * truth).sum(axis=1))
            sums.all_ones += float(weight @ (labels + truth).sum(axis=1))
            sums.wrong_entries += float(weight @ wrong.sum(axis=1))
            if self.scoring == "log-loss":
                sums.loss += _log_loss(decoder.probabilities(scores, source), truth, weight, examples)
        for kind in get_args(ProbabilityKind):
            chances = sources[None].probabilities(scores, kind)
            self.losses[kind] = self.losses.get(kind, 0.0) + _log_loss(chances, truth, weight, examples)

    def best(self) -> LabelDecoder:
        """The way to decode with the best score; the first of equally good ones."""
        return max(self.decoders, key=lambda decoder: self.sums[decoder].score(self.scoring, self.width))

    def best_probabilities(self) -> ProbabilityKind:
        """The kind of probabilities with the least log loss; the first of equally good ones."""
        return min(self.losses, key=lambda kind: self.losses[kind])

    def report(self, decoder: LabelDecoder, probabilities: ProbabilityKind) -> DecodeReport:
        """Scores and choices for people to read."""
        scores = {str(each): self.sums[each].score(self.scoring, self.width) for each in self.decoders}
        entries = self.sums[self.decoders[0]].weight * self.width
        losses = {str(kind): loss / entries for kind, loss in self.losses.items()}
        return DecodeReport(str(decoder), probabilities, self.scoring, scores, losses)


def _log_loss(chances: FloatArray, truth: IntArray, weight: FloatArray, examples: int) -> float:
    """The negative log-likelihood of the entries; smoothed as if half an example of each class were added."""
    own = np.where(truth == 1, chances, 1 - chances)
    return float(weight @ -np.log((examples * np.clip(own, 0, 1) + 0.5) / (examples + 1)).sum(axis=1))
