"""Scores: a fitted classifier's probabilities or margins as weights of the variables of its target.

A 0/1 variable weighs log p − log(1 − p), a class of a column log p; so the value of a label is, up to a constant, the
log-likelihood that independent columns give it. Probabilities are those of n examples and half an example more of
every class: no score says more than n examples can, and 0 and 1 are no vetoes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.sklearn.targets import Target

METHODS = ("predict_proba", "decision_function")


@dataclass(frozen=True, eq=False)
class Scorer:
    """A clone fitted on the columns of the target that vary in its `n` examples (`None` if none does).

    A constant column is no classifier's affair (many refuse it): its class has the score that n examples earn it.
    """

    estimator: Any
    method: str
    target: Target
    classes: tuple[IntArray, ...]
    n: int

    @classmethod
    def fit(cls, estimator: Any, method: str, target: Target, features: Any, codes: IntArray) -> Scorer:
        """Fit a clone of the estimator."""
        classes = tuple(np.unique(column) for column in codes.T)
        varying = [j for j, found in enumerate(classes) if len(found) > 1]
        if not varying:
            return cls(None, method, target, classes, len(codes))
        chosen = varying * 2 if len(varying) == 1 else varying  # one column alone would be another kind of target
        fitted = clone(estimator)
        fitted.fit(features, codes[:, chosen])
        return cls(fitted, method, target, classes, len(codes))

    @property
    def varying(self) -> BoolArray:
        """Which columns the estimator was fitted on."""
        return np.array([len(found) > 1 for found in self.classes])

    def weights(self, features: Any) -> FloatArray:
        """The weights (rows × variables)."""
        scored: Iterator[FloatArray] = iter(())
        if self.estimator is not None:
            scored = iter(self._columns(getattr(self.estimator, self.method)(features)))
        rows = _num_samples(features)
        columns = []
        for j, varies in enumerate(self.varying):
            if varies and self.method == "decision_function":
                columns.append(next(scored))
            elif varies:
                columns.append(self._weigh(self._full(next(scored), j), j))
            else:
                sure = (np.arange(len(self.target.classes[j])) == self.classes[j]).astype(np.float64)
                columns.append(self._weigh(np.tile(sure, (rows, 1)), j))
        return np.concatenate(columns, axis=1)

    def _columns(self, found: Any) -> list[FloatArray]:
        """Per fitted column the probabilities of its classes, or margins (one column)."""
        fitted = [classes for classes in self.classes if len(classes) > 1]
        fitted = fitted * 2 if len(fitted) == 1 else fitted
        name = called(self.estimator)
        margins = self.method == "decision_function"
        if isinstance(found, list) and not margins:
            blocks = [np.asarray(block, np.float64) for block in found]
        else:
            table = np.asarray(found.toarray() if hasattr(found, "toarray") else found, np.float64)
            if table.ndim != 2 or table.shape[1] != len(fitted) or any(len(classes) != 2 for classes in fitted):
                raise DataError(
                    f"{name}.{self.method} gives shape {table.shape} for {len(fitted)} columns of "
                    f"{'labels' if self.target.indicator else 'classes'}: wrap it in OneVsRestClassifier (labels) or "
                    "MultiOutputClassifier (classes)"
                )
            blocks = [column[:, None] if margins else np.column_stack([1 - column, column]) for column in table.T]
        if not all(np.isfinite(block).all() for block in blocks):
            raise DataError(
                f"{name}.{self.method} gives NaN or infinity: scale the features, or regularise {name} more, until "
                "its scores are finite"
            )
        shapes = [block.shape[1:] for block in blocks]
        if not margins and shapes != [(len(classes),) for classes in fitted]:
            raise DataError(
                f"{name}.predict_proba gives tables for {len(shapes)} columns that do not fit the classes of the "
                f"{len(fitted)} it was fitted on: give a classifier that scores every class of every column"
            )
        return blocks

    def _full(self, block: FloatArray, j: int) -> FloatArray:
        """Probabilities of all classes of a column, 0 for those that these examples lack."""
        full = np.zeros((len(block), len(self.target.classes[j])))
        full[:, self.classes[j]] = block
        return full

    def _weigh(self, full: FloatArray, j: int) -> FloatArray:
        """Weights of a column's variables from the probabilities of its classes."""
        logs = np.log((self.n * np.clip(full, 0, 1) + 0.5) / (self.n + 0.5 * full.shape[1]))
        weights: FloatArray = logs[:, 1:] - logs[:, :1] if self.target.indicator else logs[:, self.target.order[j]]
        return weights


def cross_fitted(
    estimator: Any, method: str, target: Target, features: Any, codes: IntArray, cv: Any
) -> tuple[FloatArray, BoolArray]:
    """Weights of all examples by clones that have not seen them, and which columns varied for these clones."""
    splitter = KFold(cv, shuffle=True, random_state=0) if isinstance(cv, int) else check_cv(cv)
    weights, varied = None, np.zeros(codes.shape, bool)
    times = np.zeros(len(codes), np.int64)
    for train, test in splitter.split(features, codes):
        scorer = Scorer.fit(estimator, method, target, _safe_indexing(features, train), codes[train])
        part = scorer.weights(_safe_indexing(features, test))
        weights = np.zeros((len(codes), part.shape[1])) if weights is None else weights
        weights[test], varied[test] = part, scorer.varying
        times[test] += 1
    if weights is None or (times != 1).any():
        raise DataError("cv must score every example once: give a number of folds, or a partition such as KFold")
    return weights, varied


def chosen_method(estimator: Any, method: str) -> str:
    """The method that scores, after refusing what is no classifier or has no scores."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        raise DataError(f"estimator is {estimator!r}: give an instance of a scikit-learn classifier")
    name = called(estimator)
    if not is_classifier(estimator):
        raise DataError(f"{name} is not a classifier: give one that predicts labels")
    if method not in ("auto", *METHODS):
        raise DataError(f"response_method is {method!r}: use 'auto', 'predict_proba' or 'decision_function'")
    wanted = METHODS if method == "auto" else (method,)
    for each in wanted:
        if hasattr(estimator, each):
            return each
    raise DataError(
        f"{name} has no {' or '.join(wanted)}: wrap margins in OneVsRestClassifier, or give a classifier with "
        "probabilities (CalibratedClassifierCV adds them)"
    )


def called(estimator: Any) -> str:
    """The name of an estimator."""
    return type(estimator).__name__
