"""ConstrainedClassifier: any multilabel or multi-output classifier, made to obey the rules its labels obey."""
# ruff: noqa: N803 (scikit-learn calls the features X)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import TargetTags, get_tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.mine import mine
from unwritten.sklearn.calibrate import best_temperature, platt
from unwritten.sklearn.choices import Choices, degree, least_margin
from unwritten.sklearn.marginals import Listing
from unwritten.sklearn.scores import Scorer, chosen_method, cross_fitted
from unwritten.sklearn.targets import Target
from unwritten.solving import Decisions


class ConstrainedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Fits a classifier, mines the rules of its training labels, and predicts the likeliest labels that obey them.

    Labels are 0/1 (n × k), or else columns of classes, as for multi-output classifiers.

    Parameters
    ----------
    estimator
        A classifier with `predict_proba` or `decision_function` for labels of many columns. It is fitted on the
        columns that vary; classes that are not 0 and 1 are given to it as their places in `classes_`.
    rules, prior, lifts, confidence, noise
        As in `unwritten.mine`.
    slack
        None or 0: rules only. "auto": also a cut from each example's cross-fitted scores, loose enough for all seen
        labels (slower, and only for estimators whose scores are good).
    response_method
        "auto" (probabilities if there are any), "predict_proba" or "decision_function".
    calibration
        None or "log-odds": log-odds of probabilities, or margins as they are. "platt": a sigmoid per column, fitted to
        cross-fitted scores (0/1 labels only). Margins have no scale of their own: without sigmoids or a fitted
        temperature their probabilities mean little, though predictions do not suffer.
    temperature
        What weights are divided by: None (1), a number, or "fit", the likeliest on cross-fitted scores. Predictions do
        not depend on it; probabilities do.
    cv
        Folds for cross-fitting: a number, or a splitter. Needed by slack="auto", "platt" and "fit" only.
    abstain
        None, or a share: `predict_or_abstain` leaves open rows whose label is not so much more probable than the next.
    engine, backend, time_limit, n_jobs
        As in `Model.decide`.

    Attributes
    ----------
    estimator_, model_, rules_, classes_
        The fitted clone, the mined model, its rules, and the classes of each column.
    varying_
        Which columns of the target `estimator_` was fitted on: those with more than one class.
    temperature_
        What weights are divided by.
    marginals_
        What probabilities are over: "feasible" (all labels under rules and cuts), or "seen" where those are too many.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.multiclass import OneVsRestClassifier
    >>> X = [[x / 10] for x in range(60)]
    >>> Y = [[int(x < 25), int(25 <= x < 35), int(x >= 35)] for x in range(60)]  # one of three
    >>> plain = OneVsRestClassifier(LogisticRegression())
    >>> plain.fit(X, Y).predict([[2.9]])  # none of the three
    array([[0, 0, 0]])
    >>> model = ConstrainedClassifier(plain).fit(X, Y)
    >>> print(model.rules_)
    exactly one of y0, y1, y2
    >>> model.predict([[2.9]]).sum()
    np.int64(1)
    """

    def __init__(
        self,
        estimator: Any,
        *,
        rules: str | Sequence[str] = "auto",
        slack: object = None,
        prior: object = None,
        lifts: Any = (),
        confidence: float = 0.95,
        noise: float | str = 0,
        response_method: str = "auto",
        calibration: str | None = None,
        temperature: float | str | None = None,
        cv: Any = 5,
        abstain: float | None = None,
        engine: str = "auto",
        backend: str = "auto",
        time_limit: float | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.estimator = estimator
        self.rules = rules
        self.slack = slack
        self.prior = prior
        self.lifts = lifts
        self.confidence = confidence
        self.noise = noise
        self.response_method = response_method
        self.calibration = calibration
        self.temperature = temperature
        self.cv = cv
        self.abstain = abstain
        self.engine = engine
        self.backend = backend
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the estimator on features `X` and labels `y`, and mine the labels."""
        method = chosen_method(self.estimator, self.response_method)
        choices = Choices.of(self.slack, self.calibration, self.temperature)
        least_margin(self.abstain)
        target, codes, labels = Target.of(y)
        check_consistent_length(X, codes)
        if (codes == codes[0]).all():
            raise DataError("all labels are equal, one class in each column: give samples with different labels")
        if not target.indicator and (choices.sigmoids or method != "predict_proba"):
            raise DataError(
                "columns of classes need predict_proba without calibration='platt': give 0/1 labels instead"
            )
        weights, self._sigmoids = None, None
        if choices.cross_fit:
            weights, varied = cross_fitted(self.estimator, method, target, X, codes, self.cv)
            if choices.sigmoids:
                self._sigmoids = platt(weights, target.encode(codes), varied)
                weights = weights * self._sigmoids[0] + self._sigmoids[1]
        options: dict[str, Any] = {
            name: getattr(self, name) for name in ("rules", "prior", "lifts", "confidence", "noise")
        }
        if target.indicator:
            options["names"] = target.names
        self.model_ = mine(labels, weights if choices.cuts else None, **options)
        self.rules_ = self.model_.rules
        self._listing = Listing.of(self.model_)
        self.marginals_ = self._listing.kind
        self.temperature_ = degree(self.temperature)
        if choices.heat and weights is not None:
            scored, kept = self._listing.sample(weights, target.encode(codes))
            self.temperature_ = best_temperature(lambda heat: self._listing.loss(scored, kept, heat))
        self._target, self.classes_ = target, list(target.classes)
        self._scorer = Scorer.fit(self.estimator, method, target, X, codes)
        self.estimator_, self.varying_ = self._scorer.estimator, self._scorer.varying
        for name in ("n_features_in_", "feature_names_in_"):
            if name in vars(self):
                delattr(self, name)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """The weights that are decided by (n × variables): calibrated scores over the temperature."""
        check_is_fitted(self, "estimator_")
        raw = self._scorer.weights(X)
        if self._sigmoids is not None:
            raw = np.where(self.varying_, raw * self._sigmoids[0] + self._sigmoids[1], raw)
        return np.asarray(raw / self.temperature_)

    def decide(self, X: Any) -> Decisions:
        """The decision for each sample: its label, over `model_.variables`, with value, bound, status and proof."""
        weights = self.decision_function(X)
        return self.model_.decide(weights, **self._settings())

    def predict(self, X: Any) -> Any:
        """The likeliest labels that obey the rules (n × k), for every sample."""
        weights = self.decision_function(X)
        return self._target.decode(self._labels(weights))

    def predict_proba(self, X: Any) -> Any:
        """The probability of each label under the rules (n × k), or of the classes of each column (a list).

        It is that of the distribution ∝ exp(w·y) over the labels that `marginals_` names.
        """
        weights = self.decision_function(X)
        found = self._listing.marginals(weights)
        if self._target.indicator:
            return found
        blocks = zip(self._target.blocks(found), self._target.order, strict=True)
        return [block[:, np.argsort(order)] for block, order in blocks]

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of `predict_proba`."""
        found = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(block) for block in found] if isinstance(found, list) else np.log(found)

    def predict_or_abstain(self, X: Any) -> tuple[Any, BoolArray]:
        """The labels of `predict`, and for which of them the margin is at least `abstain`."""
        weights = self.decision_function(X)
        labels = self._labels(weights)
        least = least_margin(self.abstain)
        answered = np.ones(len(labels), bool) if least == 0 else self._listing.margins(weights, labels) >= least
        return self._target.decode(labels), answered

    def margins(self, X: Any) -> FloatArray:
        """How much more probable each predicted label is than the next best, among those that `marginals_` names."""
        weights = self.decision_function(X)
        return self._listing.margins(weights, self._labels(weights))

    def abstains(self, X: Any) -> BoolArray:
        """Which samples are left open."""
        return ~self.predict_or_abstain(X)[1]

    def coverage(self, X: Any) -> float:
        """The share of samples that are answered."""
        return float(self.predict_or_abstain(X)[1].mean())

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of samples whose labels are all right, among the answered if `abstain` is set (NaN if none is).

        A class that was never seen in fit counts as wrong.
        """
        predicted, answered = self.predict_or_abstain(X)
        truth = self._target.read(y)
        check_consistent_length(predicted, truth, sample_weight)
        right = (predicted.astype(object) == truth.astype(object)).all(axis=1)[answered]
        counted = None if sample_weight is None else np.asarray(sample_weight, np.float64)[answered]
        return float(np.average(right, weights=counted)) if len(right) else float("nan")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            inner = get_tags(self.estimator).input_tags
            tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        tags.target_tags = TargetTags(required=True, two_d_labels=True, multi_output=True, single_output=False)
        tags.classifier_tags.multi_label = True
        return tags

    def _labels(self, weights: FloatArray) -> IntArray:
        return self.model_.predict(weights, **self._settings())

    def _settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("engine", "backend", "time_limit", "n_jobs")}
