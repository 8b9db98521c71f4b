"""The rules of a program as rows of literals, packed for the compiled search, and groups that bound its values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.rules import RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, EXACTLY, LiteralRow, as_literals

NO_RULE = -1


@dataclass(frozen=True, eq=False)
class Literals:
    """Rows over literals 2·variable (true when it is 1) and 2·variable + 1 (true when it is 0), one after the other.

    `rules` says which rule each row came from, and `steps` how much of its slack one literal is.
    """

    variables: int
    starts: IntArray
    literals: IntArray
    kinds: IntArray
    rules: IntArray
    steps: IntArray

    @classmethod
    def of(cls, rules: RuleSet) -> Literals | None:
        """The rules and bounds in this form, or None if one of them has another."""
        lower, upper = rules.variables.lower, rules.variables.upper
        if (lower < 0).any() or (upper > 1).any():
            return None
        rows: list[LiteralRow] = [([2 * int(j) + int(upper[j] == 0)], EXACTLY) for j in np.flatnonzero(lower == upper)]
        sources = [(NO_RULE, 0)] * len(rows)
        for i, coefficients in enumerate(rules.matrix):
            step = int(np.abs(coefficients).max(initial=0)) or 1
            form = as_literals(coefficients, bool(rules.equality[i]), int(rules.rhs[i]), step)
            if form is None:
                return None
            rows += form
            sources += [(i, step)] * len(form)
        return cls.joined(len(rules.variables), rows, sources)

    @classmethod
    def joined(cls, variables: int, rows: list[LiteralRow], sources: list[tuple[int, int]] | None = None) -> Literals:
        """From (literals, kind) pairs and, for each, the rule it came from and its step."""
        starts = np.zeros(len(rows) + 1, np.int64)
        starts[1:] = np.cumsum([len(row) for row, _ in rows])
        literals = np.array([literal for row, _ in rows for literal in row], np.int64)
        origin = np.array(sources or [(NO_RULE, 0)] * len(rows), np.int64).reshape(len(rows), 2)
        kinds = np.array([kind for _, kind in rows], np.int64)
        return cls(variables, starts, literals, kinds, origin[:, 0], origin[:, 1])

    def __len__(self) -> int:
        return len(self.kinds)

    def row(self, i: int) -> IntArray:
        """The literals of one row."""
        return self.literals[self.starts[i] : self.starts[i + 1]]

    def places(self) -> tuple[IntArray, IntArray]:
        """For each literal, the rows it is in: where they start, and all of them."""
        rows = np.repeat(np.arange(len(self)), np.diff(self.starts))
        order = np.argsort(self.literals, kind="stable")
        starts = np.searchsorted(self.literals[order], np.arange(2 * self.variables + 1))
        return starts, rows[order]

    def partition(self) -> tuple[Literals, BoolArray]:
        """Every variable in one group of literals that exclude each other, and which groups may stay empty.

        Rows are taken greedily, those with most fresh variables first and, of these, those whose neighbours are covered
        most: so the rows of one kind, such as the cells of a Sudoku, are taken together and leave no remnants.
        """
        from scipy import sparse

        shape = (len(self), self.variables)
        incidence = sparse.csr_array((np.ones(len(self.literals)), self.literals // 2, self.starts), shape=shape)
        fresh = np.ones(self.variables, bool)
        usable = self.kinds != AT_LEAST
        groups: list[LiteralRow] = []
        while True:
            sizes = np.where(usable, incidence @ fresh, 0).astype(np.int64)
            if sizes.max(initial=0) < 2:
                break
            covered = np.asarray(incidence @ (incidence.T @ (incidence @ ~fresh)))
            best = int(np.lexsort((-covered, self.kinds, -sizes))[0])
            row = self.row(best)
            members = row[fresh[row // 2]]
            whole = len(members) == len(row) and self.kinds[best] == EXACTLY
            groups.append((members.tolist(), EXACTLY if whole else AT_MOST))
            fresh[members // 2] = False
            usable[best] = False
        groups += [([2 * int(j)], AT_MOST) for j in np.flatnonzero(fresh)]
        parts = Literals.joined(self.variables, groups)
        return parts, parts.kinds != EXACTLY
