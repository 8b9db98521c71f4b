"""A test of labels, block by block, on disk, on a cluster or in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.mining import Cuts, Lift, Matroid, lifted_labels
from unwritten.rules import Gaps, RuleSet


@dataclass(frozen=True, eq=False)
class LabelTestResult:
    """The outcome for `n` labels.

    `broken` counts the labels that break each rule, `all_bases` says whether every label is a basis of the matroid, and
    `highest` is the largest value that a label has for the weights of each cut. `broken_gaps` counts the labels that
    break each gap.
    """

    n: int
    broken: IntArray
    all_bases: bool
    highest: FloatArray
    broken_gaps: IntArray

    def __add__(self, other: LabelTestResult) -> LabelTestResult:
        return LabelTestResult(
            self.n + other.n,
            self.broken + other.broken,
            self.all_bases and other.all_bases,
            np.maximum(self.highest, other.highest),
            self.broken_gaps + other.broken_gaps,
        )


@dataclass(frozen=True, eq=False)
class LabelTest:
    """Tests labels against rules, gaps, a matroid and cuts."""

    rules: RuleSet
    lifts: tuple[Lift, ...]
    matroid: Matroid | None
    cuts: Cuts
    gaps: Gaps

    def __call__(self, labels: NDArray[Any]) -> LabelTestResult:
        """Test a block of labels."""
        wide = labels.astype(np.int64, copy=False)
        lifted = lifted_labels(self.lifts, wide)
        obeyed = self.rules.obeyed_by(lifted)  # nearly always all of them, and a sparse test of all rules at once
        broken = self.rules.broken(lifted[~obeyed]).sum(axis=0)
        all_bases = self.matroid is None or bool(self.matroid.is_basis(wide).all())
        highest = self.cuts.highest(wide) if len(wide) else np.full(len(self.cuts), -np.inf)
        return LabelTestResult(len(wide), broken, all_bases, highest, self.gaps.broken(wide).sum(axis=0))
