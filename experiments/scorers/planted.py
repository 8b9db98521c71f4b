"""Overlapping labels with planted rules: what mined rules add to scorers that see one label at a time."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from unwritten.data import FloatArray, IntArray
from unwritten.sklearn import ConstrainedClassifier

SAMPLES, TOPICS, SHARE = 3_000, 6, 2 / 3


def planted(seed: int) -> tuple[FloatArray, IntArray]:
    """Features and ten overlapping labels: four topics in two branches, the branches, none or both of them, two more.

    0 excludes 1 and 2 excludes 3; 4 is 0 or 1, 5 is 2 or 3; 6 is neither 4 nor 5, and 7 is both.
    """
    features, topics = make_multilabel_classification(
        SAMPLES, n_features=20, n_classes=TOPICS, n_labels=2, length=100, allow_unlabeled=True, random_state=seed
    )
    leaves = topics[:, :4] & np.column_stack([1 - topics[:, 1], *[np.ones(SAMPLES, int)] * 2, 1 - topics[:, 2]])
    left, right = leaves[:, :2].max(axis=1), leaves[:, 2:].max(axis=1)
    labels = np.column_stack([leaves, left, right, 1 - np.maximum(left, right), left & right, topics[:, 4:]])
    return features, labels.astype(np.int64)


def before_and_after(seed: int) -> tuple[float, float, float]:
    """Exact match of thresholds and of mined rules on held-out rows, and the share of thresholds that obey them."""
    features, labels = planted(seed)
    cut = int(SHARE * SAMPLES)
    scorer = OneVsRestClassifier(LogisticRegression(max_iter=1000))
    fitted = ConstrainedClassifier(scorer).fit(features[:cut], labels[:cut])
    weights, truth = fitted.decision_function(features[cut:]), labels[cut:]
    threshold = (weights > 0).astype(np.int64)
    right = 100 * float((threshold == truth).all(axis=1).mean())
    decoded = 100 * float((fitted.predict(features[cut:]) == truth).all(axis=1).mean())
    return right, decoded, 100 * float(fitted.model_.check(threshold).feasible.mean())
