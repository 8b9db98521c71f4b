"""Forecast: how often a model would answer fresh queries rightly, from its own examples.

The best seen label is right as often as labels are seen again, which Good and Turing estimate. For the rules and cuts
the examples are held out in turn; what a model of nine tenths of them answers is carried on to all of them by the slope
between half and nine tenths, on a logarithmic scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import Examples, FloatArray, IntArray, tolerance
from unwritten.errors import DataError
from unwritten.evidence.chance import unseen
from unwritten.mine import mine

LEAST = 20  # examples


@dataclass(frozen=True)
class Forecast:
    """Expected shares of fresh queries that are answered rightly, with a 95 % error bar on `outer`."""

    examples: int
    inner: float
    outer: float
    error: float

    def summary(self) -> str:
        """One sentence."""
        return (
            f"from {self.examples} examples: the best seen label is right on {100 * self.inner:.1f} % of queries, "
            f"rules and cuts on {100 * self.outer:.1f} ± {100 * self.error:.1f} %"
        )

    __str__ = summary


def forecast(labels: object, weights: object, *, sense: str = "max", **options: Any) -> Forecast:
    """Forecast the accuracy of `mine(labels, weights, sense=sense, **options)`; an answer is right if it is as good.

    >>> from unwritten.samples import trees
    >>> drawn, decided = trees.sample(5, 200, seed=0)
    >>> print(forecast(decided, drawn, rules=["equalities"]))  # doctest: +ELLIPSIS
    from 200 examples: the best seen label is right on ... % of queries, rules and cuts on ... ± ... %
    """
    named = {name: options.pop(name) for name in ("names", "bounds") if name in options}
    examples = Examples.of(labels, weights, sense=sense, **named)
    if examples.weights is None:
        raise DataError("a forecast needs the weights that labels were decided for: give weights")
    n = len(examples)
    if n < LEAST:
        raise DataError(f"{n} examples are too few for a forecast: give at least {LEAST}")
    folds = budgets.FORECAST_FOLDS
    fold = np.random.default_rng(0).permutation(n) % folds
    most, half = (_held_out(examples, examples.weights, fold, kept, options) for kept in (folds - 1, folds // 2))
    step = log(folds / (folds - 1)) / log((folds - 1) / (folds // 2))
    outer = float(np.clip(most + (most - half) * step, 0, 1))
    asked = min(n, budgets.FORECAST_QUERIES)
    _, counts = np.unique(examples.labels, axis=0, return_counts=True)
    error = 1.96 * sqrt(max(outer * (1 - outer), 1 / asked) / asked) * (1 + 2 * step)
    return Forecast(n, 1.0 - unseen(counts), outer, error)


def _held_out(examples: Examples, weights: FloatArray, fold: IntArray, kept: int, options: dict[str, Any]) -> float:
    """The share of held-out queries that models of `kept` folds answer exactly as well as their labels do."""
    variables, slack = examples.variables, options.get("slack", "auto")
    right = asked = 0
    for out in range(budgets.FORECAST_FOLDS):
        train = (fold - out - 1) % budgets.FORECAST_FOLDS < kept
        test = np.flatnonzero(fold == out)[: max(1, budgets.FORECAST_QUERIES // budgets.FORECAST_FOLDS)]
        model = mine(
            examples.labels[train],
            weights[train],
            sense=examples.sense,
            names=variables.names,
            bounds=(variables.lower.tolist(), variables.upper.tolist()),
            **options | {"slack": slack if np.ndim(slack) == 0 else np.asarray(slack)[train]},
        )
        values = (weights[test] * examples.labels[test]).sum(axis=1)
        apart = np.abs(model.decide(weights[test]).values - values)
        right += int((apart <= 2 * tolerance(weights[test], variables)).sum())
        asked += len(test)
    return right / asked
