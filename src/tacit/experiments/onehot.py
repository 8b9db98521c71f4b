"""One-hot labels of categorical rows: one 0/1 variable per column and value seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.data import IntArray
from tacit.errors import DataError


def one_hot(columns: Sequence[str], values: npt.ArrayLike) -> tuple[IntArray, list[str], list[IntArray]]:
    """Labels (n × d), their names "column=value", and for each column the indices of its variables.

    Variables come in the order of the columns, then of the values: as numbers if all are integers, else as text.

    >>> labels, names, groups = one_hot(["size", "hue"], [["10", "red"], ["9", "blue"]])
    >>> names
    ['size=9', 'size=10', 'hue=blue', 'hue=red']
    >>> labels.tolist()
    [[0, 1, 0, 1], [1, 0, 1, 0]]
    """
    table = np.asarray(values).astype(str)
    if table.ndim != 2 or table.shape[1] != len(columns):
        raise DataError(f"values of shape {table.shape} for {len(columns)} columns: give one value per row and column")
    names: list[str] = []
    blocks: list[npt.NDArray[Any]] = [np.zeros((len(table), 0), bool)]
    groups: list[IntArray] = []
    for column, entries in zip(columns, table.T, strict=True):
        seen = _in_order(entries)
        groups.append(np.arange(len(names), len(names) + len(seen), dtype=np.int64))
        names += [f"{column}={value}" for value in seen]
        blocks.append(entries[:, None] == np.array(seen, table.dtype))
    return np.concatenate(blocks, axis=1).astype(np.int64), names, groups


def _in_order(entries: npt.NDArray[Any]) -> list[str]:
    """The distinct entries, by number where they are integers."""
    seen = sorted(set(entries.tolist()))
    try:
        return sorted(seen, key=int)
    except ValueError:
        return seen
