"""TargetColumns: translate between what a classifier is trained on and the labels that are mined.

A target of zeros and ones has one variable per column. Any other target is read as columns of classes (multi-output):
each column has one variable per class, and exactly one of them is 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.sklearn.target_values import TargetValues, target_values
from unwritten.tables import Table


@dataclass(frozen=True, eq=False)
class TargetColumns:
    """The columns of a target: their names, their classes, and in `order` the class that each variable is for.

    If the target is `binary`, each column has one variable, for class 1.
    """

    names: tuple[str, ...] | None
    classes: tuple[TargetValues, ...]
    order: tuple[IntArray, ...]
    dtype: np.dtype[Any]
    binary: bool

    @classmethod
    def of(cls, source: object) -> tuple[TargetColumns, IntArray, IntArray | Table]:
        """Read a target: its columns, its codes (the place of each value among the classes), and what to mine.

        What to mine are the codes themselves if the target is binary, else a table with columns of classes.
        """
        values, names = target_values(source)
        own_names = None if names is None else tuple(names)
        if len(values) == 0:
            raise DataError("labels are empty: give at least two samples")
        if values.dtype.kind not in "UO" and np.isin(values, (0, 1)).all():
            zero_one, one = np.array([0, 1]), np.array([1])
            width, codes = values.shape[1], values.astype(np.int64)
            return cls(own_names, (zero_one,) * width, (one,) * width, values.dtype, True), codes, codes
        classes = tuple(_classes(column, j) for j, column in enumerate(values.T))
        table = _table(values, names or [f"y{j}" for j in range(values.shape[1])], classes)
        places = [{str(value): k for k, value in enumerate(column)} for column in classes]
        order = tuple(
            np.array([places[j][str(level)] for level in column.levels]) for j, column in enumerate(table.schema.used)
        )
        codes = np.column_stack([np.searchsorted(*pair) for pair in zip(classes, values.T, strict=True)])
        return cls(own_names, classes, order, values.dtype, False), codes, table

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns; y0, y1 and so on if they have none."""
        return self.names or tuple(f"y{j}" for j in range(len(self.classes)))

    def read(self, source: object) -> TargetValues:
        """Read true values to compare with predictions: they have the same columns, but may have other classes."""
        values, names = target_values(source)
        if values.shape[1] != len(self.classes):
            raise DataError(
                f"labels have {values.shape[1]} columns but the classifier was fitted on {len(self.classes)}: "
                "give the same columns"
            )
        if names is not None and self.names is not None and tuple(names) != self.names:
            raise DataError(f"labels have other columns than in fit: give {', '.join(self.names)} in that order")
        return values

    def encode(self, codes: IntArray) -> IntArray:
        """The labels (n × variables) for codes (n × columns)."""
        return np.concatenate([codes[:, [j]] == order for j, order in enumerate(self.order)], axis=1).astype(np.int64)

    def most_probable(self, scores: FloatArray, level: float = 0.5) -> IntArray:
        """The label (n × variables) of each row: entries of at least `level`, or the best class of each column."""
        if self.binary:
            return (scores >= level).astype(np.int64)
        blocks = [block.argmax(axis=1)[:, None] == np.arange(block.shape[1]) for block in self.blocks(scores)]
        return np.concatenate(blocks, axis=1).astype(np.int64)

    def decode(self, labels: IntArray) -> TargetValues:
        """The values (n × columns) for labels (n × variables)."""
        if self.binary:
            return labels.astype(self.dtype)
        values = np.empty((len(labels), len(self.classes)), self.dtype)
        for j, block in enumerate(self.blocks(labels)):
            values[:, j] = self.classes[j][self.order[j][block.argmax(axis=1)]]
        return values

    def blocks(self, array: NDArray[Any]) -> list[NDArray[Any]]:
        """Split an array (n × variables) into the variables of each column."""
        ends = np.cumsum([len(order) for order in self.order])
        return np.split(array, ends[:-1], axis=1)


def _classes(column: TargetValues, j: int) -> TargetValues:
    try:
        classes = np.unique(column)
    except TypeError as error:
        raise DataError(f"labels mix texts and numbers in column {j}: give each column one type") from error
    if len({str(value) for value in classes}) < len(classes):
        raise DataError(f"labels have classes in column {j} that are written alike: rename one of them")
    return np.asarray(classes)


def _table(values: TargetValues, names: list[str], classes: tuple[TargetValues, ...]) -> Table:
    """Columns of classes as a table, so that rules are written in terms of columns and their values."""
    import pyarrow as pa

    if len(set(names)) < len(names):
        raise DataError("labels have two columns of one name: rename one of them")
    texts = {name: [str(value) for value in column] for name, column in zip(names, values.T, strict=True)}
    most_classes = max(len(column) for column in classes)
    return Table.of(pa.table(texts), dict.fromkeys(names, "category"), max_levels=most_classes)
