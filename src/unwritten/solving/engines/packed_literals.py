"""The rules of a program as rows of literals, and the groups of literals that bound values in a search.

Rules of another form are in `weighted_literals.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.rules import RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, EXACTLY, LiteralRow, as_literals
from unwritten.solving.program import Program

NO_RULE = -1


@dataclass(frozen=True, eq=False)
class PackedLiterals:
    """Rows of literals, one after the other: literal 2j is true if variable j is 1, literal 2j + 1 if it is 0.

    Row i holds `literals[starts[i] : starts[i + 1]]`; `kinds[i]` says whether exactly, at most or at least one of them
    is true. `rules[i]` is the rule that the row came from (or NO_RULE), and `steps[i]` the size of that rule's
    coefficients: what one literal adds to its slack.
    """

    variables: int
    starts: IntArray
    literals: IntArray
    kinds: IntArray
    rules: IntArray
    steps: IntArray

    @classmethod
    def of(cls, rules: RuleSet) -> tuple[PackedLiterals, list[int]]:
        """Return rules and bounds of 0/1 variables as rows of literals, and the places of rules of another form."""
        lower, upper = rules.variables.lower, rules.variables.upper
        others: list[int] = []
        rows: list[LiteralRow] = [([2 * int(j) + int(upper[j] == 0)], EXACTLY) for j in np.flatnonzero(lower == upper)]
        sources = [(NO_RULE, 0)] * len(rows)
        for i, coefficients in enumerate(rules.matrix):
            step = int(np.abs(coefficients).max(initial=0)) or 1
            form = as_literals(coefficients, bool(rules.equality[i]), int(rules.rhs[i]), step)
            if form is None:
                others.append(i)
                continue
            rows += form
            sources += [(i, step)] * len(form)
        return cls.joined(len(rules.variables), rows, sources), others

    @classmethod
    def joined(
        cls, variables: int, rows: list[LiteralRow], sources: list[tuple[int, int]] | None = None
    ) -> PackedLiterals:
        """Join (literals, kind) pairs; `sources` holds, for each, the rule it came from and its step."""
        starts = np.zeros(len(rows) + 1, np.int64)
        starts[1:] = np.cumsum([len(row) for row, _ in rows])
        literals = np.array([literal for row, _ in rows for literal in row], np.int64)
        origin = np.array(sources or [(NO_RULE, 0)] * len(rows), np.int64).reshape(len(rows), 2)
        kinds = np.array([kind for _, kind in rows], np.int64)
        return cls(variables, starts, literals, kinds, origin[:, 0], origin[:, 1])

    def __len__(self) -> int:
        return len(self.kinds)

    def row(self, i: int) -> IntArray:
        """Return the literals of row i."""
        return self.literals[self.starts[i] : self.starts[i + 1]]

    def places(self) -> tuple[IntArray, IntArray]:
        """Return the rows of each literal: literal k is in `rows[starts[k] : starts[k + 1]]`, as (starts, rows)."""
        rows = np.repeat(np.arange(len(self)), np.diff(self.starts))
        order = np.argsort(self.literals, kind="stable")
        starts = np.searchsorted(self.literals[order], np.arange(2 * self.variables + 1))
        return starts, rows[order]

    def partition(self) -> tuple[PackedLiterals, BoolArray]:
        """Put every variable into one group of literals that exclude each other; also return which may stay empty.

        Rows become groups greedily: those with most ungrouped variables first and, of these, those whose neighbours
        are grouped most. So rows of one kind, such as the cells of a Sudoku, are taken together and leave no remnants.
        """
        from scipy import sparse

        shape = (len(self), self.variables)
        incidence = sparse.csr_array((np.ones(len(self.literals)), self.literals // 2, self.starts), shape=shape)
        ungrouped = np.ones(self.variables, bool)
        usable = self.kinds != AT_LEAST
        groups: list[LiteralRow] = []
        while True:
            sizes = np.where(usable, incidence @ ungrouped, 0).astype(np.int64)
            if sizes.max(initial=0) < 2:
                break
            grouped_around = np.asarray(incidence @ (incidence.T @ (incidence @ ~ungrouped)))
            best = int(np.lexsort((-grouped_around, self.kinds, -sizes))[0])
            row = self.row(best)
            members = row[ungrouped[row // 2]]
            whole = len(members) == len(row) and self.kinds[best] == EXACTLY
            groups.append((members.tolist(), EXACTLY if whole else AT_MOST))
            ungrouped[members // 2] = False
            usable[best] = False
        groups += [([2 * int(j)], AT_MOST) for j in np.flatnonzero(ungrouped)]
        partition = PackedLiterals.joined(self.variables, groups)
        return partition, partition.kinds != EXACTLY


def literals_alone(program: Program) -> PackedLiterals | None:
    """The rules of a program of 0/1 variables without cuts, if all of them are rows of literals."""
    binary = (program.lower >= 0).all() and (program.upper <= 1).all()
    if not binary or program.latents or program.structure is not None or len(program.cut_limits):
        return None
    packed, others = PackedLiterals.of(program.rules)
    return None if others else packed
