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

    def whole(self, choice: RuleChoice, weights: FloatArray | None = None) -> LabelSource:
        """What is mined from all labels; weights make cuts."""
        names = self.target.names if self.target.binary else None
        confidence = self.confidence if choice.confidence is None else choice.confidence
        model = mine(self.labels, weights, names=names, progress=False, confidence=confidence, **self.settings)
        return self._source(model, choice, self.encoded)

    def part(self, rows: IntArray, choices: list[RuleChoice]) -> dict[RuleChoice, LabelSource]:
        """What is mined from the labels of some samples, for each choice of rules.

        A column of classes has one class at a time.
        """
        settings = {**self.settings, "names": self.target.names}
        if not self.target.binary:
            column = np.repeat(np.arange(len(self.target.order)), [len(order) for order in self.target.order])
            blocks = (column == np.arange(len(self.target.order))[:, None]).astype(np.int64)
            settings = {**self.settings, "prior": [(row, "==", 1) for row in blocks]}
        models: dict[float | None, Model] = {}
        for choice in choices:
            if choice.confidence not in models:
                confidence = self.confidence if choice.confidence is None else choice.confidence
                models[choice.confidence] = mine(self.encoded[rows], progress=False, confidence=confidence, **settings)
        return {choice: self._source(models[choice.confidence], choice, self.encoded[rows]) for choice in choices}

    def _source(self, model: Model, choice: RuleChoice, labels: IntArray) -> LabelSource:
        """The model, with more implications if the choice asks for them."""
        if choice.implications:
            model = with_implications(model, labels, min(self.confidence, 1 - 1e-12))
        return LabelSource(model, self.target)


def with_implications(model: Model, labels: IntArray, confidence: float) -> Model:
    """The model with the implications of Fisher's exact test that its rules do not imply."""
    tally = Tally.of(labels)
    found = implications(tally, MiningOptions(confidence=confidence).margin)
    rows = pair_rows_of([(2 * a, 2 * b + 1) for a, b in found], model.rules)
    if not len(rows):
        return model
    rules = RuleSet.of_rows(model.rules.variables, rows, MINED, None, equality=False)
    if len(model.rules.variables) == labels.shape[1]:
        rules = EvidenceScorer(tally, tally.seen).scored(rules)
    return replace(model, rules=model.rules + rules, forecast=None)
