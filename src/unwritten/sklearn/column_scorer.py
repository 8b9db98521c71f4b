"""ColumnScorer: a fitted classifier's probabilities or margins, and the weights of the variables of its target.

The weight of a 0/1 variable is log p − log(1 − p); that of a class in a column of classes is log p. The value of a
label is then, up to a constant, its log-likelihood if the columns were independent. Probabilities are smoothed first,
as if half an example of every class were added to the n training examples. So a probability of 0 or 1 has a finite
weight, no larger than n examples can support.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import clone, is_classifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.utils.validation import _num_samples

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.sklearn.fit_metadata import FitMetadata
from unwritten.sklearn.parameter_types import ScoringMethod
from unwritten.sklearn.target_columns import TargetColumns


@dataclass(frozen=True, eq=False)
class ColumnScores:
    """The weight of each variable, the probability that it is 1, and the estimator's own labels (rows × variables).

    The probabilities are the estimator's own, bit for bit; where it has only margins, they are their sigmoids. Its own
    labels are the likeliest class of each column.
    """

    weights: FloatArray
    probabilities: FloatArray
    own: IntArray

    def __getitem__(self, rows: IntArray) -> ColumnScores:
        return ColumnScores(self.weights[rows], self.probabilities[rows], self.own[rows])

    @classmethod
    def joined(cls, parts: list[ColumnScores], order: IntArray) -> ColumnScores:
        """The rows of all parts, one after the other, taken in this order."""
        weights, probabilities = [part.weights for part in parts], [part.probabilities for part in parts]
        own = np.concatenate([part.own for part in parts])
        return cls(np.concatenate(weights)[order], np.concatenate(probabilities)[order], own[order])

    def calibrated(
        self, target: TargetColumns, sigmoids: FloatArray | None, varying: BoolArray, temperature: float
    ) -> ColumnScores:
        """Weights after a sigmoid per column and a temperature; if these change them, so do probabilities."""
        if sigmoids is None and temperature == 1.0:
            return self
        weights = self.weights
        if sigmoids is not None:
            weights = np.where(varying, weights * sigmoids[0] + sigmoids[1], weights)
        weights = weights / temperature
        if target.binary:
            return ColumnScores(weights, expit(weights), self.own)
        chances = [softmax(block, axis=1) for block in target.blocks(weights)]
        return ColumnScores(weights, np.concatenate(chances, axis=1), self.own)


@dataclass(frozen=True, eq=False)
class ColumnScorer:
    """A clone of the estimator, fitted on the columns of the target that vary in `n` examples.

    The estimator is None if no column varies. Many classifiers refuse a constant column, so it is never passed to one:
    its only class gets the weight that n examples support. `classes` are the codes that occur in each column, and
    `fitted` tells which columns the estimator was fitted on.
    """

    estimator: Any
    method: ScoringMethod
    target: TargetColumns
    classes: tuple[IntArray, ...]
    n: int
    fitted: BoolArray

    @classmethod
    def fit(
        cls,
        estimator: Any,
        method: ScoringMethod,
        target: TargetColumns,
        features: Any,
        codes: IntArray,
        metadata: FitMetadata,
    ) -> ColumnScorer:
        """Fit the estimator, which should be unfitted, or one that is to be fitted further (warm start)."""
        classes = tuple(np.unique(column) for column in codes.T)
        fitted = np.array([len(present) > 1 for present in classes])
        if not fitted.any():
            return cls(None, method, target, classes, len(codes), fitted)
        estimator.fit(features, codes[:, _columns(fitted)], **metadata.estimator)
        return cls(estimator, method, target, classes, len(codes), fitted)

    @classmethod
    def blank(cls, estimator: Any, method: ScoringMethod, target: TargetColumns) -> ColumnScorer:
        """Start a scorer that gets its samples in chunks: it scores all columns and all classes."""
        classes = tuple(np.arange(len(column)) for column in target.classes)
        return cls(clone(estimator), method, target, classes, 0, np.ones(len(classes), bool))

    def with_chunk(self, features: Any, codes: IntArray, metadata: FitMetadata) -> ColumnScorer:
        """Fit the estimator on one more chunk, in place."""
        columns = _columns(self.fitted)
        by_column = isinstance(self.estimator, MultiOutputClassifier)  # other multilabel classifiers number the columns
        classes = [self.classes[j] for j in columns] if by_column else np.arange(len(columns))
        first = {"classes": classes} if self.n == 0 else {}
        self.estimator.partial_fit(features, codes[:, columns], **first, **metadata.estimator)
        return replace(self, n=self.n + len(codes))

    def scores(self, features: Any) -> ColumnScores:
        """The weights and probabilities of the variables."""
        blocks: Iterator[FloatArray] = iter(())
        if self.estimator is not None:
            blocks = iter(self._blocks(getattr(self.estimator, self.method)(features)))
        rows = _num_samples(features)
        weights, probabilities = [], []
        for j, fitted in enumerate(self.fitted):
            if fitted and self.method == "decision_function":
                weights.append(next(blocks))
                probabilities.append(expit(weights[-1]))
                continue
            if fitted:
                chances = self._with_absent_classes(next(blocks), j)
            else:
                certain = (np.arange(len(self.target.classes[j])) == self.classes[j]).astype(np.float64)
                chances = np.tile(certain, (rows, 1))
            weights.append(self._column_weights(chances, j))
            probabilities.append(chances[:, 1:] if self.target.binary else chances[:, self.target.order[j]])
        joined, chances = np.concatenate(weights, axis=1), np.concatenate(probabilities, axis=1)
        own = (joined > 0).astype(np.int64) if self.target.binary else self.target.most_probable(joined)
        return ColumnScores(joined, chances, own)

    def _blocks(self, output: Any) -> list[FloatArray]:
        """Split the estimator's output by fitted column: the probabilities of its classes, or its margin alone."""
        fitted = [self.classes[j] for j in _columns(self.fitted)]
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


def _columns(fitted: BoolArray) -> list[int]:
    """The columns that the estimator gets: a single one twice, because scikit-learn reads it as another kind of y."""
    columns: list[int] = np.flatnonzero(fitted).tolist()
    return columns * 2 if len(columns) == 1 else columns


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
