"""Mine the labels of a classifier's training set: all of them, or those of some folds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.evidence.scorer import EvidenceScorer
from unwritten.mine import mine
from unwritten.mining.pairs.implications import implications
from unwritten.mining.pairs.pair_miner import pair_rows_of
from unwritten.model import Model
from unwritten.options import MiningOptions
from unwritten.rules import MINED, RuleSet
from unwritten.sklearn.label_decoder import LabelSource, RuleChoice
from unwritten.sklearn.target_columns import TargetColumns
from unwritten.tables import Table
from unwritten.tally import Tally


@dataclass(frozen=True, eq=False)
class LabelMiner:
    """The labels of all samples: `labels` as `mine` takes them, and `encoded` over the variables (n × variables)."""

    target: TargetColumns
    labels: IntArray | Table
    encoded: IntArray
    confidence: float
    settings: dict[str, Any]

    def whole(self, weights: FloatArray | None = None) -> LabelSource:
        """What is mined from all labels; weights make cuts."""
        names = self.target.names if self.target.binary else None
        model = mine(self.labels, weights, names=names, progress=False, confidence=self.confidence, **self.settings)
        return LabelSource(model, self.target)

    def part(self, rows: IntArray, choices: list[RuleChoice]) -> dict[RuleChoice, LabelSource]:
        """What is mined from the labels of some samples, for each choice of rules.

        A column of classes has one class at a time.
        """
        settings = {**self.settings, "names": self.target.names}
        if not self.target.binary:
            column = np.repeat(np.arange(len(self.target.order)), [len(order) for order in self.target.order])
            blocks = (column == np.arange(len(self.target.order))[:, None]).astype(np.int64)
            settings = {**self.settings, "prior": [(row, "==", 1) for row in blocks]}
        labels = self.encoded[rows]
        source = LabelSource(mine(labels, progress=False, confidence=self.confidence, **settings), self.target)
        return {choice: self.with_choice(source, choice, labels) for choice in choices}

    def with_choice(self, source: LabelSource, choice: RuleChoice, labels: IntArray) -> LabelSource:
        """What was mined from these labels, with more rules if the choice asks for them."""
        model = source.model
        if choice.confidence is not None:
            model = with_doubtful(model, choice.confidence)
        if choice.implications:
            model = with_implications(model, labels, min(self.confidence, 1 - 1e-12))
        return source if model is source.model else LabelSource(model, self.target)


def with_doubtful(model: Model, confidence: float) -> Model:
    """The model with its doubtful rules of at least this confidence that every seen label obeys."""
    sure = np.array([e is None or e.confidence >= confidence for e in model.doubtful.evidence], bool)
    rules = model.doubtful[sure]
    if len(model.rules.variables) == model.seen.shape[1]:
        rules = rules[[i for i in range(len(rules)) if rules[[i]].obeyed_by(model.seen).all()]]
    return replace(model, rules=model.rules + rules, forecast=None) if len(rules) else model


def with_implications(model: Model, labels: IntArray, confidence: float) -> Model:
    """The model with the implications of Fisher's exact test that its rules do not imply."""
    tally = Tally.of(labels)
    pairs = implications(tally, MiningOptions(confidence=confidence).margin)
    rows = pair_rows_of([(2 * a, 2 * b + 1) for a, b in pairs], model.rules)
    if not len(rows):
        return model
    rules = RuleSet.of_rows(model.rules.variables, rows, MINED, None, equality=False)
    if len(model.rules.variables) == labels.shape[1]:
        rules = EvidenceScorer(tally, tally.seen).scored(rules)
    return replace(model, rules=model.rules + rules, forecast=None)
