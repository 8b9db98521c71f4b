"""Program: the integer program that queries are asked of, and the exact test of any answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray, Variables
from unwritten.data.halfspaces import broken_rows
from unwritten.rules import MINED, RuleSet


class Structure(Protocol):
    """What labels are beyond rows: the bases of a matroid, whose rows are too many to list."""

    def is_basis(self, labels: IntArray) -> BoolArray:
        """Which labels (m × d) are bases."""

    def greedy(self, weights: FloatArray) -> IntArray:
        """The best basis for each row of weights (m × d)."""

    def violated(self, label: IntArray) -> list[tuple[IntArray, int]]:
        """Rows Σ y_S ≤ r that a label breaks, as (S, r)."""

    def missed(self, label: IntArray) -> list[IntArray]:
        """Rows "at least one of Z" that a label breaks."""


@dataclass(frozen=True, eq=False)
class Program:
    """max w·y over integer y within bounds, subject to exact rules and float cuts.

    `variables` and `rules` cover the `width` label entries and then any latents, which `lift` computes from labels;
    `cut_weights · y ≤ cut_limits` covers label entries only. `seen` labels satisfy every cut. `redundant` rules follow
    from the rules; an engine may use them to be faster. `noisy` says that examples broke what was mined.
    """

    variables: Variables
    rules: RuleSet
    redundant: RuleSet
    width: int
    cut_weights: FloatArray
    cut_limits: FloatArray
    cuts_exact: bool
    seen: IntArray
    lift: Callable[[IntArray], IntArray]
    structure: Structure | None = None
    noisy: bool = False

    @property
    def latents(self) -> int:
        """The number of latent variables."""
        return len(self.variables) - self.width

    @property
    def lower(self) -> IntArray:
        """Lower bounds of the label entries."""
        return self.variables.lower[: self.width]

    @property
    def upper(self) -> IntArray:
        """Upper bounds of the label entries."""
        return self.variables.upper[: self.width]

    def admits(self, labels: IntArray) -> BoolArray:
        """Which labels lie within the bounds, obey every rule and fit the structure, in exact integers."""
        good = self.obeys(labels)
        if self.structure is not None and good.any():
            good[good] = self.structure.is_basis(labels[good])
        return good

    def obeys(self, labels: IntArray) -> BoolArray:
        """Which labels lie within the bounds and obey every rule."""
        inside: BoolArray = np.asarray(((labels >= self.lower) & (labels <= self.upper)).all(axis=1))
        if len(self.rules) and inside.any():
            inside[inside] = ~self.rules.violations(self.lift(labels[inside])).any(axis=1)
        return inside

    def broken_cuts(self, label: IntArray) -> IntArray:
        """The cuts this label breaks, the worst first."""
        return broken_rows(label, self.cut_weights, self.cut_limits)

    @cached_property
    def incumbents(self) -> IntArray:
        """The seen labels that obey the rules (all of them, unless rules were added by hand)."""
        return self.seen[self.admits(self.seen)] if len(self.seen) else self.seen

    @cached_property
    def incumbents_float(self) -> FloatArray:
        """The same, ready for matrix products."""
        return np.ascontiguousarray(self.incumbents.T, dtype=np.float64)

    def box_best(self, weights: FloatArray) -> FloatArray:
        """The best value within the bounds alone."""
        return np.asarray(np.maximum(weights * self.lower, weights * self.upper).sum(axis=-1))

    def objective(self, weights: FloatArray) -> FloatArray:
        """Weights of all variables: latents have none."""
        return np.concatenate([weights, np.zeros(self.latents)])

    def without_mined_rules(self) -> Program:
        """What the data alone says: bounds, given rows and cuts."""
        kept = np.array([origin != MINED for origin in self.rules.origins], bool)
        return replace(self, rules=self.rules[kept], redundant=self.redundant[:0], structure=None)

    def without_cuts(self) -> Program:
        """The rules alone."""
        return replace(self, cut_weights=self.cut_weights[:0], cut_limits=self.cut_limits[:0])
