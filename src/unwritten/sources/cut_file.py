"""Examples with weights: all in memory, or with the weights in a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import Examples, FloatArray, IntArray, Sense, Variables
from unwritten.data.examples import given_slack
from unwritten.data.products import row_values
from unwritten.errors import DataError, FormatError
from unwritten.formats.atomic import reason, replacing
from unwritten.mining import Cuts
from unwritten.mining.cuts import Judgement, judge, refuse_too_little_slack
from unwritten.mining.sets.set_labels import examples_for_matroids


class InMemory:
    """Keeps all labels and weights in memory."""

    def __init__(self) -> None:
        self._labels: list[NDArray[Any]] = []
        self._weights: list[FloatArray] = []

    def add(self, labels: NDArray[Any], weights: FloatArray) -> None:
        """Keep a block of examples."""
        self._labels.append(np.array(labels))
        self._weights.append(weights)

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """All examples."""
        labels = np.concatenate(self._labels)
        return Examples.of(labels, np.concatenate(self._weights), sense=sense, variables=variables)

    def clean(self) -> None:
        """Do nothing: there are no temporary files."""


class OnDisk:
    """Writes the weights to a temporary file next to the file of cuts at `path`.

    The value of every example and the first few labels stay in memory.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.weights_path = path, path.with_name(f".{path.name}.part")
        if not path.parent.is_dir():
            raise DataError(f"cannot keep cuts in {path}: the directory {path.parent} is missing, create it first")
        if path.exists() and (path.suffix != ".npy" or not path.is_file()):
            raise DataError(f"cannot keep cuts in {path}: it exists and is not a .npy file, choose another name")
        self._values: list[FloatArray] = []
        self.first_labels = np.zeros((0, 0), np.int64)
        self.width = 0
        self.rows = 0

    @property
    def values(self) -> FloatArray:
        """w_i · y_i of every example, in the sense of the user."""
        return np.concatenate([np.zeros(0), *self._values])

    def resume(self, values: FloatArray | None, first_labels: IntArray | None) -> None:
        """Continue after the rows that a checkpoint counted; the file may hold more rows, which are cut off."""
        size = -1 if values is None or first_labels is None else len(values) * first_labels.shape[1] * 8
        path = self.weights_path
        if values is None or first_labels is None or not path.is_file() or path.stat().st_size < size:
            raise DataError(f"{path.name}, which belongs to the checkpoint, is incomplete: start with resume=False")
        os.truncate(path, size)
        self.rows, self.width = len(values), first_labels.shape[1]
        self._values, self.first_labels = [values], first_labels

    def add(self, labels: NDArray[Any], weights: FloatArray) -> None:
        """Append the weights of a block of examples to the file."""
        self.width = labels.shape[1]
        with _naming_the_file(self.weights_path), open(self.weights_path, "ab" if self.rows else "wb") as file:
            file.write(np.ascontiguousarray(weights, np.float64).data)
        self._values.append(row_values(weights, labels))
        most = examples_for_matroids(self.width)
        if len(self.first_labels) < most:
            added = labels[: most - len(self.first_labels)].astype(np.int64)
            self.first_labels = np.concatenate([self.first_labels.reshape(-1, self.width), added])
        self.rows += len(labels)

    def sync(self) -> None:
        """Force all weights onto the disk, before a checkpoint that counts them is written."""
        with _naming_the_file(self.weights_path), open(self.weights_path, "ab") as file:
            os.fsync(file.fileno())

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """The first examples: as many as the search for a matroid uses."""
        weights = np.array(self._weights()[: len(self.first_labels)])
        return Examples.of(self.first_labels, weights, sense=sense, variables=variables)

    def cuts(self, variables: Variables, sense: Sense, seen: IntArray, slack: object) -> Cuts:
        """Judge the examples block by block, write the cuts to their file, and map it."""
        sign, weights = 1.0 if sense == "max" else -1.0, self._weights()
        values = sign * self.values + 0.0  # + 0.0 removes −0.0, which `row_values` of the signed weights never returns
        given, step = given_slack(slack, self.rows), max(1, budgets.CUT_FILE_ENTRIES // self.width)
        parts = [slice(start, start + step) for start in range(0, self.rows, step)]
        judgement = Judgement.joined(
            judge(sign * weights[part], values[part], variables, seen, None if given is None else given[part])
            for part in parts
        )
        refuse_too_little_slack(np.flatnonzero(judgement.too_little), self.rows, sense)
        binding = judgement.binding
        mapped = self._written((sign * weights[part][binding[part]] for part in parts), int(binding.sum()))
        return Cuts(mapped, values[binding], judgement.slack[binding], exact=not judgement.slack.any())

    def clean(self) -> None:
        """Remove the temporary file."""
        self.weights_path.unlink(missing_ok=True)

    def _written(self, blocks: Iterator[FloatArray], total: int) -> FloatArray:
        """Write blocks of `total` rows to the file of cuts, whole or not at all, and map it; 0 rows need no file."""
        if not total:
            return np.zeros((0, self.width))
        form = np.lib.format.header_data_from_array_1_0(np.zeros((0, self.width)))
        with replacing(self.path) as file:  # not through a memory map: a full disk would kill the process
            np.lib.format.write_array_header_1_0(file, form | {"shape": (total, self.width)})
            for rows in blocks:
                file.write(np.ascontiguousarray(rows, np.float64).data)
        weights: FloatArray = np.load(self.path, mmap_mode="r")
        return weights

    def _weights(self) -> NDArray[Any]:
        return np.memmap(self.weights_path, np.float64, "r", shape=(self.rows, self.width))


@contextmanager
def _naming_the_file(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into one that names the file and the cure."""
    try:
        yield
    except OSError as error:
        raise FormatError(f"cannot write {path} ({reason(error)}): make room or choose another place") from error
