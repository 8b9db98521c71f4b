"""Weights in the partitions of a Dask collection."""

from __future__ import annotations

from typing import Any

from unwritten.data import Examples, IntArray, Sense, Variables
from unwritten.mining import Cuts
from unwritten.sources.dask_cuts import dask_cuts, first_examples


class DaskWeights:
    """n examples in partitions of (labels, weights); the cuts of a partition stay on its worker."""

    def __init__(self, dask: Any, pairs: list[tuple[Any, Any]], n: int) -> None:
        self._dask, self._pairs, self._n = dask, pairs, n

    def examples(self, variables: Variables, sense: Sense) -> Examples:
        """The first examples: as many as the matroid miner uses."""
        return first_examples(self._dask, self._pairs, variables, sense)

    def cuts(self, variables: Variables, sense: Sense, seen: IntArray, slack: object) -> Cuts:
        """The cuts of all examples; each partition keeps its own."""
        return dask_cuts(self._dask, self._pairs, self._n, variables, sense, seen, slack)
