"""Rules that are not of the form exactly, at most or at least one: sums of literals that must fit into a room."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.errors import SolverError
from unwritten.rules import RuleSet

MOST_ACTIVITY = 2**62  # the most that the terms of a row may add up to: the kernel computes in 64 bits


@dataclass(frozen=True, eq=False)
class WeightedLiterals:
    """Rows of literals, one after the other: the coefficients of a row's true literals add up to its room at most.

    Row i holds `literals[starts[i] : starts[i + 1]]`, numbered as in `PackedLiterals`; coefficients are above 0. A
    variable with a negative coefficient is there as the literal "is 0": the rule a·y ≤ b becomes
    Σ |aⱼ| · literalⱼ ≤ b − (the sum of negative aⱼ). An equality is two rows. `rules[i]` is the rule that row i came
    from, and `one_sided[i]` whether that is an inequality: only these may have slack.
    """

    starts: IntArray
    literals: IntArray
    coefficients: IntArray
    rooms: IntArray
    rules: IntArray
    one_sided: BoolArray

    @classmethod
    def of(cls, rules: RuleSet, places: list[int]) -> WeightedLiterals:
        """Return these rules of 0/1 variables as weighted rows."""
        starts, literals, coefficients, rooms, sources = [0], list[int](), list[int](), list[int](), list[int]()
        for i in places:
            for sign in (1, -1) if rules.equality[i] else (1,):
                columns = np.flatnonzero(rules.matrix[i])
                values = [sign * int(value) for value in rules.matrix[i, columns]]
                sizes = [abs(value) for value in values]
                if 2 * sum(sizes) > MOST_ACTIVITY:
                    raise SolverError("engine 'groups' takes no rules of such large numbers: use engine='auto'")
                literals += [2 * int(j) + (value < 0) for j, value in zip(columns, values, strict=True)]
                coefficients += sizes
                starts.append(len(literals))
                room = sign * int(rules.rhs[i]) - sum(value for value in values if value < 0)
                rooms.append(max(-1, min(room, sum(sizes))))  # more room than that is never used
                sources.append(i)
        origin = np.array(sources, np.int64)
        return cls(
            np.array(starts),
            np.array(literals, np.int64),
            np.array(coefficients, np.int64),
            np.array(rooms, np.int64),
            origin,
            ~rules.equality[origin],
        )

    def __len__(self) -> int:
        return len(self.rooms)
