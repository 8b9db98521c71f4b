"""Clauses over literals: what rules of the kind "at most one" and "exactly one" force, by unit propagation.

Sets of literals are Python integers, one bit each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from unwritten.rules import RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, as_literals


class Clauses:
    """Pairs of literals that cannot both be true, and sets of which at least one is."""

    def __init__(self, width: int) -> None:
        self._apart = [1 << (literal ^ 1) for literal in range(2 * width)]
        self._covers: list[int] = []
        self._member: dict[int, list[int]] = {}

    @classmethod
    def of(cls, rules: RuleSet, width: int) -> Clauses:
        """What the rules say that has this form; other rules are left aside, which loses nothing but strength."""
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
        """One row: pairs of its literals are apart, or one of them is true, or both."""
        if kind != AT_LEAST:
            for k, first in enumerate(literals):
                for second in literals[k + 1 :]:
                    self.add(first, second)
        if kind != AT_MOST:
            if len(literals) == 1:
                self._apart[literals[0] ^ 1] |= 1 << (literals[0] ^ 1)
            self._cover(literals)

    def add(self, first: int, second: int) -> None:
        """These cannot both be true."""
        self._apart[first] |= 1 << second
        self._apart[second] |= 1 << first

    def drop(self, first: int, second: int) -> None:
        """Forget that these cannot both be true."""
        self._apart[first] &= ~(1 << second)
        self._apart[second] &= ~(1 << first)

    def _cover(self, literals: list[int]) -> None:
        for literal in literals:
            self._member.setdefault(literal, []).append(len(self._covers))
        self._covers.append(sum(1 << literal for literal in literals))

    def stated(self, first: int, second: int) -> bool:
        """Whether it was said that these cannot both be true."""
        return bool(self._apart[first] >> second & 1)

    def apart(self, first: int, second: int) -> bool:
        """Whether these cannot both be true."""
        return self.refutes((first, second))

    def refutes(self, given: Iterable[int]) -> bool:
        """Whether these literals cannot all be true, as far as unit propagation sees from any one of them on."""
        literals = list(given)
        wanted = sum(1 << literal for literal in set(literals))
        return any(self._propagated(1 << literal, wanted) for literal in literals) or self._propagated(wanted, wanted)

    def _propagated(self, true: int, wanted: int) -> bool:
        """Set literals true and follow what that forces: whether it forces a wanted one to be false, or clashes."""
        false, open_ = 0, list(_bits(true))
        while open_:
            fresh = self._apart[open_.pop()] & ~false
            false |= fresh
            if false & (true | wanted):
                return True
            for gone in _bits(fresh):
                forced = gone ^ 1
                if not true >> forced & 1:
                    true |= 1 << forced
                    open_.append(forced)
                for k in self._member.get(gone, ()):
                    left = self._covers[k] & ~false
                    if not left:
                        return True
                    if not left & (left - 1) and not true & left:
                        true |= left
                        open_.append(left.bit_length() - 1)
        return False


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
