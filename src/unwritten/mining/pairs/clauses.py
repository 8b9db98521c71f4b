"""Clauses: what "at most one", "at least one" and "exactly one" rules imply, by unit propagation.

A literal is a variable (2j) or its negation (2j + 1). Sets of literals are Python integers with one bit per literal.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from unwritten.data.bitmasks import bits
from unwritten.rules import RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, as_literals


class Clauses:
    """Pairs of literals that cannot both be true, and sets of literals with at least one that is true."""

    def __init__(self, width: int) -> None:
        self._excluded = [1 << (literal ^ 1) for literal in range(2 * width)]
        self._covers: list[int] = []
        self._member: dict[int, list[int]] = {}

    @classmethod
    def of(cls, rules: RuleSet, width: int) -> Clauses:
        """Read the rules that have this form. Other rules are ignored, so some consequences may be missed."""
        clauses = cls(width)
        binary = rules.variables.binary[:width]
        for row, rhs, equality in zip(rules.matrix, rules.rhs.tolist(), rules.equality.tolist(), strict=True):
            support = np.flatnonzero(row)
            if not len(support) or support[-1] >= width or not binary[support].all():
                continue
            step = int(np.abs(row[support]).max())
            for literals, kind in as_literals(row[:width], equality, rhs, step) or ():
                clauses._take(literals, kind)
        return clauses

    def _take(self, literals: list[int], kind: int) -> None:
        """Add one row: its literals exclude each other, or one of them is true, or both."""
        if kind != AT_LEAST:
            for k, first in enumerate(literals):
                for second in literals[k + 1 :]:
                    self.add(first, second)
        if kind != AT_MOST:
            if len(literals) == 1:
                self._excluded[literals[0] ^ 1] |= 1 << (literals[0] ^ 1)
            self._cover(literals)

    def add(self, first: int, second: int) -> None:
        """State that two literals cannot both be true."""
        self._excluded[first] |= 1 << second
        self._excluded[second] |= 1 << first

    def drop(self, first: int, second: int) -> None:
        """Forget that two literals cannot both be true."""
        self._excluded[first] &= ~(1 << second)
        self._excluded[second] &= ~(1 << first)

    def _cover(self, literals: list[int]) -> None:
        for literal in literals:
            self._member.setdefault(literal, []).append(len(self._covers))
        self._covers.append(sum(1 << literal for literal in literals))

    def states(self, first: int, second: int) -> bool:
        """True if it was stated that two literals cannot both be true."""
        return bool(self._excluded[first] >> second & 1)

    def excludes(self, first: int, second: int) -> bool:
        """True if it follows that two literals cannot both be true."""
        return self.refutes((first, second))

    def refutes(self, given: Iterable[int]) -> bool:
        """True if unit propagation shows, from one of these literals or from all, that they cannot all be true."""
        literals = list(given)
        wanted = sum(1 << literal for literal in set(literals))
        return any(self._propagated(1 << literal, wanted) for literal in literals) or self._propagated(wanted, wanted)

    def _propagated(self, true: int, wanted: int) -> bool:
        """Set literals true and propagate: True if a wanted literal is forced to be false, or a clause is broken."""
        false, waiting = 0, list(bits(true))
        while waiting:
            fresh = self._excluded[waiting.pop()] & ~false
            false |= fresh
            if false & (true | wanted):
                return True
            for literal in bits(fresh):
                forced = literal ^ 1
                if not true >> forced & 1:
                    true |= 1 << forced
                    waiting.append(forced)
                for k in self._member.get(literal, ()):
                    open_literals = self._covers[k] & ~false
                    if not open_literals:
                        return True
                    if not open_literals & (open_literals - 1) and not true & open_literals:
                        true |= open_literals
                        waiting.append(open_literals.bit_length() - 1)
        return False
