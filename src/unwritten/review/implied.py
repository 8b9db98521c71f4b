"""Implied: whether the rules of a model already say what a row says, as far as that is cheap to tell.

Every yes is a proof: equalities by exact linear algebra, rows of literals and of a few columns by unit propagation.
A no may only mean that none was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from math import gcd, prod

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.pairs.clauses import Clauses
from unwritten.rules import Row, RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, as_literals


class Knowledge:
    """What rules say, asked row by row; `blocks` are the variables of which exactly one is 1."""

    def __init__(self, rules: RuleSet, blocks: Iterable[IntArray]) -> None:
        self._rules = rules
        self._block = {int(j): [int(k) for k in block] for block in blocks for j in block}
        self._binary = rules.variables.binary

    @cached_property
    def _clauses(self) -> Clauses:
        return Clauses.of(self._rules, len(self._rules.variables))

    @cached_property
    def _stated(self) -> dict[tuple[tuple[int, int], ...], int]:
        """The least right-hand side of each left-hand side that a rule has."""
        stated: dict[tuple[tuple[int, int], ...], int] = {}
        rules = self._rules
        for a, equality, b in zip(rules.matrix, rules.equality.tolist(), rules.rhs.tolist(), strict=True):
            for sign in (1, -1) if equality else (1,):
                left, rhs = _divided(sign * a, sign * b)
                stated[left] = min(rhs, stated.get(left, rhs))
        return stated

    def says(self, rows: Iterable[Row]) -> bool:
        """Whether every row follows."""
        return all(self._row(*row) for row in rows)

    def _row(self, entries: dict[str, int], sense: str, rhs: int) -> bool:
        a = np.zeros(len(self._rules.variables), np.int64)
        for name, value in entries.items():
            a[self._rules.variables.index[name]] = value
        signs = (1, -1) if sense == "==" else (1,)
        return (
            all(self._is_stated(sign * a, sign * rhs) for sign in signs)
            or self._rules.implies(a, rhs, sense)
            or (bool(self._binary[a != 0].all()) and (self._propagates(a, sense, rhs) or self._excludes(a, sense, rhs)))
        )

    def _is_stated(self, a: IntArray, rhs: int) -> bool:
        left, least = _divided(a, rhs)
        return (not left and least >= 0) or (left in self._stated and self._stated[left] <= least)

    def _propagates(self, a: IntArray, sense: str, rhs: int) -> bool:
        """The row as literals, of which exactly, at most or at least one is true."""
        parts = as_literals(a, sense == "==", rhs, int(np.abs(a).max(initial=1)))
        return parts is not None and all(self._part(literals, kind) for literals, kind in parts)

    def _part(self, literals: list[int], kind: int) -> bool:
        said = kind == AT_MOST or self._clauses.refutes([literal ^ 1 for literal in literals])
        pairs = ((first, second) for k, first in enumerate(literals) for second in literals[k + 1 :])
        return said and (kind == AT_LEAST or all(self._clauses.excludes(*pair) for pair in pairs))

    def _excludes(self, a: IntArray, sense: str, rhs: int) -> bool:
        """Whether each combination of values that breaks the row is impossible."""
        cases = list(self._cases(a))
        if prod(len(case) for case in cases) > budgets.IMPLIED_CASES:
            return False
        for chosen in product(*cases):
            value = sum(part for _, part in chosen)
            if (value != rhs if sense == "==" else value > rhs) and not self._clauses.refutes(at for at, _ in chosen):
                return False
        return True

    def _cases(self, a: IntArray) -> Iterator[list[tuple[int, int]]]:
        """For each column of the row its values, as literals with what they add.

        Unlike `rules.columns.one_hot_rows.level_values` it names literals of variables, which unit propagation needs.
        """
        done: set[int] = set()
        for j in np.flatnonzero(a).tolist():
            if j not in done:
                block = self._block.get(j)
                done.update(block or ())
                yield [(2 * k, int(a[k])) for k in block] if block else [(2 * j + 1, 0), (2 * j, int(a[j]))]


def _divided(a: IntArray, rhs: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """The row `a·y ≤ rhs` over integers with its common factor taken out."""
    support = np.flatnonzero(a).tolist()
    common = gcd(*(int(a[j]) for j in support)) or 1
    return tuple((j, int(a[j]) // common) for j in support), rhs // common
