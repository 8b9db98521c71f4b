"""Shift: a program whose variables are counted from their lower bounds, which is how every program is solved.

A constant part of all values, such as that of variables around 10⁹, would hide differences between labels: solvers stop
at gaps and tolerances that grow with a value, and floats round large sums. So it is taken out before, and put back
after. Right-hand sides of rules are shifted in exact integers. Limits of cuts are floats; what rounding may change by
shifting them is part of their room (`data/tolerance.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets, linalg
from unwritten.data import ROUNDING, FloatArray, IntArray
from unwritten.data.halfspaces import number_per_row
from unwritten.data.products import reach_values, row_values
from unwritten.rules import RuleSet
from unwritten.solving.decision import NO_LABEL, Decisions
from unwritten.solving.engines import QueryBatch
from unwritten.solving.program import Program


@dataclass(frozen=True, eq=False)
class Shift:
    """A program, and the label that its variables are counted from."""

    program: Program
    origin: IntArray

    @classmethod
    def of(cls, program: Program) -> Shift:
        """Shift a program; one of 0/1 variables stays as it is."""
        whole = program.variables.lower
        origin = whole[: program.width]
        unshifted = cls(program, np.zeros(program.width, np.int64))
        if not whole.any() or program.structure is not None:  # the labels of a structure are 0/1
            return unshifted
        sides = [_shifted_sides(rules, whole) for rules in (program.rules, program.redundant)]
        if max(map(linalg.largest, sides)) > budgets.LARGEST_SIDE:
            return unshifted
        old = program.variables
        variables = replace(old, lower=old.lower - whole, upper=old.upper - whole)
        rules, redundant = (
            replace(rules, variables=variables, rhs=rhs.astype(np.int64))
            for rules, rhs in zip((program.rules, program.redundant), sides, strict=True)
        )
        constants = number_per_row(program.cut_weights, partial(_constants, origin=origin), width=program.width)
        shifted = replace(
            program,
            variables=variables,
            rules=rules,
            redundant=redundant,
            cut_limits=program.cut_limits - constants,
            seen=program.seen - origin,
            lift=lambda labels: program.lift(labels + origin) - whole,
            gap_parts=program.gap_parts.shifted(origin),
        )
        return cls(shifted, origin)

    def queries(self, weights: FloatArray, mip_gap: float) -> QueryBatch:
        """Return queries of the shifted program; the gap is a share of what the best seen label is worth unshifted."""
        queries = QueryBatch.of(self.program, weights)
        if mip_gap == 0:
            return queries
        worth = np.abs(queries.floor + _constants(weights, self.origin))
        return replace(queries, gap=mip_gap * np.where(np.isfinite(worth), worth, 0.0))

    def restored(self, decisions: Decisions, weights: FloatArray) -> Decisions:
        """Return the decisions of the shifted program as decisions of the program itself.

        Values are those of the labels, to the last bit; bounds are rounded upwards.
        """
        if not self.origin.any():
            return decisions
        labels = np.where(decisions.labels == NO_LABEL, NO_LABEL, decisions.labels + self.origin)
        values = np.where(np.isnan(decisions.values), np.nan, row_values(weights, labels))
        constants = _constants(weights, self.origin)
        rounding = (len(self.origin) + 1) * ROUNDING * reach_values(weights, np.abs(self.origin))
        attained = decisions.bounds == decisions.values
        bounds = np.where(attained, values, decisions.bounds + constants + rounding)
        seen_values = decisions.seen_values + constants
        as_seen = decisions.seen_values == decisions.values
        return replace(
            decisions,
            labels=labels,
            values=values,
            bounds=np.where(np.isnan(values), bounds, np.maximum(bounds, values)),
            seen_values=np.where(as_seen, values, seen_values),
        )


def _constants(weights: FloatArray, origin: IntArray) -> FloatArray:
    """Return the value of the origin for each row of weights."""
    return row_values(weights, np.broadcast_to(origin, weights.shape))


def _shifted_sides(rules: RuleSet, origin: IntArray) -> NDArray[Any]:
    """Return the right-hand sides of the rules over variables counted from `origin`, exactly."""
    moved = linalg.exact_product(rules.matrix, origin[:, None])[:, 0]
    return np.asarray(rules.rhs.astype(object) - moved.astype(object))
