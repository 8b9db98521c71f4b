"""Directions in which labels vary less than pseudo-labels: a capacity cuts off one end, so it makes labels more alike.

The screen is cheap. Where labels vary about as much as so many pseudo-labels do by luck, there is nothing to learn.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray, IntArray

DRAWS = 24  # samples of as many pseudo-labels as there are labels: their spread shows what luck does
STAND_OUT = 2.0  # standard deviations of luck from which on a direction is worth a search
RIDGE = 0.02  # share of the mean variance that is added, so that no direction has variance 0


def directions(columns: IntArray, labels: IntArray, pseudo: IntArray, most: int) -> list[FloatArray]:
    """Coefficients of the columns along which labels vary least compared with pseudo-labels, the least first.

    The signs are such that the far end, which labels miss, is the upper one.
    """
    rng = np.random.default_rng(0)
    inside, outside = labels[:, columns].astype(float), pseudo[:, columns].astype(float)
    if (outside == outside[0]).all():
        return []
    factor, ridge = _whitening(outside)
    lucky = [
        _least(factor, _covariance(outside[rng.integers(len(outside), size=len(inside))]) + ridge)[0][0]
        for _ in range(DRAWS)
    ]
    values, vectors = _least(factor, _covariance(inside) + ridge)
    limit = float(np.mean(lucky) - STAND_OUT * max(np.std(lucky), 1e-3))
    rows = []
    for value, vector in zip(values[:most], vectors.T[:most], strict=True):
        if value < limit:
            row = factor.T @ vector
            x, z = inside @ row, outside @ row
            up, down = np.count_nonzero(z > x.max()), np.count_nonzero(z < x.min())
            rows.append(row if up >= down else -row)
    return rows


def least_directions(columns: IntArray, labels: IntArray, pseudo: IntArray, most: int) -> list[FloatArray]:
    """The directions along which labels vary least compared with pseudo-labels, without a test against luck."""
    factor, ridge = _whitening(pseudo[:, columns].astype(float))
    _, vectors = _least(factor, _covariance(labels[:, columns].astype(float)) + ridge)
    return [np.asarray(factor.T @ vector) for vector in vectors.T[:most]]


def _whitening(pseudo: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The matrix that makes all directions of pseudo-labels vary as much, and the ridge that was added."""
    covariance = _covariance(pseudo)
    ridge = RIDGE * float(np.trace(covariance)) / len(covariance) * np.eye(len(covariance))
    return np.linalg.inv(np.linalg.cholesky(covariance + ridge)), ridge


def _covariance(labels: FloatArray) -> FloatArray:
    centred = labels - labels.mean(axis=0)
    return np.asarray(centred.T @ centred / len(labels))


def _least(factor: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ratios of variances, the least first, and their directions."""
    values, vectors = np.linalg.eigh(factor @ covariance @ factor.T)
    return values, vectors
