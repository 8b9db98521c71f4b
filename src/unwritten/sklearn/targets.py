"""Targets: what a classifier is trained on, as labels to mine, and labels as what it predicts.

A target of zeros and ones has a variable per column. Any other is read as columns of classes (multi-output), each of
which becomes a variable per class, exactly one of them 1.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.tables import Table

Values = NDArray[Any]  # n × q, as users have them


@dataclass(frozen=True, eq=False)
class Target:
    """The columns of a target: their names and classes, and which class each variable stands for.

    Columns of an `indicator` have one variable each, for class 1.
    """

    names: tuple[str, ...] | None
    classes: tuple[Values, ...]
    order: tuple[IntArray, ...]
    dtype: np.dtype[Any]
    indicator: bool

    @classmethod
    def of(cls, source: object) -> tuple[Target, IntArray, Any]:
        """The target, its codes (places of classes), and what to mine: labels, or a table of columns of classes."""
        values, names = values_from(source)
        named = None if names is None else tuple(names)
        if len(values) == 0:
            raise DataError("labels are empty: give at least two samples")
        if values.dtype.kind not in "UO" and np.isin(values, (0, 1)).all():
            binary, first = np.array([0, 1]), np.array([1])
            q, codes = values.shape[1], values.astype(np.int64)
            return cls(named, (binary,) * q, (first,) * q, values.dtype, True), codes, codes
        classes = tuple(_classes(column, j) for j, column in enumerate(values.T))
        table = _table(values, names or [f"y{j}" for j in range(values.shape[1])], classes)
        place = [{str(value): k for k, value in enumerate(column)} for column in classes]
        order = tuple(
            np.array([place[j][str(level)] for level in column.levels]) for j, column in enumerate(table.schema.used)
        )
        codes = np.column_stack([np.searchsorted(*pair) for pair in zip(classes, values.T, strict=True)])
        return cls(named, classes, order, values.dtype, False), codes, table

    def read(self, source: object) -> Values:
        """Values to compare with what is predicted: the same columns, any classes."""
        values, names = values_from(source)
        if values.shape[1] != len(self.classes):
            raise DataError(
                f"labels have {values.shape[1]} columns but the classifier was fitted on {len(self.classes)}: "
                "give the same columns"
            )
        if names is not None and self.names is not None and tuple(names) != self.names:
            raise DataError(f"labels have other columns than in fit: give {', '.join(self.names)} in that order")
        return values

    def encode(self, codes: IntArray) -> IntArray:
        """The labels of codes."""
        return np.concatenate([codes[:, [j]] == order for j, order in enumerate(self.order)], axis=1).astype(np.int64)

    def decode(self, labels: IntArray) -> Values:
        """The values of labels."""
        if self.indicator:
            return labels.astype(self.dtype)
        values = np.empty((len(labels), len(self.classes)), self.dtype)
        for j, block in enumerate(self.blocks(labels)):
            values[:, j] = self.classes[j][self.order[j][block.argmax(axis=1)]]
        return values

    def blocks(self, table: NDArray[Any]) -> list[NDArray[Any]]:
        """The variables of each column."""
        ends = np.cumsum([len(order) for order in self.order])
        return np.split(table, ends[:-1], axis=1)


def values_from(source: object) -> tuple[Values, list[str] | None]:
    """A table of integers, bools, texts or objects, and the names of its columns where it has them."""
    if source is None:
        raise DataError("requires y to be passed, but the target y is None: give the labels")
    values, names = _plain(source)
    if values.dtype.kind == "O":
        if all(isinstance(value, int | float | np.number | np.bool_) for value in values.flat):
            values = np.array(values.tolist())
        elif any(value is None or (isinstance(value, float) and np.isnan(value)) for value in values.flat):
            raise DataError("labels have missing values: fill or drop them")
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise DataError("labels hold NaN or infinity: fill or drop those rows")
        if (values != np.floor(values)).any():
            raise DataError("Unknown label type: labels hold fractions: give 0/1 labels or classes, not probabilities")
    elif values.dtype.kind not in "buiUO":
        raise DataError(f"labels are of type {values.dtype}: give 0/1 labels, or classes as integers or texts")
    if values.ndim != 2 or values.shape[1] == 0:
        raise DataError(
            f"labels have shape {values.shape}: give one row per sample and one column per label or output "
            "(for one column of classes no rule can help: use the estimator itself)"
        )
    return values, names


def _plain(source: Any) -> tuple[Values, list[str] | None]:
    if "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(source):
        return np.asarray(source.toarray()), None
    if isinstance(source, list | tuple | np.ndarray):
        try:
            return np.asarray(source), None
        except ValueError as error:
            raise DataError("labels have rows of different lengths: give every row the same columns") from error
    import narwhals.stable.v1 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(source, pass_through=True)
    except DuplicateError as error:
        raise DataError("labels have two columns of one name: rename one of them") from error
    if not isinstance(frame, nw.DataFrame):
        return np.asarray(source), None
    if any(column.null_count() for column in frame.iter_columns()):
        raise DataError("labels have missing values: fill or drop them")
    columns = [column.to_numpy() for column in frame.iter_columns()]
    numbers = all(column.dtype.kind in "buif" for column in columns)
    table = np.empty((len(frame), len(columns)), np.result_type(*columns) if columns and numbers else object)
    for j, column in enumerate(columns):
        table[:, j] = column
    return table, [str(name) for name in frame.columns]


def _classes(column: Values, j: int) -> Values:
    try:
        classes = np.unique(column)
    except TypeError as error:
        raise DataError(f"labels mix texts and numbers in column {j}: give each column one type") from error
    if len({str(value) for value in classes}) < len(classes):
        raise DataError(f"labels have classes in column {j} that are written alike: rename one of them")
    return np.asarray(classes)


def _table(values: Values, names: list[str], classes: tuple[Values, ...]) -> Table:
    """Columns of classes as a table, so that rules speak of columns and their values."""
    import pyarrow as pa

    if len(set(names)) < len(names):
        raise DataError("labels have two columns of one name: rename one of them")
    texts = {name: [str(value) for value in column] for name, column in zip(names, values.T, strict=True)}
    most = max(len(column) for column in classes)
    return Table.of(pa.table(texts), dict.fromkeys(names, "category"), max_levels=most)
