"""Calibration on cross-fitted scores: a sigmoid per column (Platt), and one temperature for all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression

from unwritten.data import BoolArray, FloatArray, IntArray

HOTTEST = 100.0  # temperatures are sought from its inverse to it


def platt(scores: FloatArray, labels: IntArray, usable: BoolArray) -> FloatArray:
    """Slope and intercept per column (2 × k) that turn scores into log-odds of 0/1 labels.

    Targets are smoothed as Platt did, so that separable scores stay finite. Columns whose usable scores show one class
    only have the sigmoid of all columns together.
    """
    pooled = _sigmoid(scores[usable], labels[usable])
    fitted = [
        _sigmoid(column[use], label[use]) if len(np.unique(label[use])) > 1 else pooled
        for column, label, use in zip(scores.T, labels.T, usable.T, strict=True)
    ]
    return np.array(fitted).T


def _sigmoid(scores: FloatArray, labels: IntArray) -> tuple[float, float]:
    """The slope and intercept of largest likelihood, each example counted as mostly its own class."""
    ones = int(labels.sum())
    if not 0 < ones < len(labels):
        return 1.0, 0.0
    high, low = (ones + 1) / (ones + 2), 1 / (len(labels) - ones + 2)
    share = np.where(labels == 1, high, low)  # of each example that counts as 1
    scale = float(np.abs(scores).max()) or 1.0
    model = LogisticRegression(C=np.inf, max_iter=1000)
    model.fit(
        np.tile(scores / scale, 2)[:, None],
        np.repeat([1, 0], len(scores)),
        sample_weight=np.concatenate([share, 1 - share]),
    )
    return float(model.coef_[0, 0]) / scale, float(model.intercept_[0])


def best_temperature(loss: Callable[[float], float]) -> float:
    """The temperature of least loss (mean negative log-likelihood), to three digits or so."""
    reach = np.log(HOTTEST)
    found = minimize_scalar(lambda log: loss(float(np.exp(log))), bounds=(-reach, reach), method="bounded")
    return float(np.exp(found.x))
