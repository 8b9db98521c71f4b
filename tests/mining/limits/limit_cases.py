"""Small problems with known limits, decided optimally for random weights."""

from itertools import product

import numpy as np


def decided(feasible, weights):
    """The best feasible label for each row of weights."""
    return feasible[(weights @ feasible.T).argmax(axis=1)]


def box(width, top=1):
    return np.array(list(product(range(top + 1), repeat=width)))


def problem(rows, n, seed=0, low=-1.0, top=1):
    """Weights and the labels that maximise them under rows `(coefficients, bound)`."""
    rng = np.random.default_rng(seed)
    labels = box(len(rows[0][0]), top)
    for coefficients, bound in rows:
        labels = labels[labels @ np.array(coefficients) <= bound]
    weights = rng.uniform(low, 1, (n, labels.shape[1]))
    return weights, decided(labels, weights)
