"""Generated labels that overlap and obey known rules: what do mined rules add to scorers of single labels?"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from unwritten.data import FloatArray, IntArray
from unwritten.sklearn import ConstrainedClassifier

SAMPLES, TOPICS, SHARE = 3_000, 6, 2 / 3


def planted(seed: int) -> tuple[FloatArray, IntArray]:
    """Generate features and ten overlapping labels.

    Labels 0 to 3 are topics: 0 excludes 1, and 2 excludes 3. Label 4 means 0 or 1; label 5 means 2 or 3. Label 6 means
    neither 4 nor 5; label 7 means both. Labels 8 and 9 are free.
    """
    features, topics = make_multilabel_classification(
        SAMPLES, n_features=20, n_classes=TOPICS, n_labels=2, length=100, allow_unlabeled=True, random_state=seed
    )
    leaves = topics[:, :4] & np.column_stack([1 - topics[:, 1], *[np.ones(SAMPLES, int)] * 2, 1 - topics[:, 2]])
    left, right = leaves[:, :2].max(axis=1), leaves[:, 2:].max(axis=1)
    labels = np.column_stack([leaves, left, right, 1 - np.maximum(left, right), left & right, topics[:, 4:]])
    return features, labels.astype(np.int64)


def before_and_after(seed: int) -> tuple[float, float, float]:
    """Return three percentages of held-out rows: exact by thresholds, exact by mined rules, feasible by thresholds."""
    features, labels = planted(seed)
    cut = int(SHARE * SAMPLES)
    scorer = OneVsRestClassifier(LogisticRegression(max_iter=1000))
    fitted = ConstrainedClassifier(scorer, decode="rules").fit(features[:cut], labels[:cut])
    weights, truth = fitted.decision_function(features[cut:]), labels[cut:]
    threshold = (weights > 0).astype(np.int64)
    right = 100 * float((threshold == truth).all(axis=1).mean())
    decoded = 100 * float((fitted.predict(features[cut:]) == truth).all(axis=1).mean())
    return right, decoded, 100 * float(fitted.model_.check(threshold).feasible.mean())
