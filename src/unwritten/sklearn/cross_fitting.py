"""Cross-fitting: scores of every sample by a scorer that was not fitted on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, check_cv
from sklearn.utils import _safe_indexing

from unwritten.data import BoolArray, IntArray
from unwritten.errors import DataError
from unwritten.sklearn.column_scorer import ColumnScorer, ColumnScores
from unwritten.sklearn.fit_metadata import FitMetadata
from unwritten.sklearn.parameter_types import ScoringMethod
from unwritten.sklearn.target_columns import TargetColumns


@dataclass(frozen=True, eq=False)
class CrossFit:
    """The scores of all samples, the folds (training rows, scored rows), and which columns varied for each sample."""

    scores: ColumnScores
    folds: list[tuple[IntArray, IntArray]]
    varied: BoolArray


def cross_fitted(
    estimator: Any,
    method: ScoringMethod,
    target: TargetColumns,
    features: Any,
    codes: IntArray,
    metadata: FitMetadata,
    cv: Any,
) -> CrossFit:
    """Score every sample by a clone of the estimator that was fitted on other folds."""
    folds: list[tuple[IntArray, IntArray]] = []
    parts: list[ColumnScores] = []
    varied = np.zeros(codes.shape, bool)
    for train, test in _splits(features, codes, metadata, cv):
        scorer = ColumnScorer.fit(
            clone(estimator),
            method,
            target,
            _safe_indexing(features, train),
            codes[train],
            metadata.rows(features, train),
        )
        parts.append(scorer.scores(_safe_indexing(features, test)))
        folds.append((train, test))
        varied[test] = scorer.fitted
    scored = np.concatenate([test for _, test in folds]) if folds else np.zeros(0, np.int64)
    if not np.array_equal(np.sort(scored), np.arange(len(codes))):
        raise DataError("cv must score every example once: give a number of folds, or a partition such as KFold")
    return CrossFit(ColumnScores.joined(parts, np.argsort(scored)), folds, varied)


def _splits(features: Any, codes: IntArray, metadata: FitMetadata, cv: Any) -> Iterator[tuple[IntArray, IntArray]]:
    if isinstance(cv, int) and not isinstance(cv, bool):
        if cv < 2:
            raise DataError(f"cv is {cv}, n_splits={cv} folds: use at least 2")
        splitter = KFold(min(cv, len(codes)), shuffle=True, random_state=0)
    else:
        splitter = check_cv(cv)
    yield from splitter.split(features, codes, **metadata.splitter)
