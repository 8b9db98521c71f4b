"""Forecast: how often a model would answer fresh queries correctly, estimated from its own examples.

The best seen label is correct as often as labels are seen again, which the Good–Turing estimate gives. For the rules
and cuts, the examples are held out fold by fold. The accuracy of models mined from nine tenths of the examples is
extrapolated to all of them, by the slope between half and nine tenths on a logarithmic scale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import log, sqrt
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import Examples, FloatArray, IntArray, Sense, tolerance
from unwritten.errors import DataError
from unwritten.evidence.chance import unseen
from unwritten.mine import mine
from unwritten.progress import Progress, shown_progress

LEAST_EXAMPLES = 20


@dataclass(frozen=True, repr=False)
class Forecast:
    """The expected shares of fresh queries that are answered correctly, from 0 to 1.

    `inner` is the share if the best seen label is the answer, `outer` if rules and cuts decide. `error` is the half
    width of a 95 % interval around `outer`. `examples` is the number of examples that the forecast was made from.
    """

    examples: int
    inner: float
    outer: float
    error: float

    def summary(self) -> str:
        """The forecast in one sentence."""
        return (
            f"from {self.examples} examples: the best seen label is right on {100 * self.inner:.1f} % of queries, "
            f"rules and cuts on {100 * self.outer:.1f} ± {100 * self.error:.1f} %"
        )

    __str__ = summary

    def __repr__(self) -> str:
        return (
            f"Forecast(examples={self.examples}, inner={self.inner:.3f}, outer={self.outer:.3f}, "
            f"error={self.error:.3f})"
        )

    def _repr_html_(self) -> str:
        """The forecast as a table, for notebooks."""
        from unwritten.data.html import html_table

        return html_table(
            ["answers by", "correct"],
            [
                ["the best seen label", f"{100 * self.inner:.1f} %"],
                ["rules and cuts", f"{100 * self.outer:.1f} ± {100 * self.error:.1f} %"],
            ],
            f"Expected share of fresh queries answered correctly, from {self.examples} examples",
        )


def forecast(
    labels: object,
    weights: object,
    *,
    sense: Sense = "max",
    progress: bool | Progress | None = None,
    **options: Any,
) -> Forecast:
    """Forecast the accuracy of `mine(labels, weights, sense=sense, **options)` on fresh queries.

    An answer is correct if its value equals that of the decided label. `progress` is that of `mine`.

    >>> from unwritten.samples import trees
    >>> weights, labels = trees.sample(5, 200, seed=0)
    >>> print(forecast(labels, weights, rules=["equalities"]))  # doctest: +ELLIPSIS
    from 200 examples: the best seen label is right on ... % of queries, rules and cuts on ... ± ... %
    """
    own_options = {name: options.pop(name) for name in ("names", "bounds") if name in options}
    examples = Examples.of(labels, weights, sense=sense, **own_options)
    if examples.weights is None:
        raise DataError("a forecast needs the weights that labels were decided for: give weights")
    n = len(examples)
    if n < LEAST_EXAMPLES:
        raise DataError(f"{n} examples are too few for a forecast: give at least {LEAST_EXAMPLES}")
    folds = budgets.FORECAST_FOLDS
    fold = np.random.default_rng(0).permutation(n) % folds
    steps = count()
    with shown_progress(progress) as report:
        from_most, from_half = (
            _held_out_accuracy(
                examples,
                examples.weights,
                fold,
                train_folds,
                options,
                lambda: report("forecasting", next(steps), 2 * folds),
            )
            for train_folds in (folds - 1, folds // 2)
        )
    step = log(folds / (folds - 1)) / log((folds - 1) / (folds // 2))
    outer = float(np.clip(from_most + (from_most - from_half) * step, 0, 1))
    queries = min(n, budgets.FORECAST_QUERIES)
    _, counts = np.unique(examples.labels, axis=0, return_counts=True)
    error = 1.96 * sqrt(max(outer * (1 - outer), 1 / queries) / queries) * (1 + 2 * step)
    return Forecast(n, 1.0 - unseen(counts), outer, error)


def _held_out_accuracy(
    examples: Examples,
    weights: FloatArray,
    fold: IntArray,
    train_folds: int,
    options: dict[str, Any],
    before_each: Callable[[], None],
) -> float:
    """The share of held-out queries that models mined from `train_folds` folds answer as well as their labels do."""
    variables, slack = examples.variables, options.get("slack", "auto")
    correct = queries = 0
    for held_out in range(budgets.FORECAST_FOLDS):
        train = (fold - held_out - 1) % budgets.FORECAST_FOLDS < train_folds
        test = np.flatnonzero(fold == held_out)[: max(1, budgets.FORECAST_QUERIES // budgets.FORECAST_FOLDS)]
        before_each()
        model = mine(
            examples.labels[train],
            weights[train],
            sense=examples.sense,
            names=variables.names,
            bounds=(variables.lower.tolist(), variables.upper.tolist()),
            progress=False,
            **options | {"slack": slack if np.ndim(slack) == 0 else np.asarray(slack)[train]},
        )
        values = (weights[test] * examples.labels[test]).sum(axis=1)
        difference = np.abs(model.decide(weights[test], progress=False).values - values)
        correct += int((difference <= 2 * tolerance(weights[test], variables)).sum())
        queries += len(test)
    return correct / queries
