"""ConstraintMiner: mining and deciding as a scikit-learn estimator."""
# ruff: noqa: N803 (scikit-learn calls the weights X)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from tacit.data import Examples, IntArray, labels_from
from tacit.errors import DataError
from tacit.mine import chosen_miners, mine_tally
from tacit.mining import Tally
from tacit.solving import Decisions


class ConstraintMiner(BaseEstimator):
    """Mines the rules that labels obey from weights and labels, and predicts the best labels that obey them.

    `X` are the weights (n × d, one column per variable) and `y` the integer labels (n × d) decided for them.

    Parameters
    ----------
    sense, rules, slack, prior, lifts, bounds
        As in `tacit.mine`. With `partial_fit`, bounds that are not given follow all labels seen so far.
    engine, backend, mip_gap, time_limit, n_jobs
        As in `Model.decide`.

    Attributes
    ----------
    model_ : Model
        The mined model, and `rules_` its rules.
    n_samples_seen_ : int
        The number of labels mined.
    n_features_in_ : int
        The number of variables; `feature_names_in_` are their names if `X` was a data frame.

    Examples
    --------
    >>> weights = [[3, 1, 0], [0, 2, 1], [1, 0, 2], [4, 0, 3]]
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> miner = ConstraintMiner().fit(weights, labels)
    >>> print(miner.rules_)
    exactly one of y0, y1, y2
    >>> miner.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    >>> miner.score(weights, labels)
    1.0
    """

    def __init__(
        self,
        *,
        sense: str = "max",
        rules: str | Sequence[str] = "auto",
        slack: object = "auto",
        prior: object = None,
        lifts: Any = (),
        bounds: tuple[Sequence[int] | int, Sequence[int] | int] | None = None,
        engine: str = "auto",
        backend: str = "auto",
        mip_gap: float = 0,
        time_limit: float | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.sense = sense
        self.rules = rules
        self.slack = slack
        self.prior = prior
        self.lifts = lifts
        self.bounds = bounds
        self.engine = engine
        self.backend = backend
        self.mip_gap = mip_gap
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: object, y: object) -> Self:
        """Mine weights `X` (or None, if they are not known) and labels `y`."""
        examples = self._read(X, y, least=1 + bool(chosen_miners(self.rules)))  # one example shows no rule
        return self._mine(examples, Tally.of(examples.labels))

    def partial_fit(self, X: object, y: object) -> Self:
        """Mine these examples too: after the last chunk the model equals that of `fit` on all chunks in order.

        There are no rules before the second example. Weights are given with every chunk or with none.
        """
        known: Examples | None = getattr(self, "_examples", None)
        chunk = self._read(X, y, known)
        tally, labels, weights = Tally.of(chunk.labels), chunk.labels, chunk.weights
        if known is not None:
            tally = self._tally + tally
            if weights is not None:
                labels = np.concatenate([known.labels, labels])
                weights = np.concatenate([known.weights, weights])
            else:
                labels = tally.seen  # without weights there are no cuts, and the tally is enough
        names = chunk.variables.names
        return self._mine(Examples.of(labels, weights, sense=self.sense, names=names, bounds=self.bounds), tally)

    def predict(self, X: object) -> IntArray:
        """The best label for each row of weights (m × d); raises where there is none."""
        weights = self._weights(X)
        return self.model_.predict(weights, **self._settings())

    def decide(self, X: object) -> Decisions:
        """The best label for each row of weights, with its value, bound, status and proof."""
        weights = self._weights(X)
        return self.model_.decide(weights, **self._settings())

    def score(self, X: object, y: object, sample_weight: object = None) -> float:
        """The share of rows whose label is predicted exactly (subset accuracy)."""
        from sklearn.metrics import accuracy_score

        found, (labels, _) = self.predict(X), labels_from(y)
        if found.shape != labels.shape:
            raise DataError(f"labels are {labels.shape} but weights {found.shape}: give one label per row of weights")
        exact = (found == labels).all(axis=1)
        return float(accuracy_score(np.ones_like(exact), exact, sample_weight=sample_weight))

    def _mine(self, examples: Examples, tally: Tally) -> Self:
        rules = self.rules if tally.n > 1 else ()
        self.model_ = mine_tally(
            examples, tally, rules=rules, slack=self.slack, prior=self.prior, lifts=self.lifts
        )
        self.rules_ = self.model_.rules
        self.n_samples_seen_ = tally.n
        self._examples, self._tally = examples, tally
        return self
