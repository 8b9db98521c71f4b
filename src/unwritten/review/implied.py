"""Implied: whether the rules of a model already imply a row, as far as that is cheap to prove.

Every yes is a proof: by exact linear algebra for equalities, by unit propagation for rows of literals (0/1 variables or
their negations) and for rows over few columns. A no only means that no proof was found.
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

LeftSide = tuple[tuple[int, int], ...]  # (variable, coefficient) pairs


class ImpliedRows:
    """The rows that a rule set implies; `blocks` are groups of variables of which exactly one is 1."""

    def __init__(self, rules: RuleSet, blocks: Iterable[IntArray]) -> None:
        self._rules = rules
        self._block = {int(j): [int(k) for k in block] for block in blocks for j in block}
        self._binary = rules.variables.binary

    @cached_property
    def _clauses(self) -> Clauses:
        return Clauses.of(self._rules, len(self._rules.variables))

    @cached_property
    def _least_rhs(self) -> dict[LeftSide, int]:
        """The least right-hand side that the rules state for each left-hand side."""
        least: dict[LeftSide, int] = {}
        rules = self._rules
        for a, equality, b in zip(rules.matrix, rules.equality.tolist(), rules.rhs.tolist(), strict=True):
            for sign in (1, -1) if equality else (1,):
                left, rhs = _divided(sign * a, sign * b)
                least[left] = min(rhs, least.get(left, rhs))
        return least

    def follow(self, rows: Iterable[Row]) -> bool:
        """Return True if every one of these rows is proven to follow from the rules."""
        return all(self._follows(*row) for row in rows)

    def _follows(self, entries: dict[str, int], sense: str, rhs: int) -> bool:
        a = np.zeros(len(self._rules.variables), np.int64)
        for name, value in entries.items():
            a[self._rules.variables.index[name]] = value
        signs = (1, -1) if sense == "==" else (1,)
        return (
            all(self._is_stated(sign * a, sign * rhs) for sign in signs)
            or self._rules.implies(a, rhs, sense)
            or (
                bool(self._binary[a != 0].all()) and (self._by_literals(a, sense, rhs) or self._by_cases(a, sense, rhs))
            )
        )

    def _is_stated(self, a: IntArray, rhs: int) -> bool:
        """Return True if one rule alone says `a·y ≤ rhs`."""
        left, bound = _divided(a, rhs)
        return (not left and bound >= 0) or (left in self._least_rhs and self._least_rhs[left] <= bound)

    def _by_literals(self, a: IntArray, sense: str, rhs: int) -> bool:
        """Prove a row that says that exactly, at most or at least one of some literals is true."""
        parts = as_literals(a, sense == "==", rhs, int(np.abs(a).max(initial=1)))
        return parts is not None and all(self._part_follows(literals, kind) for literals, kind in parts)

    def _part_follows(self, literals: list[int], kind: int) -> bool:
        at_least_one = kind == AT_MOST or self._clauses.refutes([literal ^ 1 for literal in literals])
        pairs = ((first, second) for k, first in enumerate(literals) for second in literals[k + 1 :])
        return at_least_one and (kind == AT_LEAST or all(self._clauses.excludes(*pair) for pair in pairs))

    def _by_cases(self, a: IntArray, sense: str, rhs: int) -> bool:
        """Prove a row by refuting each combination of column values that breaks it."""
        cases = list(self._cases(a))
        if prod(len(case) for case in cases) > budgets.IMPLIED_CASES:
            return False
        for chosen in product(*cases):
            activity = sum(part for _, part in chosen)
            breaks = activity != rhs if sense == "==" else activity > rhs
            if breaks and not self._clauses.refutes(literal for literal, _ in chosen):
                return False
        return True

    def _cases(self, a: IntArray) -> Iterator[list[tuple[int, int]]]:
        """Yield for each column of the row its values, as (literal, what it adds to the row).

        Unit propagation needs literals of variables, which `rules.columns.one_hot_rows.level_values` does not give.
        """
        done: set[int] = set()
        for j in np.flatnonzero(a).tolist():
            if j not in done:
                block = self._block.get(j)
                done.update(block or ())
                yield [(2 * k, int(a[k])) for k in block] if block else [(2 * j + 1, 0), (2 * j, int(a[j]))]


def _divided(a: IntArray, rhs: int) -> tuple[LeftSide, int]:
    """Divide the row `a·y ≤ rhs` over integers by the common factor of `a`, rounding the right-hand side down."""
    support = np.flatnonzero(a).tolist()
    common = gcd(*(int(a[j]) for j in support)) or 1
    return tuple((j, int(a[j]) // common) for j in support), rhs // common
