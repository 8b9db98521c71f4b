"""Calibration on cross-fitted scores: a sigmoid per column (Platt), and one temperature for all columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression

from unwritten.data import BoolArray, FloatArray, IntArray

HIGHEST_TEMPERATURE = 100.0
"""Temperatures are searched for from its inverse up to it."""


def fit_sigmoids(scores: FloatArray, labels: IntArray, usable: BoolArray) -> FloatArray:
    """Slope and intercept per column (2 × k) that turn scores into log-odds of 0/1 labels.

    `usable` (n × k) marks the scores to fit on. A column whose usable labels are all 0 or all 1 gets the sigmoid of
    all columns together. Labels are smoothed as in Platt's paper, so that separable scores give finite slopes.
    """
    pooled = _fit_sigmoid(scores[usable], labels[usable])
    sigmoids = [
        _fit_sigmoid(column[use], label[use]) if len(np.unique(label[use])) > 1 else pooled
        for column, label, use in zip(scores.T, labels.T, usable.T, strict=True)
    ]
    return np.array(sigmoids).T


def _fit_sigmoid(scores: FloatArray, labels: IntArray) -> tuple[float, float]:
    """The slope and intercept of largest likelihood, if each example counts mostly, but not fully, as its own class."""
    ones = int(labels.sum())
    if not 0 < ones < len(labels):
        return 1.0, 0.0
    high, low = (ones + 1) / (ones + 2), 1 / (len(labels) - ones + 2)
    share_of_one = np.where(labels == 1, high, low)
    scale = float(np.abs(scores).max()) or 1.0
    model = LogisticRegression(C=np.inf, max_iter=1000)
    model.fit(
        np.tile(scores / scale, 2)[:, None],
        np.repeat([1, 0], len(scores)),
        sample_weight=np.concatenate([share_of_one, 1 - share_of_one]),
    )
    return float(model.coef_[0, 0]) / scale, float(model.intercept_[0])


def best_temperature(loss: Callable[[float], float]) -> float:
    """The temperature with the least loss, to about three digits."""
    reach = np.log(HIGHEST_TEMPERATURE)
    minimum = minimize_scalar(lambda log: loss(float(np.exp(log))), bounds=(-reach, reach), method="bounded")
    return float(np.exp(minimum.x))
