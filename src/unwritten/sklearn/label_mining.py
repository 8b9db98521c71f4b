"""Mine the labels of a classifier's training set: all of them, or those of some folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mine import mine
from unwritten.model import Model
from unwritten.sklearn.label_decoder import LabelSource
from unwritten.sklearn.target_columns import TargetColumns
from unwritten.tables import Table


def mined_labels(
    target: TargetColumns,
    labels: IntArray | Table,
    settings: dict[str, Any],
    weights: FloatArray | None,
    confidence: float,
) -> Model:
    """The model of all labels; weights make cuts."""
    names = target.names if target.binary else None
    return mine(labels, weights, names=names, progress=False, confidence=confidence, **settings)


def mined_part(
    target: TargetColumns, labels: IntArray, settings: dict[str, Any], rows: IntArray, confidence: float
) -> LabelSource:
    """What was mined from some rows of encoded labels (n × variables); a column of classes has one class at a time."""
    if target.binary:
        settings = {**settings, "names": target.names}
    else:
        column = np.repeat(np.arange(len(target.order)), [len(order) for order in target.order])
        blocks = (column == np.arange(len(target.order))[:, None]).astype(np.int64)
        settings = {**settings, "prior": [(row, "==", 1) for row in blocks]}
    return LabelSource(mine(labels[rows], progress=False, confidence=confidence, **settings), target)
