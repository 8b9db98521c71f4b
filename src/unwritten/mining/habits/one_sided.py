"""Rules taken apart into one-sided rows: an equality is two rows, "at most one of" is one row for each pair.

Each row is judged by itself. Beside the rows of rules there are *rivals*: pairs of literals that no example has either,
but that are no rule. A win that a rival explains as well is no evidence for a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.rules import RuleSet
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, as_literals

KNOWN, MINED_ROW, RIVAL = 0, 1, 2

Pair = tuple[int, int]  # two literals (2j, or 2j + 1 for the negation) that are never both true


@dataclass(frozen=True, eq=False)
class OneSided:
    """Rows `matrix · y ≤ rhs`, whether each is KNOWN, MINED_ROW or RIVAL, and the rows of each side of each rule.

    `sides[k]` holds the rows of the ≤ side of mined rule k, and those of its ≥ side if it is an equality. `pairs` maps
    pairs of literals to rows.
    """

    matrix: IntArray
    rhs: IntArray
    kind: IntArray
    sides: list[list[list[int]]]
    pairs: dict[Pair, int]

    @classmethod
    def of(
        cls,
        known: RuleSet,
        mined: RuleSet,
        believed: list[Pair],
        rivals: list[Pair] | None,
        blocks: Sequence[IntArray] = (),
    ) -> OneSided:
        """Take rules apart; pairs are told apart only if `rivals` are given (an empty list will do).

        `blocks` are the variables of each one-hot column of a table: of two values, one is the negation of the other.
        """
        twin = {2 * a + 1: 2 * b for block in blocks if len(block) == 2 for a, b in permutations(block.tolist())}
        width = len(mined.variables)
        rows: list[IntArray] = []
        rhs: list[int] = []
        kind: list[int] = []
        pairs: dict[Pair, int] = {}

        def add(row: IntArray, bound: int, of_kind: int) -> int:
            rows.append(row)
            rhs.append(bound)
            kind.append(of_kind)
            return len(rows) - 1

        def add_pair(literals: Pair, of_kind: int) -> int:
            first, second = (twin.get(literal, literal) for literal in literals)
            pair = (min(first, second), max(first, second))
            if pair not in pairs:
                pairs[pair] = add(*pair_row(pair, width), of_kind)
            return pairs[pair]

        for row, bound in _halves(known):
            add(row, bound, KNOWN)
        sides: list[list[list[int]]] = []
        for k in range(len(mined)):
            sides.append([])
            for row, bound in _halves(mined[k : k + 1]):
                own_pairs = None if rivals is None else pairs_of(row, bound, mined)
                if own_pairs is None:
                    sides[-1].append([add(row, bound, MINED_ROW)])
                else:
                    sides[-1].append([add_pair(pair, MINED_ROW) for pair in own_pairs])
        for pair in believed:
            add_pair(pair, MINED_ROW)
        for pair in rivals or ():
            add_pair(pair, RIVAL)
        matrix = np.array(rows, np.int64).reshape(len(rows), width)
        return cls(matrix, np.array(rhs, np.int64), np.array(kind, np.int64), sides, pairs)

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def has_several(self) -> BoolArray:
        """Which rows are about more than one variable."""
        return np.asarray((self.matrix != 0).sum(axis=1) > 1)


def _halves(rules: RuleSet) -> list[tuple[IntArray, int]]:
    """The rows a·y ≤ b of rules; an equality has two."""
    halves = []
    for row, bound, equality in zip(rules.matrix, rules.rhs.tolist(), rules.equality.tolist(), strict=True):
        halves.append((row, bound))
        if equality:
            halves.append((-row, -bound))
    return halves


def pairs_of(row: IntArray, bound: int, rules: RuleSet) -> list[Pair] | None:
    """The pairs of literals that a row excludes, if it says nothing else; None for other rows."""
    support = np.flatnonzero(row)
    if len(support) < 2 or not rules.variables.binary[support].all():
        return None
    literal_rows = as_literals(row, False, bound, int(np.abs(row[support]).max()))
    if literal_rows is None or len(literal_rows) != 1:
        return None
    literals, form = literal_rows[0]
    if form == AT_LEAST and len(literals) == 2:
        literals, form = [literal ^ 1 for literal in literals], AT_MOST
    if form != AT_MOST:
        return None
    ordered = sorted(literals)
    return [(first, second) for k, first in enumerate(ordered) for second in ordered[k + 1 :]]


def pair_row(pair: Pair, width: int) -> tuple[IntArray, int]:
    """The row a·y ≤ b which says that two literals are never both true."""
    row, bound = np.zeros(width, np.int64), 1
    for literal in pair:
        row[literal >> 1] += -1 if literal & 1 else 1
        bound -= literal & 1
    return row, bound
