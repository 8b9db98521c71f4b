"""Verifier: our own proof that no label beats a value, or that there is no label at all.

It splits the box of all labels until every part has an upper bound that is low enough. For any multipliers λ of the
rows A·x ≤ b (any sign on equalities, λ ≥ 0 on the others) all x within a box have

    w·x ≤ λ·b + Σⱼ max over the box of (w − Aᵀλ)ⱼ xⱼ,

and a box is empty if this is below 0 for w = 0. The right-hand side is computed here, and the most that rounding can
change is added to it. HiGHS only suggests multipliers: bad ones cost time, never correctness.
"""

from __future__ import annotations

from copy import copy
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.data.products import row_values
from unwritten.solving.backends import BREAKDOWNS, Limits, Rows
from unwritten.solving.backends.backend import normalised_objective
from unwritten.solving.program import Program
from unwritten.solving.structure_rows import broken_structure_rows

if TYPE_CHECKING:
    from unwritten.solving.backends.highs import Relaxed

HALF_ULP = 2.0**-53
FRACTION = 2.0**-20  # a variable of a linear program that is this close to an integer counts as one
Box = tuple[FloatArray, FloatArray]


class SearchEnd(NamedTuple):
    """Whether the search came to its end, and a label with more than the value to beat, if there is one."""

    settled: bool
    label: IntArray | None = None

    @property
    def proven(self) -> bool:
        """True if certainly no label beats the value."""
        return self.settled and self.label is None


class Verifier:
    """Searches one program for labels that beat a value."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._rows = Rows.of_rules(program.rules)
        self._bounding = Bounding(self._rows)
        self._relaxation: Any = None
        self._any_label: SearchEnd | None = None

    def any_label(self, limits: Limits) -> SearchEnd:
        """Search for any label at all."""
        if self._any_label is not None:
            return self._any_label
        zeros: FloatArray = np.zeros(self._program.width)
        verdict = self.better_label(zeros, -np.inf, 0.0, limits, budgets.VERIFIED_BOXES_INFEASIBLE)
        if verdict.settled or (limits.time_limit is None and not limits.stop.is_set()):
            self._any_label = verdict
        return verdict

    def better_label(self, weights: FloatArray, value: float, equal: float, limits: Limits, boxes: int) -> SearchEnd:
        """Search at most this many boxes for a label that is worth more than `value` by more than `equal`."""
        relaxation, self._relaxation = self._relaxation, None  # an exception leaves it in an unknown state
        try:
            if relaxation is None:
                from unwritten.solving.backends.highs import HighsBackend

                relaxation = HighsBackend(self._program.variables, self._rows, integral=False)
            relaxation.forget()  # the result must not depend on the queries before it
            below = _next_value(self._program, weights, value)
            search = _Search(self._program, relaxation, copy(self._bounding), weights, value + equal, below)
            verdict = search.run(limits, boxes)
            relaxation.drop_added()
        except BREAKDOWNS:
            return SearchEnd(False)
        self._relaxation = relaxation
        return verdict


class _Search:
    """One search for a label with more than `beat`, knowing that such a label also has more than `below`.

    The objective and the ceiling are divided by a power of two, as for solvers.
    """

    def __init__(
        self, program: Program, relaxation: Any, bounding: Bounding, weights: FloatArray, beat: float, below: float
    ) -> None:
        self._program, self._relaxation, self._bounding = program, relaxation, bounding
        self._weights, self._beat = weights, beat
        self._objective, exponent = normalised_objective(program.objective(weights))
        self._ceiling = np.ldexp(max(beat, below), -exponent)
        self._added_cuts = np.zeros(0, np.int64)

    def run(self, limits: Limits, most_boxes: int) -> SearchEnd:
        """Split boxes until none is left, a better label is found, or a budget is spent."""
        variables = self._program.variables
        boxes: list[Box] = [(variables.lower.astype(np.float64), variables.upper.astype(np.float64))]
        deadline = None if limits.time_limit is None else monotonic() + limits.time_limit
        pivots = budgets.VERIFIED_PIVOTS_PER_BOX * most_boxes
        for _ in range(most_boxes):
            if not boxes:
                return SearchEnd(True)
            if pivots <= 0 or limits.stop.is_set() or (deadline is not None and monotonic() > deadline):
                break
            low, high = boxes.pop()
            if self._bounding.bound(self._objective, None, low, high) <= self._ceiling:
                continue
            if (low == high)[: self._program.width].all():  # one label is left
                label = low[: self._program.width].astype(np.int64)
                if self._is_better(label):
                    return SearchEnd(True, label)
                continue
            relaxed = self._relaxation.relax(self._objective, low, high, pivots)
            pivots -= relaxed.pivots
            if self._is_closed(relaxed, low, high):
                continue
            if relaxed.point is not None and (np.abs(relaxed.point - np.rint(relaxed.point)) <= FRACTION).all():
                label = np.rint(relaxed.point[: self._program.width]).astype(np.int64)
                if self._is_better(label):
                    return SearchEnd(True, label)
                if self._added_rows(label):
                    boxes.append((low, high))
                    continue
            boxes += _halves(relaxed.point, low, high, self._program.width)
        return SearchEnd(not boxes)

    def _is_closed(self, relaxed: Relaxed, low: FloatArray, high: FloatArray) -> bool:
        """True if the multipliers prove that no label within the box is good enough, or that there is none."""
        multipliers = relaxed.multipliers
        if multipliers is None:
            return False
        if relaxed.point is not None:
            return bool(self._bounding.bound(self._objective, multipliers, low, high) <= self._ceiling)
        nothing = np.zeros(len(low))
        return any(self._bounding.bound(nothing, ray, low, high) < 0 for ray in (multipliers, -multipliers))

    def _is_better(self, label: IntArray) -> bool:
        value = row_values(self._weights[None], label[None])[0]
        return bool((value > self._beat or self._beat == -np.inf) and self._program.obeys(label[None])[0])

    def _added_rows(self, label: IntArray) -> bool:
        """Add rows that this label breaks; False if there are no new ones."""
        program, width = self._program, len(self._program.variables)
        rows = broken_structure_rows(program, label)
        if rows is None:
            broken = program.broken_cuts(label)
            fresh = broken[~np.isin(broken, self._added_cuts)][: budgets.LAZY_ROWS_ADDED]
            self._added_cuts = np.concatenate([self._added_cuts, fresh])
            rows = Rows.at_most(program.cut_weights[fresh], program.cut_limits[fresh], width)
        if not len(rows):
            return False
        self._relaxation.add(rows)
        self._bounding.add(rows)
        return True


class Bounding:
    """Upper bounds by multipliers of rows, computed so that rounding cannot make them too low."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._prepare()

    def add(self, rows: Rows) -> None:
        """Add rows, behind the others."""
        self._rows += rows
        self._prepare()

    def _prepare(self) -> None:
        starts, self._columns, self._values = self._rows.compressed()
        counts = np.diff(starts, append=len(self._values))
        self._row_of = np.repeat(np.arange(len(counts)), counts)
        self._equality = self._rows.lower == self._rows.upper

    def bound(self, objective: FloatArray, multipliers: FloatArray | None, low: FloatArray, high: FloatArray) -> float:
        """Return a number that no objective · x within the box and the rows exceeds."""
        size, reach = np.abs(objective), np.maximum(np.abs(low), np.abs(high))
        if multipliers is None:
            top, largest, terms = np.maximum(objective * low, objective * high).sum(), size @ reach, len(low)
        else:
            usable = np.where(self._equality, multipliers, np.maximum(multipliers, 0.0))
            entries = self._values * usable[self._row_of]
            reduced = objective - np.bincount(self._columns, entries, len(low))
            size = size + np.bincount(self._columns, np.abs(entries), len(low))
            top = usable @ self._rows.upper + np.maximum(reduced * low, reduced * high).sum()
            largest = np.abs(usable) @ np.abs(self._rows.upper) + size @ reach
            terms = len(low) + len(usable)
        # n terms, each of them a sum of r: at most n + r + a few roundings, each by half a unit of the largest sum.
        return float(top + 2 * (terms + 8) * HALF_ULP * largest)


def _next_value(program: Program, weights: FloatArray, value: float) -> float:
    """Return a number just below the least value of a label that is above `value`, as far as that is known.

    Values are whole multiples of the greatest common divisor of the weights if no sum of them is rounded.
    """
    reach = program.variables.reach[: len(weights)]
    weights, reach = weights[reach > 0], reach[reach > 0]
    largest = float(np.abs(weights) @ reach)
    if not np.isfinite(value) or not largest > 0:
        return value
    unit = int(np.frexp(largest)[1]) - 52
    whole = np.ldexp(weights, -unit)
    if (whole != np.rint(whole)).any():
        return value
    step = int(np.gcd.reduce(whole.astype(np.int64)))
    above = int(np.floor(np.ldexp(value, -unit))) // step + 1
    return float(np.ldexp((above - FRACTION) * step, unit))


def _halves(point: FloatArray | None, low: FloatArray, high: FloatArray, width: int) -> list[Box]:
    """Split a box at its most fractional variable, or else at the widest range of a label entry.

    An integral point gets into the part that is searched first.
    """
    at = (low + high) / 2 if point is None else np.clip(point, low, high)
    fractions = np.abs(at - np.rint(at)) * (low < high)
    j = int(fractions.argmax())
    if point is None or fractions[j] <= FRACTION:
        j = int((high - low)[:width].argmax())
    below = np.clip(np.floor(at[j] if fractions[j] > FRACTION else np.rint(at[j]) - 1), low[j], high[j] - 1)
    first, second = high.copy(), low.copy()
    first[j], second[j] = below, below + 1
    return [(low, first), (second, high)]
