"""ColumnScorer: a fitted classifier's probabilities or margins, as weights of the variables of its target.

The weight of a 0/1 variable is log p − log(1 − p); that of a class in a column of classes is log p. The value of a
label is then, up to a constant, its log-likelihood if the columns were independent. Probabilities are smoothed first,
as if half an example of every class were added to the n training examples. So a probability of 0 or 1 has a finite
weight, no larger than n examples can support.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.sklearn.parameter_types import ScoringMethod
from unwritten.sklearn.target_columns import TargetColumns


@dataclass(frozen=True, eq=False)
class ColumnScorer:
    """A clone of the estimator, fitted on the columns of the target that vary in `n` examples.

    The estimator is None if no column varies. Many classifiers refuse a constant column, so it is never passed to one:
    its only class gets the weight that n examples support. `classes` are the codes that occur in each column.
    """

    estimator: Any
    method: ScoringMethod
    target: TargetColumns
    classes: tuple[IntArray, ...]
    n: int

    @classmethod
    def fit(
        cls, estimator: Any, method: ScoringMethod, target: TargetColumns, features: Any, codes: IntArray
    ) -> ColumnScorer:
        """Fit a clone of the estimator."""
        classes = tuple(np.unique(column) for column in codes.T)
        varying = [j for j, present in enumerate(classes) if len(present) > 1]
        if not varying:
            return cls(None, method, target, classes, len(codes))
        columns = varying * 2 if len(varying) == 1 else varying  # scikit-learn reads a single column as another kind
        fitted = clone(estimator)
        fitted.fit(features, codes[:, columns])
        return cls(fitted, method, target, classes, len(codes))

    @property
    def varying(self) -> BoolArray:
        """Tell which columns the estimator was fitted on."""
        return np.array([len(present) > 1 for present in self.classes])

    def weights(self, features: Any) -> FloatArray:
        """The weights (rows × variables)."""
        blocks: Iterator[FloatArray] = iter(())
        if self.estimator is not None:
            blocks = iter(self._blocks(getattr(self.estimator, self.method)(features)))
        rows = _num_samples(features)
        weights = []
        for j, varies in enumerate(self.varying):
            if varies and self.method == "decision_function":
                weights.append(next(blocks))
            elif varies:
                weights.append(self._column_weights(self._with_absent_classes(next(blocks), j), j))
            else:
                certain = (np.arange(len(self.target.classes[j])) == self.classes[j]).astype(np.float64)
                weights.append(self._column_weights(np.tile(certain, (rows, 1)), j))
        return np.concatenate(weights, axis=1)

    def _blocks(self, output: Any) -> list[FloatArray]:
        """Split the estimator's output by fitted column: the probabilities of its classes, or its margin alone."""
        fitted = [present for present in self.classes if len(present) > 1]
        fitted = fitted * 2 if len(fitted) == 1 else fitted
        name = type(self.estimator).__name__
        margins = self.method == "decision_function"
        if isinstance(output, list) and not margins:
            blocks = [np.asarray(block, np.float64) for block in output]
        else:
            table = np.asarray(output.toarray() if hasattr(output, "toarray") else output, np.float64)
            if table.ndim != 2 or table.shape[1] != len(fitted) or any(len(present) != 2 for present in fitted):
                raise DataError(
                    f"{name}.{self.method} gives shape {table.shape} for {len(fitted)} columns of "
                    f"{'labels' if self.target.binary else 'classes'}: wrap it in OneVsRestClassifier (labels) or "
                    "MultiOutputClassifier (classes)"
                )
            blocks = [column[:, None] if margins else np.column_stack([1 - column, column]) for column in table.T]
        if not all(np.isfinite(block).all() for block in blocks):
            raise DataError(
                f"{name}.{self.method} gives NaN or infinity: scale the features, or regularise {name} more, until "
                "its scores are finite"
            )
        shapes = [block.shape[1:] for block in blocks]
        if not margins and shapes != [(len(present),) for present in fitted]:
            raise DataError(
                f"{name}.predict_proba gives tables for {len(shapes)} columns that do not fit the classes of the "
                f"{len(fitted)} it was fitted on: give a classifier that scores every class of every column"
            )
        return blocks

    def _with_absent_classes(self, block: FloatArray, j: int) -> FloatArray:
        """Probabilities of all classes of a column: 0 for classes that do not occur in these examples."""
        probabilities = np.zeros((len(block), len(self.target.classes[j])))
        probabilities[:, self.classes[j]] = block
        return probabilities

    def _column_weights(self, probabilities: FloatArray, j: int) -> FloatArray:
        """Weights of a column's variables from the probabilities of its classes."""
        smoothed = (self.n * np.clip(probabilities, 0, 1) + 0.5) / (self.n + 0.5 * probabilities.shape[1])
        logs = np.log(smoothed)
        weights: FloatArray = logs[:, 1:] - logs[:, :1] if self.target.binary else logs[:, self.target.order[j]]
        return weights


def cross_fitted_weights(
    estimator: Any, method: ScoringMethod, target: TargetColumns, features: Any, codes: IntArray, cv: Any
) -> tuple[FloatArray, BoolArray]:
    """Weights of every example by a clone that was not fitted on it, and which columns varied for that clone."""
    splitter = KFold(cv, shuffle=True, random_state=0) if isinstance(cv, int) else check_cv(cv)
    weights, varied = None, np.zeros(codes.shape, bool)
    times_scored = np.zeros(len(codes), np.int64)
    for train, test in splitter.split(features, codes):
        scorer = ColumnScorer.fit(estimator, method, target, _safe_indexing(features, train), codes[train])
        fold_weights = scorer.weights(_safe_indexing(features, test))
        weights = np.zeros((len(codes), fold_weights.shape[1])) if weights is None else weights
        weights[test], varied[test] = fold_weights, scorer.varying
        times_scored[test] += 1
    if weights is None or (times_scored != 1).any():
        raise DataError("cv must score every example once: give a number of folds, or a partition such as KFold")
    return weights, varied


def scoring_method(estimator: Any, response_method: str) -> ScoringMethod:
    """The method that gives scores; refuse what is not a classifier, or has no such method."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        raise DataError(f"estimator is {estimator!r}: give an instance of a scikit-learn classifier")
    name = type(estimator).__name__
    if not is_classifier(estimator):
        raise DataError(f"{name} is not a classifier: give one that predicts labels")
    methods: tuple[ScoringMethod, ...] = get_args(ScoringMethod)
    if response_method not in ("auto", *methods):
        raise DataError(f"response_method is {response_method!r}: use 'auto', 'predict_proba' or 'decision_function'")
    wanted = [method for method in methods if response_method in ("auto", method)]
    for method in wanted:
        if hasattr(estimator, method):
            return method
    raise DataError(
        f"{name} has no {' or '.join(wanted)}: wrap margins in OneVsRestClassifier, or give a classifier with "
        "probabilities (CalibratedClassifierCV adds them)"
    )
