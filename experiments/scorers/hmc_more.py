"""More hierarchies: generated forests and few rows of ImCLEF07A. Which way to decode is best, and does auto find it?

The hierarchy is never given. Every way to decode gets the same scorer, one ridge regression per label.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import average_precision_score, f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments import datasets
from experiments.result import Result, RunContext
from experiments.scorers.forests import forest_sample
from unwritten.data import FloatArray, IntArray
from unwritten.sklearn import ConstrainedClassifier

EM, F1, PRECISION = "exact match (%)", "micro-F1 (%)", "average precision"
WAYS: dict[str, dict[str, Any]] = {
    "threshold": {"decode": "threshold", "probabilities": "estimator"},
    "seen": {"decode": "seen"},
    "rules": {"decode": "rules"},
    "auto": {},
    "auto, scoring f1": {"scoring": "f1"},
}
FORESTS = ((100, 150, 10), (300, 400, 10), (700, 600, 10))
"""Labels, training rows and seeds."""
MOST_FOR_F1 = 100
"""Labels up to which a second choice, by F1, is measured: it takes as long as the first."""
XRAY_ROWS = (60,)
TEST_ROWS = 500


@dataclass(frozen=True)
class Split:
    """Features and labels to fit on and to test on."""

    train: tuple[FloatArray, IntArray]
    test: tuple[FloatArray, IntArray]


def run(context: RunContext) -> Result:
    """Fit every way to decode on every case and seed."""
    result = Result("hmc-more", "Generated forests, and few rows of ImCLEF07A: ways to decode")
    for labels, rows, seeds in context.pick(((30, 90, 1),), FORESTS):
        splits = [_forest(labels, rows, context.seed + k, context.pick(200, TEST_ROWS)) for k in range(seeds)]
        _score(context, result, f"forest, {labels} labels, {rows} rows", splits, labels <= MOST_FOR_F1)
    if context.data is not None or os.environ.get(datasets.VARIABLE):
        for rows in context.pick(XRAY_ROWS[:1], XRAY_ROWS):
            splits = [_xray(context, rows, context.seed + k) for k in range(context.pick(1, 3))]
            _score(context, result, f"ImCLEF07A, {rows} rows", splits, by_f1=False)
    return result


def _forest(labels: int, rows: int, seed: int, test: int) -> Split:
    features, drawn = forest_sample(rows + test, labels, seed)
    return Split((features[:rows], drawn[:rows]), (features[rows:], drawn[rows:]))


def _xray(context: RunContext, rows: int, seed: int) -> Split:
    features, labels, _ = datasets.imclef("train", context.data)
    test, truth, _ = datasets.imclef("test", context.data)
    chosen = np.random.default_rng(seed).permutation(len(features))[:rows]
    return Split((features[chosen], labels[chosen]), (test, truth))


def _score(context: RunContext, result: Result, case: str, splits: list[Split], by_f1: bool) -> None:
    """Add the measures of all ways to decode, and which ones "auto" chose."""
    chosen: list[str] = []
    scores: dict[tuple[str, str], list[float]] = {}
    for k, split in enumerate(splits):
        for way, options in WAYS.items():
            if way == "auto, scoring f1" and not by_f1:
                continue
            context.say(f"{case}: seed {k}, {way}")
            scorer = make_pipeline(StandardScaler(), RidgeClassifier(alpha=10.0))
            model = ConstrainedClassifier(scorer, **options).fit(*split.train)
            predicted, truth = model.predict(split.test[0]), split.test[1]
            scores.setdefault((way, EM), []).append(100 * float((predicted == truth).all(axis=1).mean()))
            scores.setdefault((way, F1), []).append(100 * float(f1_score(truth, predicted, average="micro")))
            precision = average_precision_score(truth.ravel(), model.predict_proba(split.test[0]).ravel())
            scores.setdefault((way, PRECISION), []).append(float(precision))
            if way == "auto":
                chosen.append(model.report_.decode)
    for (way, measure), numbers in scores.items():
        spread = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else None
        result.add(case, way, measure, None, float(np.mean(numbers)), spread=spread)
    result.facts[case] = {"auto chose": chosen, "scores": {f"{way}: {name}": n for (way, name), n in scores.items()}}
    below = []
    for measure in (EM, F1, PRECISION):
        gains = np.subtract(scores["auto", measure], scores["threshold", measure])
        result.add(case, "auto less threshold, worst seed", measure, None, float(gains.min()))
        below.append(f"{(gains < 0).sum()} in {measure.removesuffix(' (%)')}")
    result.notes.append(f"{case}: seeds of {len(splits)} on which auto is below threshold: {', '.join(below)}")
