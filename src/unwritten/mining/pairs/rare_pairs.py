"""Pairs of literals that no or few examples have, though independent columns would show them often.

Gram entries count all four combinations of two 0/1 columns: n_ij, n_i − n_ij, n_j − n_ij and n − n_i − n_j + n_ij. A
literal is a variable (2j) or its negation (2j + 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.rules import RuleSet
from unwritten.tally.tally import Tally


def varying_columns(tally: Tally) -> IntArray:
    """The 0/1 columns that are not constant."""
    counts = tally.gram[-1, :-1].astype(np.int64)
    columns = np.flatnonzero((np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0))
    return columns[(counts[columns] > 0) & (counts[columns] < tally.n)]


def least_expected(columns: IntArray, margin: float) -> float:
    """How often chance must show a pair of literals that never occurs: the price of naming the pair, and the margin."""
    d = len(columns)
    return log(4 * d * (d - 1) / 2) + margin


@dataclass(frozen=True, eq=False)
class RarePairs:
    """Pairs of literals: how often chance would show them, how many examples do, their kinds and columns (2 × k)."""

    expected: FloatArray
    exceptions: IntArray
    kinds: IntArray
    columns: IntArray

    @property
    def literals(self) -> tuple[IntArray, IntArray]:
        """The two literals of each pair."""
        return 2 * self.columns[0] + (self.kinds >= 2), 2 * self.columns[1] + (self.kinds % 2 == 1)


def rare_pairs(tally: Tally, columns: IntArray, known: RuleSet, least: float, most: int) -> RarePairs:
    """Pairs of literals that at most `most` examples have, though chance would show them at least `least` times."""
    n, d = tally.n, len(columns)
    one = tally.gram[-1, columns].astype(np.int64)
    share = one / n
    trials = None if tally.symmetry is None else tally.symmetry.pair_trials()[np.ix_(columns, columns)]
    excluded = _known_exclusions(known, columns, len(tally.gram) - 1)
    parts: list[tuple[FloatArray, IntArray, IntArray, IntArray, IntArray]] = []
    block = max(1, budgets.PAIR_BLOCK_ENTRIES // d)
    for start in range(0, d, block):
        rows, later = slice(start, start + block), slice(start, None)  # each pair is looked at from its first column
        both = tally.gram[np.ix_(columns[rows], columns[later])].astype(np.int64)
        upper = np.arange(start, d) > np.arange(start, min(start + block, d))[:, None]
        known_pair = excluded[rows][:, later].toarray() > 0
        for kind, exceptions, left, right in (
            (0, both + (most + 1) * known_pair, share, share),
            (1, one[rows, None] - both, share, 1 - share),
            (2, one[None, later] - both, 1 - share, share),
            (3, n - one[rows, None] - one[None, later] + both, 1 - share, 1 - share),
        ):
            few = np.flatnonzero((exceptions <= most) & upper)
            i, j = np.divmod(few, d - start) + np.array([[start], [start]])
            expected = (n if trials is None else trials[i, j]) * (left[i] * right[j])
            strong = np.flatnonzero(expected >= least)
            seen = exceptions.ravel()[few[strong]]
            parts.append((expected[strong], seen, np.full(len(strong), kind), columns[i[strong]], columns[j[strong]]))
    expected, exceptions, kinds, a, b = (np.concatenate(part) for part in zip(*parts, strict=True))
    return RarePairs(expected, exceptions, kinds, np.stack([a, b]))


def _known_exclusions(known: RuleSet, columns: IntArray, width: int) -> Any:
    """How many known rules say that two of the columns are never both 1 (sparse matrix)."""
    from scipy.sparse import csr_array

    rows, places = np.nonzero(known.matrix)
    plain = known.rhs == 1
    plain[rows[(known.matrix[rows, places] != 1) | ~known.variables.binary[places] | (places >= width)]] = False
    chosen = plain[rows]
    ones = np.ones(int(chosen.sum()), np.int32)
    member = csr_array((ones, (rows[chosen], places[chosen])), shape=known.matrix.shape)[:, columns]
    return (member.T @ member).tocsr()
