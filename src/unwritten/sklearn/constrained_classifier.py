"""ConstrainedClassifier: any multilabel or multi-output classifier, made to obey the rules of its training labels."""
# ruff: noqa: N803 (scikit-learn calls the features X)

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.mine import mine
from unwritten.options import Rules
from unwritten.sklearn.calibration import best_temperature, fit_sigmoids
from unwritten.sklearn.classifier_options import ClassifierOptions, given_temperature, least_margin
from unwritten.sklearn.column_scorer import ColumnScorer, cross_fitted_weights, scoring_method
from unwritten.sklearn.label_distribution import LabelDistribution
from unwritten.sklearn.model_estimator import ModelEstimator
from unwritten.sklearn.parameter_types import (
    Calibration,
    CutSlack,
    NoiseShare,
    ResponseMethod,
    Temperature,
)
from unwritten.sklearn.target_columns import TargetColumns
from unwritten.solving import BackendName, Decisions, EngineName


class ConstrainedClassifier(ClassifierMixin, MetaEstimatorMixin, ModelEstimator):
    """Fit a classifier, mine the rules of its training labels, and predict the likeliest labels that obey them.

    Labels are 0/1 (n × k), or columns of classes, as for multi-output classifiers.

    Parameters
    ----------
    estimator
        A classifier with `predict_proba` or `decision_function` for labels of several columns. It is fitted on the
        columns that vary. Classes other than 0 and 1 are passed to it as their places in `classes_`.
    rules, prior, lifts, confidence, noise
        As in `unwritten.mine`.
    slack
        None or 0: mine rules only. "auto": also make a cut from each example's cross-fitted scores, loose enough that
        all seen labels pass it. This is slower, and helps only estimators whose scores are good.
    response_method
        "auto" (probabilities if the estimator has them), "predict_proba" or "decision_function".
    calibration
        None or "log-odds": use the log-odds of probabilities, or margins as they are. "platt": fit a sigmoid per column
        to cross-fitted scores (0/1 labels only). Margins have no scale of their own: without sigmoids or a fitted
        temperature, probabilities made from them mean little, but predictions are as good.
    temperature
        The number that weights are divided by. None is 1; "fit" finds the likeliest on cross-fitted scores. It changes
        probabilities but not predictions.
    cv
        The folds for cross-fitting: a number, or a splitter. Only slack="auto", "platt" and "fit" cross-fit.
    abstain
        None, or a share from 0 to 1: `predict_or_abstain` does not answer a row if the probability of its label exceeds
        that of the next best label by less than this.
    engine, backend, time_limit, n_jobs
        As in `Model.decide`.

    Attributes
    ----------
    estimator_, model_, rules_, classes_
        The fitted clone, the mined model, its rules, and the classes of each column.
    varying_
        For each column of the target, whether `estimator_` was fitted on it: it was if the column has several classes.
    temperature_
        The number that weights are divided by.
    marginals_
        The labels that have a probability: "feasible" (all labels that obey rules and cuts), or "seen" if those are too
        many to list.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.multiclass import OneVsRestClassifier
    >>> X = [[x / 10] for x in range(60)] * 2
    >>> Y = [[int(x < 25), int(25 <= x < 35), int(x >= 35)] for x in range(60)] * 2  # one of three
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
        rules: Rules = "auto",
        slack: CutSlack | None = None,
        prior: object = None,
        lifts: Any = (),
        confidence: float = 0.95,
        noise: NoiseShare = 0,
        response_method: ResponseMethod = "auto",
        calibration: Calibration | None = None,
        temperature: Temperature | None = None,
        cv: Any = 5,
        abstain: float | None = None,
        engine: EngineName = "auto",
        backend: BackendName = "auto",
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
        method = scoring_method(self.estimator, self.response_method)
        options = ClassifierOptions.of(self.slack, self.calibration, self.temperature)
        least_margin(self.abstain)
        target, codes, labels = TargetColumns.of(y)
        check_consistent_length(X, codes)
        if (codes == codes[0]).all():
            raise DataError("all labels are equal, one class in each column: give samples with different labels")
        if not target.binary and (options.fit_sigmoids or method != "predict_proba"):
            raise DataError(
                "columns of classes need predict_proba without calibration='platt': give 0/1 labels instead"
            )
        weights, self._sigmoids = None, None
        if options.cross_fit:
            weights, varied = cross_fitted_weights(self.estimator, method, target, X, codes, self.cv)
            if options.fit_sigmoids:
                self._sigmoids = fit_sigmoids(weights, target.encode(codes), varied)
                weights = weights * self._sigmoids[0] + self._sigmoids[1]
        mining = self._parameters("rules", "prior", "lifts", "confidence", "noise")
        if target.binary:
            mining["names"] = target.names
        self.model_ = mine(labels, weights if options.make_cuts else None, progress=False, **mining)
        self.rules_ = self.model_.rules
        self._distribution = LabelDistribution.of(self.model_)
        self.marginals_ = self._distribution.support
        self.temperature_ = given_temperature(self.temperature)
        if options.fit_temperature and weights is not None:
            sample = self._distribution.thinned(weights, target.encode(codes))
            self.temperature_ = best_temperature(lambda value: self._distribution.loss(*sample, value))
        self._target, self.classes_ = target, list(target.classes)
        self._scorer = ColumnScorer.fit(self.estimator, method, target, X, codes)
        self.estimator_, self.varying_ = self._scorer.estimator, self._scorer.varying
        for name in ("n_features_in_", "feature_names_in_"):
            if name in vars(self):
                delattr(self, name)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """The weights (n × variables) that labels are decided by: calibrated scores divided by the temperature."""
        check_is_fitted(self, "estimator_")
        weights = self._scorer.weights(X)
        if self._sigmoids is not None:
            weights = np.where(self.varying_, weights * self._sigmoids[0] + self._sigmoids[1], weights)
        return np.asarray(weights / self.temperature_)

    def decide(self, X: Any) -> Decisions:
        """The decision for each sample: its label, over `model_.variables`, with value, bound, status and proof."""
        weights = self.decision_function(X)
        return self.model_.decide(weights, **self._solver_settings())

    def predict(self, X: Any) -> Any:
        """The likeliest labels that obey the rules (n × k), for every sample."""
        weights = self.decision_function(X)
        return self._target.decode(self._labels(weights))

    def predict_proba(self, X: Any) -> Any:
        """The probability of each label under the rules (n × k), or of the classes of each column (a list).

        Probabilities are marginals of the distribution ∝ exp(w·y) over the labels that `marginals_` names.
        """
        weights = self.decision_function(X)
        marginals = self._distribution.marginals(weights)
        if self._target.binary:
            return marginals
        blocks = zip(self._target.blocks(marginals), self._target.order, strict=True)
        return [block[:, np.argsort(order)] for block, order in blocks]

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of `predict_proba`."""
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            columns = isinstance(probabilities, list)
            return [np.log(block) for block in probabilities] if columns else np.log(probabilities)

    def predict_or_abstain(self, X: Any) -> tuple[Any, BoolArray]:
        """The labels of `predict`, and which of them are answered: those whose margin is at least `abstain`."""
        weights = self.decision_function(X)
        labels = self._labels(weights)
        least = least_margin(self.abstain)
        answered = np.ones(len(labels), bool) if least == 0 else self._distribution.margins(weights, labels) >= least
        return self._target.decode(labels), answered

    def margins(self, X: Any) -> FloatArray:
        """The probability of each predicted label less that of the next best, among those that `marginals_` names."""
        weights = self.decision_function(X)
        return self._distribution.margins(weights, self._labels(weights))

    def abstains(self, X: Any) -> BoolArray:
        """Tell which samples are not answered."""
        return ~self.predict_or_abstain(X)[1]

    def coverage(self, X: Any) -> float:
        """The share of samples that are answered."""
        return float(self.predict_or_abstain(X)[1].mean())

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of samples whose labels are all right.

        With `abstain`, only answered samples count; the share is NaN if there are none. A class that did not occur in
        `fit` counts as wrong.
        """
        predicted, answered = self.predict_or_abstain(X)
        truth = self._target.read(y)
        check_consistent_length(predicted, truth, sample_weight)
        right = (predicted.astype(object) == truth.astype(object)).all(axis=1)[answered]
        row_weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)[answered]
        return float(np.average(right, weights=row_weights)) if len(right) else float("nan")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            inner = get_tags(self.estimator).input_tags
            tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        tags.classifier_tags.multi_label = True
        return tags

    def _labels(self, weights: FloatArray) -> IntArray:
        labels: IntArray = self.model_.predict(weights, progress=False, **self._solver_settings())
        return labels
