"""Examples with weights: in memory, or with the weights in a file that the cuts are read from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import Examples, FloatArray, IntArray, Sense, Variables
from unwritten.errors import DataError, FormatError
from unwritten.formats.atomic import reason
from unwritten.mining import Cuts
from unwritten.mining.cuts import judged, refuse_short, slack_of
from unwritten.mining.sets.set_labels import examples_for_matroids


class Store(Protocol):
    """Where labels and weights go as they come."""

    def add(self, labels: NDArray[Any], weights: FloatArray) -> None:
        """Take in a block."""

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """The examples, or enough of them where there is a file."""

    def cuts(self, variables: Variables, sense: Sense, seen: IntArray, slack: object) -> Cuts | None:
        """The cuts, if they are in a file."""

    def clean(self) -> None:
        """Take away what is not needed any more."""


class InMemory:
    """Keeps everything."""

    def __init__(self) -> None:
        self._labels: list[NDArray[Any]] = []
        self._weights: list[FloatArray] = []

    def add(self, labels: NDArray[Any], weights: FloatArray) -> None:
        """Take in a block."""
        self._labels.append(np.array(labels))
        self._weights.append(weights)

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """All of them."""
        labels = np.concatenate(self._labels)
        return Examples.of(labels, np.concatenate(self._weights), sense=sense, variables=variables)

    def cuts(self, variables: Variables, sense: Sense, seen: IntArray, slack: object) -> Cuts | None:
        """None: they are made from the examples."""
        return None

    def clean(self) -> None:
        """Nothing to take away."""


class OnDisk:
    """Writes weights to a file beside the one that the cuts will be in; n values and a few labels stay in memory."""

    def __init__(self, path: Path) -> None:
        self.path, self.part = path, path.with_name(f".{path.name}.part")
        if not path.parent.is_dir():
            raise DataError(f"cannot keep cuts in {path}: the directory {path.parent} is missing, create it first")
        if path.exists() and (path.suffix != ".npy" or not path.is_file()):
            raise DataError(f"cannot keep cuts in {path}: it exists and is no .npy file, choose another name")
        self._values: list[FloatArray] = []
        self.first = np.zeros((0, 0), np.int64)
        self.width = 0
        self.rows = 0

    @property
    def kept(self) -> FloatArray:
        """The value of every example."""
        return np.concatenate([np.zeros(0), *self._values])

    def resume(self, values: FloatArray | None, first: IntArray | None) -> None:
        """Go on behind as many rows, which must be there."""
        size = -1 if values is None or first is None else len(values) * first.shape[1] * 8
        if values is None or first is None or not self.part.is_file() or self.part.stat().st_size < size:
            raise DataError(f"{self.part.name}, which the checkpoint goes with, is not whole: start with resume=False")
        os.truncate(self.part, size)
        self.rows, self._values, self.first, self.width = len(values), [values], first, first.shape[1]

    def add(self, labels: NDArray[Any], weights: FloatArray) -> None:
        """Take in a block."""
        self.width = labels.shape[1]
        with _writing(self.part), open(self.part, "ab" if self.rows else "wb") as file:
            file.write(np.ascontiguousarray(weights, np.float64).data)
        self._values.append(np.einsum("ij,ij->i", weights, labels.astype(np.float64)))
        most = examples_for_matroids(self.width)
        if len(self.first) < most:
            more = labels[: most - len(self.first)].astype(np.int64)
            self.first = np.concatenate([self.first.reshape(-1, self.width), more])
        self.rows += len(labels)

    def sync(self) -> None:
        """See to it that what was taken in is on the disk, for a checkpoint that goes with it."""
        with _writing(self.part), open(self.part, "ab") as file:
            os.fsync(file.fileno())

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """The first ones, which are all that a matroid is sought in."""
        first = np.array(self._weights()[: len(self.first)])
        return Examples.of(self.first, first, sense=sense, variables=variables)

    def cuts(self, variables: Variables, sense: Sense, seen: IntArray, slack: object) -> Cuts:
        """The cuts, chunk by chunk, in their file."""
        sign, weights, values = 1.0 if sense == "max" else -1.0, self._weights(), self.kept
        given, step = slack_of(slack, self.rows), max(1, budgets.CUT_FILE_ENTRIES // self.width)
        parts = [slice(start, start + step) for start in range(0, self.rows, step)]
        found = [
            judged(sign * weights[part], sign * values[part], variables, seen, None if given is None else given[part])
            for part in parts
        ]
        binding, need, short = (np.concatenate([getattr(f, k) for f in found]) for k in ("binding", "slack", "short"))
        refuse_short(np.flatnonzero(short), self.rows, sense)
        total = int(binding.sum())
        if total:
            beside = self.path.with_name(f".{self.path.name}.tmp")
            with _writing(self.path):
                file = np.lib.format.open_memmap(beside, "w+", np.float64, (total, self.width))
                done = 0
                for part in parts:
                    rows = sign * weights[part][binding[part]]
                    file[done : done + len(rows)] = rows
                    done += len(rows)
                file.flush()
                del file
                os.replace(beside, self.path)
        kept = np.load(self.path, mmap_mode="r") if total else np.zeros((0, self.width))
        return Cuts(kept, sign * values[binding], need[binding], exact=not need.any())

    def clean(self) -> None:
        """Take away the file beside."""
        self.part.unlink(missing_ok=True)

    def _weights(self) -> NDArray[Any]:
        return np.memmap(self.part, np.float64, "r", shape=(self.rows, self.width))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FormatError(f"cannot write {path} ({reason(error)}): make room or choose another place") from error
