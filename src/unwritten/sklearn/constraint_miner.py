"""ConstraintMiner: mining and deciding as a scikit-learn estimator."""
# ruff: noqa: N803 (scikit-learn calls the weights X)

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted, validate_data

from unwritten.building import build_exact
from unwritten.data import Examples, IntArray, Sense, labels_from
from unwritten.data.declared_axes import Axes
from unwritten.data.labelled_data import layout_of
from unwritten.errors import DataError
from unwritten.mine import mine
from unwritten.model import Model
from unwritten.options import Bounds, MiningOptions, Rules
from unwritten.sklearn.model_estimator import ModelEstimator
from unwritten.sklearn.parameter_types import NoiseShare
from unwritten.solving import BackendName, Decisions, EngineName
from unwritten.sources import Gathered
from unwritten.sources.array_source import ArraySource
from unwritten.tally import Tally
from unwritten.tally.following import example_weight
from unwritten.verification import verified, with_forecast


class ConstraintMiner(ModelEstimator):
    """Mine the rules that labels obey, and predict the best labels that obey them.

    Parameters
    ----------
    sense, rules, slack, prior, lifts, bounds, axes, confidence, symmetries, noise
        As in `unwritten.mine`. Bounds that are not given are the smallest and largest values so far.
    engine, backend, mip_gap, time_limit, n_jobs
        As in `Model.decide`.

    Attributes
    ----------
    model_, rules_, n_samples_seen_
        The mined model, its rules, and the number of labels that they were mined from.

    Examples
    --------
    >>> weights = [[3, 1, 0], [0, 2, 1], [1, 0, 2]] * 60  # X: n × d, one column per variable
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 60  # y: n × d integers, each the best for its weights
    >>> miner = ConstraintMiner(rules=["groups"]).fit(weights, labels)
    >>> print(miner.rules_)
    exactly one of y0, y1, y2
    >>> miner.predict([[0.2, 0.9, 0.4]])
    array([[0, 1, 0]])
    """

    def __init__(
        self,
        *,
        sense: Sense = "max",
        rules: Rules = "auto",
        slack: object = "auto",
        prior: object = None,
        lifts: Any = (),
        bounds: Bounds | None = None,
        axes: Axes | None = None,
        confidence: float = 0.95,
        symmetries: Any = (),
        noise: NoiseShare = 0,
        engine: EngineName = "auto",
        backend: BackendName = "auto",
        mip_gap: float = 0,
        time_limit: float | None = None,
        n_jobs: int | None = 1,
    ) -> None:
        self.sense = sense
        self.rules = rules
        self.slack = slack
        self.prior = prior
        self.lifts = lifts
        self.bounds = bounds
        self.axes = axes
        self.confidence = confidence
        self.symmetries = symmetries
        self.noise = noise
        self.engine = engine
        self.backend = backend
        self.mip_gap = mip_gap
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: object, y: object) -> Self:
        """Mine weights `X` (None if they are not known) and labels `y`."""
        examples = self._read(X, y, None, ensure_min_samples=1 + bool(MiningOptions(rules=self.rules).miners))
        tally = Tally.of(examples.labels)
        if self.noise == 0:
            return self._mine(examples, tally, self.rules)
        return self._adopt(
            mine(examples, rules=self.rules, noise=self.noise, progress=False, **self._options()), examples, tally
        )

    def partial_fit(self, X: object, y: object) -> Self:
        """Mine these examples too: after the last chunk the model equals that of `fit` on all chunks in order.

        Give weights with every chunk or with none. If the first chunk is a single example, it shows no rules yet.
        """
        if self.noise != 0:
            raise DataError("wrong rows can only be found among all rows: use fit() with noise, or noise=0")
        earlier: Examples | None = getattr(self, "_examples", None)
        examples = self._read(X, y, earlier)
        tally = Tally.of(examples.labels)
        if earlier is not None:
            tally = (self._tally + tally).minable()
            examples = self._joined(earlier, examples, tally)
        return self._mine(examples, tally, self.rules if tally.n > 1 else ())

    def predict(self, X: object) -> IntArray:
        """The best label for each row of weights (m × d); raises an error if a row has none."""
        weights = self._query_weights(X)
        labels: IntArray = self.model_.predict(weights, progress=False, **self._solver_settings())
        return labels

    def decide(self, X: object) -> Decisions:
        """The best label for each row of weights, with its value, bound, status and proof."""
        weights = self._query_weights(X)
        return self.model_.decide(weights, progress=False, **self._solver_settings())

    def score(self, X: object, y: object, sample_weight: object = None) -> float:
        """The share of rows whose label is predicted exactly (subset accuracy)."""
        predicted, (labels, _) = self.predict(X), labels_from(y)
        if predicted.shape != labels.shape:
            raise DataError(f"labels have shape {labels.shape} but weights {predicted.shape}: give one label per row")
        exact = (predicted == labels).all(axis=1)
        return float(accuracy_score(np.ones_like(exact), exact, sample_weight=sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _read(self, X: object, y: object, earlier: Examples | None, **checks: Any) -> Examples:
        """Check the examples; variables are named as in earlier chunks, else as columns of labels, else of weights."""
        if y is None:
            raise DataError("ConstraintMiner requires y to be passed, but the target y is None: give the labels")
        weights = None if X is None else validate_data(self, X, reset=earlier is None, accept_sparse="csr", **checks)
        labels, names = labels_from(y)
        if X is None and earlier is None:
            validate_data(self, labels, skip_check_array=True)  # sets n_features_in_
        features = list(getattr(self, "feature_names_in_", ()))
        if names and names != features and sorted(names) == sorted(features):
            raise DataError("weights and labels have the same columns in different orders: put both in one order")
        if earlier is not None:
            earlier_names = list(earlier.variables.names)
            if labels.shape[1] != len(earlier_names) or (names and names != earlier_names):
                raise DataError(
                    f"labels have other columns than earlier chunks: give {', '.join(earlier_names)} every time"
                )
            names = earlier_names
        layout = MiningOptions(axes=self.axes).layout or layout_of(y)
        return Examples.of(
            labels, weights, sense=self.sense, names=names or features or None, bounds=self.bounds, layout=layout
        )

    def _joined(self, earlier: Examples, examples: Examples, tally: Tally) -> Examples:
        """Earlier examples and new ones together; without weights their distinct labels are enough."""
        labels, weights = tally.seen, None
        if earlier.weights is not None and examples.weights is not None:
            labels = np.concatenate([earlier.labels, examples.labels])
            weights = np.concatenate([earlier.weights, examples.weights])
        elif earlier.weights is not None or examples.weights is not None:
            raise DataError("some chunks have weights and some have none: give X with every chunk or with none")
        names, layout = earlier.variables.names, earlier.variables.given_layout
        return Examples.of(labels, weights, sense=self.sense, names=names, bounds=self.bounds, layout=layout)

    def _mine(self, examples: Examples, tally: Tally, rules: Rules) -> Self:
        options = MiningOptions(sense=examples.sense, rules=rules, **self._options())
        gathered = Gathered(tally, examples, tally, weight=example_weight(examples.labels))
        model = verified(build_exact(gathered, options), gathered, ArraySource(examples), options)
        model = with_forecast(model, gathered, options)
        return self._adopt(model, examples, tally)

    def _options(self) -> dict[str, Any]:
        return self._parameters("slack", "prior", "lifts", "confidence", "symmetries")

    def _adopt(self, model: Model, examples: Examples, tally: Tally) -> Self:
        """Store a model with the examples and the tally that later chunks are added to."""
        self.model_ = model
        self.rules_, self.n_samples_seen_ = model.rules, tally.n
        self._examples, self._tally = examples, tally
        return self

    def _query_weights(self, X: object) -> Any:
        check_is_fitted(self, "model_")
        return validate_data(self, X, reset=False, accept_sparse="csr")
