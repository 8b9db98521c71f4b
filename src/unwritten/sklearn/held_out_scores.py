"""HeldOutScores: how well each way to decode does on samples that it was not fitted on.

Scores are sums over samples, so that folds and chunks add up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, replace
from typing import Any, get_args

import numpy as np
from sklearn.metrics import average_precision_score

from unwritten.data import FloatArray, IntArray
from unwritten.sklearn.column_scorer import ColumnScores
from unwritten.sklearn.decode_report import DecodeReport
from unwritten.sklearn.label_decoder import OWN_LEVEL, LabelDecoder, LabelSource, RuleChoice
from unwritten.sklearn.parameter_types import ProbabilityKind, Scoring

LEVELS = tuple(round(0.1 + 0.05 * k, 2) for k in range(17))
"""The probabilities from which on a label is predicted that are tried."""

AVERAGES = tuple((temperature, level) for temperature in (0.5, 0.25) for level in (0.4, 0.5))
"""The temperatures of the mean of the seen labels that are tried, and its levels."""

BLENDED = (0.25, 0.125)
"""The temperatures of that mean in a blend: sharp, so that a seen label that fits well decides."""

GIVEN = (LabelDecoder("seen"), LabelDecoder("threshold"))
"""What "auto" must be no worse than: the best seen label, and the estimator's own answer."""

KINDS: tuple[ProbabilityKind, ...] = get_args(ProbabilityKind)


def candidates(
    scoring: Scoring, confidence: float, *, lower: float | None = None, averages: bool = False
) -> list[LabelDecoder]:
    """The ways to decode among which to choose; of equally good ones, the first.

    If `lower` is given, rules of this lower confidence are tried as well, and rules with more implications;
    `averages` adds means of the seen labels, and their blends with probabilities.
    """
    rules = [LabelDecoder("rules")]
    if lower is not None:
        rules.append(LabelDecoder("rules", RuleChoice(implications=True)))
        rules += [LabelDecoder("rules", RuleChoice(lower))] * (lower < confidence)
    levels = () if scoring == "log-loss" else LEVELS
    soft = [LabelDecoder("probabilities", RuleChoice(implications=lower is not None), level) for level in levels]
    means = [
        LabelDecoder("seen-average", level=level, temperature=temperature)
        for temperature, level in AVERAGES
        if averages and levels
    ]
    blends = [
        replace(each, kind="blend", temperature=temperature) for temperature in BLENDED for each in soft if averages
    ]
    moved = [LabelDecoder("threshold", level=level) for level in levels if level != OWN_LEVEL]
    return [*rules, LabelDecoder("seen"), *means, *soft, *blends, LabelDecoder("threshold"), *moved]


@dataclass
class HeldOutSums:
    """What the scores of one way to decode are computed from."""

    weight: float = 0.0
    right: float = 0.0
    true_ones: float = 0.0
    all_ones: float = 0.0
    wrong_entries: float = 0.0
    loss: float = 0.0

    def __add__(self, other: HeldOutSums) -> HeldOutSums:
        return HeldOutSums(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def f1(self) -> float:
        """Micro-F1; 1 if no label is true or predicted."""
        return 2 * self.true_ones / self.all_ones if self.all_ones else 1.0

    def score(self, scoring: Scoring, width: int) -> float:
        """The score over samples of this many variables; larger is better."""
        if scoring == "f1":
            return self.f1
        if scoring == "hamming":
            return 1 - self.wrong_entries / (self.weight * width)
        return self.right / self.weight if scoring == "exact-match" else -self.loss / (self.weight * width)


@dataclass
class HeldOutScores:
    """Sums for each way to decode, and the log loss and the average precision of each kind of probabilities."""

    scoring: Scoring
    decoders: list[LabelDecoder]
    width: int
    n: int = 0
    sums: dict[LabelDecoder, HeldOutSums] = field(default_factory=dict)
    losses: dict[tuple[RuleChoice, ProbabilityKind], float] = field(default_factory=dict)
    precisions: dict[tuple[RuleChoice, ProbabilityKind], float] = field(default_factory=dict)
    spoiled: dict[LabelDecoder, HeldOutSums] = field(default_factory=dict)

    def add(
        self,
        scores: ColumnScores,
        truth: IntArray,
        sources: Mapping[RuleChoice, LabelSource],
        sample_weight: FloatArray | None,
        settings: Mapping[str, Any],
        examples: int,
    ) -> None:
        """Add samples; `sources` has what was mined, by the choice of rules, from `examples` other samples."""
        weight = np.ones(len(truth)) if sample_weight is None else sample_weight
        self.n += len(truth)
        matched = {choice: source.probabilities(scores, "matched") for choice, source in sources.items()}
        chances: dict[LabelDecoder, FloatArray] = {}
        for decoder in self.decoders:
            source = sources[decoder.rules]
            if decoder.is_soft:
                asked = replace(decoder, level=OWN_LEVEL)
                if asked not in chances:
                    chances[asked] = decoder.chances(scores, source)
                labels = source.target.most_probable(chances[asked], decoder.level)
            else:
                labels = decoder.labels(scores, source, settings)
            sums = _sums(labels, truth, weight)
            if self.scoring == "log-loss":
                sums.loss = _log_loss(decoder.probabilities(scores, source), truth, weight, examples)
            self.sums[decoder] = self.sums.get(decoder, HeldOutSums()) + sums
        for choice, source in sources.items():
            for kind in KINDS if choice == RuleChoice() else KINDS[:1]:  # listing labels again and again takes long
                given = matched[choice] if kind == "matched" else source.probabilities(scores, kind)
                loss = _log_loss(given, truth, weight, examples)
                self.losses[choice, kind] = self.losses.get((choice, kind), 0.0) + loss
                precision = self.precisions.get((choice, kind), 0.0)
                self.precisions[choice, kind] = precision + _precision(given, truth, weight)

    def score(self, decoder: LabelDecoder) -> float:
        """The score of one way to decode; larger is better."""
        return self._score(self.sums[decoder])

    def sums_with(
        self,
        source: LabelSource,
        decoder: LabelDecoder,
        scores: ColumnScores,
        truth: IntArray,
        sample_weight: FloatArray | None,
        settings: Mapping[str, Any],
    ) -> HeldOutSums:
        """The sums of one way to decode samples from their held-out scores, with what was mined from all of them."""
        weight = np.ones(len(truth)) if sample_weight is None else sample_weight
        sums = _sums(decoder.labels(scores, source, settings), truth, weight)
        if self.scoring == "log-loss":
            sums.loss = _log_loss(decoder.probabilities(scores, source), truth, weight, len(truth))
        return sums

    def best(self, again: Callable[[LabelDecoder], HeldOutSums] | None = None) -> LabelDecoder:
        """The way to decode with the best score; of equally good ones that of the best F1, and then the first.

        `again` scores a way with the rules that all samples give. A fold can lack a rule that spoils it, so the worse
        of both scores counts. Exact matches are few and vary, and a way that gives up on hard rows can have most. So
        where they are counted, ways within one standard error of the best are equally good, and the best sum of exact
        match and F1 decides; but none is taken that is below the estimator, or below the best seen label if that
        matches more, in exact match or in F1.
        """
        given, least_f1 = self._given()
        order = sorted(self.decoders, key=lambda decoder: self._rank(self.sums[decoder]), reverse=True)
        near: list[LabelDecoder] = []
        enough = -np.inf
        for decoder in order:
            if self.score(decoder) < enough:
                break
            if self.sums[decoder].f1 < least_f1:
                continue
            if again is not None and decoder not in GIVEN:  # these two need no rules
                self._spoil(decoder, again(decoder))
            least = self._least(decoder)
            if least.f1 >= least_f1:
                near.append(decoder)
                enough = max(enough, given, self._score(least) - self._error(self._score(least)))
        near = [decoder for decoder in near if self._score(self._least(decoder)) >= enough]
        return max(near, key=lambda decoder: self._score(self._least(decoder)) + self._least(decoder).f1)

    def _spoil(self, decoder: LabelDecoder, sums: HeldOutSums) -> None:
        """Note the sums with the rules of all samples, if they are worse than those with the rules of folds."""
        if self._rank(sums) < self._rank(self.sums[decoder]):
            self.spoiled[decoder] = sums

    def _given(self) -> tuple[float, float]:
        """The score and the F1 of the estimator, or of the best seen label if that is better; they are the least."""
        if self.scoring != "exact-match":
            return -np.inf, 0.0
        return max(self._rank(sums) for decoder, sums in self.sums.items() if decoder in GIVEN)

    def _error(self, share: float) -> float:
        """The standard error of a share of exact matches; other scores are taken as they are."""
        return float(np.sqrt(share * (1 - share) / self.n)) if self.scoring == "exact-match" else 0.0

    def _rank(self, sums: HeldOutSums) -> tuple[float, float]:
        return self._score(sums), sums.f1

    def _score(self, sums: HeldOutSums) -> float:
        return sums.score(self.scoring, self.width)

    def _least(self, decoder: LabelDecoder) -> HeldOutSums:
        return self.spoiled.get(decoder, self.sums[decoder])

    def best_rules(self, decoder: LabelDecoder) -> RuleChoice:
        """The rules that a way to decode needs; if it needs none, those with the best matched probabilities."""
        if decoder.kind in ("rules", "probabilities", "blend"):
            return decoder.rules
        matched = {choice: loss for (choice, kind), loss in self.losses.items() if kind == "matched"}
        return min(matched, key=lambda choice: matched[choice])

    def best_probabilities(self, choice: RuleChoice) -> ProbabilityKind:
        """The kind of probabilities with the least log loss under these rules; the first of equally good ones.

        Sharper probabilities can have less of it and yet rank worse: none is taken that ranks worse than the estimator.
        """
        kinds = {kind: (choice if kind == "matched" else RuleChoice(), kind) for kind in KINDS}
        if choice != RuleChoice():
            del kinds["joint"]
        least = self.precisions[kinds["estimator"]]
        return min(
            (kind for kind, key in kinds.items() if self.precisions[key] >= least),
            key=lambda kind: self.losses[kinds[kind]],
        )

    def report(self, decoder: LabelDecoder, probabilities: ProbabilityKind) -> DecodeReport:
        """Scores and choices for people to read."""
        scores = {str(each): self._score(self._least(each)) for each in self.decoders}
        entries = self.sums[self.decoders[0]].weight * self.width
        losses = {
            kind if kind == "estimator" else f"{kind}, rules{choice}": loss / entries
            for (choice, kind), loss in self.losses.items()
        }
        return DecodeReport(str(decoder), probabilities, self.scoring, scores, losses)


def _sums(labels: IntArray, truth: IntArray, weight: FloatArray) -> HeldOutSums:
    wrong = labels != truth
    return HeldOutSums(
        weight=float(weight.sum()),
        right=float(weight @ ~wrong.any(axis=1)),
        true_ones=float(weight @ (labels * truth).sum(axis=1)),
        all_ones=float(weight @ (labels + truth).sum(axis=1)),
        wrong_entries=float(weight @ wrong.sum(axis=1)),
    )


def _precision(chances: FloatArray, truth: IntArray, weight: FloatArray) -> float:
    """The average precision over all entries, times the weight of the samples; 0 if no entry is 1."""
    if not truth.any():
        return 0.0
    entries = np.repeat(weight, truth.shape[1])
    return float(weight.sum() * average_precision_score(truth.ravel(), chances.ravel(), sample_weight=entries))


def _log_loss(chances: FloatArray, truth: IntArray, weight: FloatArray, examples: int) -> float:
    """The negative log-likelihood of the entries; smoothed as if half an example of each class were added."""
    own = np.where(truth == 1, chances, 1 - chances)
    return float(weight @ -np.log((examples * np.clip(own, 0, 1) + 0.5) / (examples + 1)).sum(axis=1))
