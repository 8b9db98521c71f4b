"""Program: the integer program that queries are asked of, and the test of any label against all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray, Variables
from unwritten.data.halfspaces import broken_rows
from unwritten.data.label_entries import LabelTable
from unwritten.data.products import box_values
from unwritten.rules import MINED, RuleSet
from unwritten.rules.gaps import GapParts
from unwritten.solving.cut_memory import CutMemory


class Structure(Protocol):
    """A property of labels that would need too many rows to list: they are the bases of a matroid."""

    def is_basis(self, labels: IntArray) -> BoolArray:
        """Return, for each label (m × d), whether it is a basis."""

    def greedy(self, weights: FloatArray) -> IntArray:
        """Return the best basis for each row of weights (m × d)."""

    def violated(self, label: IntArray) -> list[tuple[IntArray, int]]:
        """Return rows Σ y_S ≤ r that the label breaks, as pairs (S, r)."""

    def missed(self, label: IntArray) -> list[IntArray]:
        """Return rows "at least one of Z" that the label breaks, as sets Z."""


@dataclass(frozen=True, eq=False)
class Program:
    """max w·y over integer labels y within bounds, subject to exact rules and cuts with float weights.

    `variables` and `rules` cover the `width` entries of a label and, behind them, any latents, which `lift` computes
    from labels. The cuts `cut_weights · y ≤ cut_limits` cover the entries of the label only. `seen` labels satisfy
    every cut. `redundant` rules follow from the rules; an engine may use them to be faster. `structure` is a matroid
    whose bases the labels are, or None. `noisy` is True if some examples break what was mined; `contradicted` is True
    if some examples contradicted others and were set aside. `repeated` says which seen labels several examples have.

    Gaps are rules over the last `gap_latents` variables. `gap_texts` says such rules in words, by their place; the text
    of a definition is empty. `gap_parts` is what gaps say about labels.
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
    contradicted: bool = False
    repeated: BoolArray = field(default_factory=lambda: np.zeros(0, bool))
    gap_latents: int = 0
    gap_texts: dict[int, str] = field(default_factory=dict)
    gap_parts: GapParts = field(default_factory=GapParts.none)

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

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the label entries."""
        return self.variables.names[: self.width]

    def obeys(
        self, labels: IntArray, *, structure: bool = True, cuts: bool = True, seen: BoolArray | None = None
    ) -> BoolArray:
        """Return, for each label (m × d), whether it obeys the whole program.

        Bounds, rules and the structure are tested in exact integers; cuts in floats, with the room that their limits
        include. `structure=False` and `cuts=False` leave out that part of the test. Labels that are known to be `seen`
        (m) satisfy every cut and are not tested against them.
        """
        obeys: BoolArray = np.asarray(((labels >= self.lower) & (labels <= self.upper)).all(axis=1))
        if len(self.rules) and obeys.any():
            obeys[obeys] = self.rules.obeyed_by(self.lift(labels[obeys]))
        if structure and self.structure is not None and obeys.any():
            obeys[obeys] = self.structure.is_basis(labels[obeys])
        untested = obeys & cuts if seen is None else obeys & cuts & ~seen
        if untested.any():
            obeys[untested] = self.passes_cuts(labels[untested])
        return obeys

    def passes_cuts(self, labels: IntArray) -> BoolArray:
        """Return, for each label, whether it satisfies every cut."""
        return self._cut_memory.passes(labels)

    @cached_property
    def _cut_memory(self) -> CutMemory:
        return CutMemory(self.cut_weights, self.cut_limits)

    def broken_cuts(self, label: IntArray) -> IntArray:
        """Return the cuts that this label breaks, the worst first."""
        return broken_rows(label, self.cut_weights, self.cut_limits)

    @cached_property
    def incumbents(self) -> LabelTable:
        """The seen labels that obey rules and structure: all of them, unless rules were added by hand."""
        return LabelTable(self.seen[self.obeys(self.seen, cuts=False)] if len(self.seen) else self.seen)

    def box_best(self, weights: FloatArray) -> FloatArray:
        """Return the best value that the bounds alone allow, for each row of weights."""
        return box_values(weights, self.lower, self.upper)

    def objective(self, weights: FloatArray) -> FloatArray:
        """Return the weights of all variables; those of latents are 0."""
        return np.concatenate([weights, np.zeros(self.latents)])

    @cached_property
    def has_limits(self) -> bool:
        """True if some rules are limits, which are estimates: no answer is proven by them."""
        return any(e is not None and e.left_out > 0 for e in self.rules.evidence)

    def without_mined_rules(self) -> Program:
        """Return the program of what the data alone says: bounds, given rows and cuts."""
        given = np.array([origin != MINED for origin in self.rules.origins], bool)
        return replace(
            self,
            rules=self.rules[given],
            redundant=self.redundant[:0],
            structure=None,
            gap_texts={},
            gap_parts=GapParts.none(),
        )

    def without_cuts(self) -> Program:
        """Return the program of bounds and rules alone."""
        return replace(self, cut_weights=self.cut_weights[:0], cut_limits=self.cut_limits[:0])
