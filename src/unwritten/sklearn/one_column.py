"""One column of classes: the estimator answers itself; this adds what it may lack."""
# ruff: noqa: N803 (scikit-learn calls the features X)

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, softmax
from sklearn.metrics import accuracy_score

from unwritten.data import FloatArray
from unwritten.sklearn.fit_metadata import checked_sample_weight


def log_odds(estimator: Any, X: Any, n: float) -> Any:
    """The estimator's decision function; without one, log-odds or log-probabilities smoothed by half an example."""
    if hasattr(estimator, "decision_function"):
        return estimator.decision_function(X)
    probabilities: FloatArray = np.asarray(estimator.predict_proba(X), np.float64)
    logs = np.log((n * probabilities + 0.5) / (n + 0.5 * probabilities.shape[1]))
    return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs


def chances(estimator: Any, X: Any) -> Any:
    """The estimator's probabilities; without them, sigmoids of its margins, or their softmax if there are several."""
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X)
    margins: FloatArray = np.asarray(estimator.decision_function(X), np.float64)
    if margins.ndim == 1:
        return np.column_stack([expit(-margins), expit(margins)])
    return softmax(margins, axis=1)


def share_right(predicted: Any, truth: Any, sample_weight: Any) -> float:
    """The share of samples whose class is right."""
    weight = checked_sample_weight(sample_weight, len(predicted))
    return float(accuracy_score(truth, predicted, sample_weight=weight))
