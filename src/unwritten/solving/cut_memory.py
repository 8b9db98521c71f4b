"""CutMemory: which labels satisfy every cut. An engine and the check of its answers ask about the same labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.data.halfspaces import within

ENTRY_BYTES = 128  # what Python adds to the bytes of one label


class CutMemory:
    """The cuts of one program and the labels tested so far, known by all their bytes. Threads may share it."""

    def __init__(self, weights: FloatArray, limits: FloatArray) -> None:
        self._weights, self._limits = weights, limits
        self._tested: dict[bytes, bool] = {}

    def passes(self, labels: IntArray) -> BoolArray:
        """Return, for each label (m × d), whether it satisfies every cut; only new labels are tested, each once."""
        if not len(self._limits):
            return np.ones(len(labels), bool)
        rows = np.ascontiguousarray(labels, np.int64)
        keys: list[Any] = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel().tolist()  # bytes
        tested = self._tested
        known = {key: tested[key] for key in keys if key in tested}
        new = {key: place for place, key in enumerate(keys) if key not in known}
        if new:
            results = within(rows[list(new.values())], self._weights, self._limits)
            fresh = dict(zip(new, results.tolist(), strict=True))
            self._remember(fresh, len(keys[0]) + ENTRY_BYTES)
            known |= fresh
        return np.array([known[key] for key in keys], bool)

    def _remember(self, fresh: dict[bytes, bool], size: int) -> None:
        """Add labels of `size` bytes each; if there is no room, forget the others."""
        room = budgets.TESTED_LABEL_BYTES // size
        if len(self._tested) + len(fresh) > room:
            self._tested = {}
        if len(fresh) <= room:
            self._tested.update(fresh)
