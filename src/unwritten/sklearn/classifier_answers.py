"""ClassifierAnswers: what a fitted ConstrainedClassifier answers: labels, probabilities, margins and scores."""
# ruff: noqa: N803 (scikit-learn calls the features X)

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, MetaEstimatorMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.sklearn.classifier_options import least_margin
from unwritten.sklearn.column_scorer import ColumnScorer, ColumnScores
from unwritten.sklearn.fit_metadata import checked_sample_weight
from unwritten.sklearn.label_decoder import LabelDecoder, LabelSource
from unwritten.sklearn.model_estimator import ModelEstimator
from unwritten.sklearn.one_column import chances, log_odds, share_right
from unwritten.sklearn.parameter_types import ProbabilityKind
from unwritten.sklearn.target_columns import TargetColumns
from unwritten.sklearn.target_form import Output, TargetForm, checked_output
from unwritten.solving import Decisions

ROUNDING = 1e-9
"""Sums of probabilities closer to 1 than this are 1."""


class ClassifierAnswers(ClassifierMixin, MetaEstimatorMixin, ModelEstimator):
    """The methods that ask a fitted classifier; it holds what labels are decided by."""

    abstain: float | None
    estimator_: Any
    temperature_: float
    varying_: BoolArray
    _source: LabelSource
    _scorer: ColumnScorer
    _decoder: LabelDecoder
    _probability_kind: ProbabilityKind
    _sigmoids: FloatArray | None
    _form: TargetForm
    _n_fitted: float
    _target: TargetColumns | None  # None if y has one column, and the estimator answers itself

    def decision_function(self, X: Any) -> Any:
        """The weights (n × variables) that labels are decided by: calibrated scores divided by the temperature."""
        check_is_fitted(self, "estimator_")
        if self._target is None:
            return log_odds(self.estimator_, X, self._n_fitted)
        return self._scores(X).weights

    def decide(self, X: Any) -> Decisions:
        """The decision by the rules for each sample: its label, over `model_.variables`, with value and proof."""
        weights = self._scores(X).weights
        return self.model_.decide(weights, progress=False, **self._solver_settings())

    def predict(self, X: Any) -> Any:
        """The labels for every sample (n × k), decoded as `report_` says, in the form that y had in `fit`."""
        check_is_fitted(self, "estimator_")
        if self._target is None:
            return self.estimator_.predict(X)
        return self._restored(self._labels(self._scores(X)), X)

    def predict_proba(self, X: Any) -> Any:
        """The probability of each label (n × k), or of the classes of each column (a list); see `probabilities`."""
        check_is_fitted(self, "estimator_")
        if self._target is None:
            return chances(self.estimator_, X)
        marginals = self._source.probabilities(self._scores(X), self._probability_kind)
        if self._target.binary:
            return marginals if self._output == "default" else self._form.framed(marginals, self._output, X)
        blocks = zip(self._target.blocks(marginals), self._target.order, strict=True)
        return [_summing_to_one(block)[:, np.argsort(order)] for block, order in blocks]

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of `predict_proba`."""
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            columns = isinstance(probabilities, list)
            return [np.log(block) for block in probabilities] if columns else np.log(probabilities)

    def predict_or_abstain(self, X: Any) -> tuple[Any, BoolArray]:
        """The labels of `predict`, and which of them are answered: those whose margin is at least `abstain`."""
        labels, answered = self._answered(self._scores(X))
        return self._restored(labels, X), answered

    def margins(self, X: Any) -> FloatArray:
        """The probability of each predicted label less that of the next best, among those that `marginals_` names."""
        scores = self._scores(X)
        return self._source.distribution.margins(scores.weights, self._labels(scores))

    def abstains(self, X: Any) -> BoolArray:
        """Tell which samples are not answered."""
        return ~self._answered(self._scores(X))[1]

    def coverage(self, X: Any) -> float:
        """The share of samples that are answered."""
        return float(self._answered(self._scores(X))[1].mean())

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of samples whose labels are all right.

        With `abstain`, only answered samples count; the share is NaN if there are none. A class that did not occur in
        `fit` counts as wrong.
        """
        check_is_fitted(self, "estimator_")
        if self._target is None:
            return share_right(self.estimator_.predict(X), y, sample_weight)
        labels, answered = self._answered(self._scores(X))
        predicted, truth = self._target.decode(labels), self._target.read(y)
        check_consistent_length(predicted, truth)
        weight = checked_sample_weight(sample_weight, len(truth))
        right = (predicted.astype(object) == truth.astype(object)).all(axis=1)[answered]
        row_weights = None if weight is None else weight[answered]
        return float(np.average(right, weights=row_weights)) if len(right) else float("nan")

    def set_output(self, *, transform: Output | None = None) -> Self:
        """Choose what `predict` and `predict_proba` return.

        "default" returns predictions as y was given, and probabilities as arrays; "pandas" and "polars" return data
        frames with the columns of y. None changes nothing.
        """
        if checked_output(transform) is not None:
            self._sklearn_output_config = {"transform": transform}  # the name that scikit-learn's clone copies
        return self

    @property
    def _output(self) -> Output:
        output: Output = getattr(self, "_sklearn_output_config", {}).get("transform", "default")
        return output

    def _scores(self, X: Any) -> ColumnScores:
        check_is_fitted(self, "estimator_")
        if self._target is None:
            raise DataError("y had one column, which no rules decide: use predict or predict_proba")
        return self._scorer.scores(X).calibrated(self._target, self._sigmoids, self.varying_, self.temperature_)

    def _labels(self, scores: ColumnScores) -> IntArray:
        return self._decoder.labels(scores, self._source, self._solver_settings())

    def _answered(self, scores: ColumnScores) -> tuple[IntArray, BoolArray]:
        """Labels, and which of them are answered."""
        labels, least = self._labels(scores), least_margin(self.abstain)
        if least == 0:
            return labels, np.ones(len(labels), bool)
        return labels, self._source.distribution.margins(scores.weights, labels) >= least

    def _restored(self, labels: IntArray, X: Any) -> Any:
        """Labels in the form that y had."""
        assert self._target is not None  # noqa: S101 - `_scores` refuses it
        return self._form.restored(self._target.decode(labels), self._output, X)


def _summing_to_one(chances: FloatArray) -> FloatArray:
    """Divide rows by their sum, which the rules leave at 1 up to a tolerance; others keep their bits."""
    totals = chances.sum(axis=1, keepdims=True)
    return np.where(np.abs(totals - 1) > ROUNDING, chances / totals, chances)
