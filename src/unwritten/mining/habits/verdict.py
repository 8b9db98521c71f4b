"""The verdict on each one-sided row: is it required, or can optimality explain it?

A move that would have been better than the chosen label, a *win*, must have been forbidden: by the rows that it breaks,
or by something that is not known. A row is **required** if

- wins break it alone, in several examples, and no rival pair explains them as well, and
- moves of the same kinds that break nothing never win: otherwise something unknown forbids them anyway, and
- wins occur in all parts of the labels that break the row: in a part without any, the row may not hold.

Sides of equalities are often broken only together (no label breaks just one rule of Sudoku). They are required too if
other rows explain their wins less well. And where optimality cannot explain a row, the labels themselves are evidence:
where labels that break it would have been as good (*ties*), or where the variables of an equality are a gain in some
examples and a loss in others, so that optimality pushes to neither side.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.chance import log_choose
from unwritten.mining.habits.moves import Moves
from unwritten.mining.habits.one_sided import KNOWN, MINED_ROW, RIVAL, OneSided

LEAST_WINS = 3
"""Examples with a win that a row needs, however clear they are."""
WIN_OF_PAIR, WIN_OF_SUM = 0.5, 0.05
"""The evidence of a win, in nats, if every move of its kind breaks the row.

A wrong pair would have rivals that explain the wins as well; a sum is weighed against a sum that a twentieth of the
labels breaks.
"""
EXPECTED = 6.0
"""Wins that must be expected in a part of the labels for their absence to count: by chance, it has probability e^−6."""
EXPECTED_ALONE = 1.0
"""The same for a row that wins only together with others, which has less evidence."""
ALIKE = 0.8
"""A row explains wins as well as the best row does if its rate of wins is at least this share of the best rate."""
BOTH_SIGNS = 0.1
"""The share of examples in which a variable must be a gain, and a loss, so that optimality pushes to neither side."""


class HabitJudge:
    """Judges the rows that moves break. An *entry* is a mined row that a move breaks."""

    def __init__(self, rows: OneSided, moves: Moves, margin: float) -> None:
        self._rows, self._moves, self._kind = rows, moves, moves.kind
        self._judged = rows.kind == MINED_ROW
        self._least = margin + log(max(1, int(self._judged.sum())))
        kind_of_row = rows.kind[moves.broken_row]
        forbidden, self._rivalled = (self._breaking(kind_of_row == kind) for kind in (KNOWN, RIVAL))
        own = (kind_of_row == MINED_ROW) & ~forbidden[moves.broken_move]
        self._move, self._row = moves.broken_move[own], moves.broken_row[own]
        self._wins, self._ties = moves.wins[self._move], moves.ties[self._move]
        free = ~forbidden & ~self._breaking(kind_of_row == MINED_ROW)
        self._free = np.bincount(self._kind[free], minlength=moves.kinds)
        self._clean = np.bincount(self._kind[free & moves.wins], minlength=moves.kinds) == 0
        self._nats, self._price = np.full(len(rows), WIN_OF_SUM), _prices(rows.matrix)
        pairs = list(rows.pairs.values())
        self._nats[pairs], self._price[pairs] = WIN_OF_PAIR, 0.0

    def kept(self) -> BoolArray:
        """Which rows are required, supported by the labels alone, or cannot be judged; all others are habits."""
        tested = self._judged & (np.bincount(self._row, minlength=len(self._rows)) > 0)
        suspect = tested
        while True:
            broken = self._number_broken(suspect)
            alone = suspect[self._row] & (broken == 1)
            required = self._proven(alone & ~self._rivalled[self._move], suspect, WIN_OF_PAIR)
            unexplained = suspect[self._row] & (self._number_broken(required) == 0)
            wins, ties = (self._examples(unexplained & chosen) for chosen in (self._wins, self._ties))
            indifferent = ties * log(2) >= self._least
            pure = suspect & ~required & (wins == 0) & ~indifferent
            if not pure.any():
                break
            suspect = suspect & ~pure  # habits forbid nothing; without them, more wins break one row alone
        equality_sides = self._sides_of_equalities()
        left = suspect & ~required & equality_sides & ~self._never_alone(unexplained, alone)
        together = self._best_explained(unexplained & (broken > 1), equality_sides)
        kept: BoolArray = required | self._proven(together, left, WIN_OF_SUM) | self._unpushed_sides()
        kept |= (suspect & (wins == 0) & indifferent) | (self._judged & ~tested)
        return kept

    def _breaking(self, entries: BoolArray) -> BoolArray:
        """Which moves break a row among these places of `moves.broken_row`."""
        which = np.zeros(len(self._moves), bool)
        which[self._moves.broken_move[entries]] = True
        return which

    def _number_broken(self, rows: BoolArray) -> IntArray:
        """For each entry, how many of these rows its move breaks."""
        return np.asarray(np.bincount(self._move[rows[self._row]], minlength=len(self._moves))[self._move])

    def _per_row(self, entries: BoolArray) -> IntArray:
        """For each row, the number of these entries."""
        return np.bincount(self._row[entries], minlength=len(self._rows))

    def _examples(self, entries: BoolArray) -> IntArray:
        """For each row, the number of examples among these entries."""
        met = np.zeros((len(self._rows), len(self._moves.labels)), bool)
        met[self._row[entries], self._moves.example[self._move[entries]]] = True
        return np.asarray(met.sum(axis=1))

    def _sides_of_equalities(self) -> BoolArray:
        """Which rows are a side of an equality, or a pair of one; constant columns are left out."""
        sides = np.zeros(len(self._rows), bool)
        sides[[row for each in self._rows.sides if len(each) == 2 for side in each for row in side]] = True
        return sides & self._rows.has_several

    def _proven(self, entries: BoolArray, candidates: BoolArray, most_nats: float) -> BoolArray:
        """Which candidates have enough wins among the entries, not explained otherwise and nowhere missing."""
        enough = candidates & self._rows.has_several & (self._examples(entries & self._wins) >= LEAST_WINS)
        if not enough.any():
            return enough
        entries = entries & enough[self._row]
        enough &= self._contrast(entries, most_nats) >= self._least
        places = np.flatnonzero(entries)
        order = places[np.argsort(self._row[places], kind="stable")]
        ends = np.searchsorted(self._row[order], np.arange(len(self._rows) + 1))
        for row in np.flatnonzero(enough):
            enough[row] = not self._misses_a_part(int(row), self._move[order[ends[row] : ends[row + 1]]])
        return enough

    def _contrast(self, entries: BoolArray, most_nats: float) -> FloatArray:
        """How surely moves that break a row win more often than moves of the same kind that break nothing, in nats.

        This is Fisher's exact test, where none of the latter wins; kinds with unexplained wins prove nothing. If all
        moves of its kinds break a row, there is nothing to compare with: then each example with a win counts alike, and
        a sum has the price of naming it.
        """
        from scipy.special import gammaln

        kinds, size = self._moves.kinds, len(self._rows) * self._moves.kinds
        key = self._row * kinds + self._kind[self._move]
        broken = np.bincount(key[entries], minlength=size)
        places = np.flatnonzero(broken)
        won = np.bincount(key[entries & self._wins], minlength=size)[places]
        row, kind, broken = places // kinds, places % kinds, broken[places]

        # ln C(broken + free, won) − ln C(broken, won)
        def surprise(broken: NDArray[Any], won: NDArray[Any], free: NDArray[Any]) -> FloatArray:
            parts = gammaln([broken + free + 1, broken - won + 1, broken + free - won + 1, broken + 1])
            return np.asarray(parts[0] + parts[1] - parts[2] - parts[3])

        def total(values: NDArray[Any]) -> FloatArray:
            return np.bincount(row, weights=values, minlength=len(self._rows)).astype(np.float64)

        by_kind = total(surprise(broken, won, self._free[kind]) * self._clean[kind])
        all_clean, free = total(~self._clean[kind]) == 0, total(self._free[kind])
        pooled = surprise(total(broken), total(won), free)
        without = np.minimum(most_nats, self._nats) * self._examples(entries & self._wins) - self._price
        nats: FloatArray = np.maximum(by_kind, np.where(all_clean, np.where(free == 0, without, pooled), 0.0))
        return np.asarray(np.round(nats, 6))

    def _misses_a_part(self, row: int, moves: IntArray) -> bool:
        """True if no win has some value in some variable, though EXPECTED wins should have it.

        For variables of the row, all moves count; for others only the kinds of moves that win at all.
        """
        inside = self._rows.matrix[row] != 0
        winning = np.zeros(self._moves.kinds, bool)
        winning[self._kind[moves[self._moves.wins[moves]]]] = True
        of_winning_kinds = moves[winning[self._kind[moves]]]
        return self._misses(moves, np.flatnonzero(inside)) or self._misses(of_winning_kinds, np.flatnonzero(~inside))

    def _misses(self, moves: IntArray, columns: IntArray) -> bool:
        if not len(columns) or not len(moves):
            return False
        step = 1 + len(moves) * len(columns) // budgets.HABIT_PART_ENTRIES
        after, won = self._moves.outcome(moves[::step], columns), self._moves.wins[moves[::step]]
        least = EXPECTED * len(won)
        for value in np.unique(after):
            has = after == value
            if ((has.sum(axis=0) * int(won.sum()) >= least) & ~has[won].any(axis=0)).any():
                return True
        return False

    def _never_alone(self, entries: BoolArray, alone: BoolArray) -> BoolArray:
        """Which rows win only together with others, though they are broken alone too: the others explain their wins."""
        expected = self._per_row(alone) * self._per_row(entries & self._wins)
        needed = EXPECTED_ALONE * np.maximum(self._per_row(entries), 1)
        return np.asarray((self._per_row(alone & self._wins) == 0) & (expected >= needed))

    def _best_explained(self, entries: BoolArray, sides: BoolArray) -> BoolArray:
        """The entries of sides of equalities that explain their move best: the larger the share of wins, the better.

        No side is credited with a move that a rival, or a row of an inequality, explains as well.
        """
        moves, count = self._moves, len(self._rows)
        broken = np.bincount(moves.broken_row, minlength=count)
        won = np.bincount(moves.broken_row[moves.wins[moves.broken_move]], minlength=count)
        rate = won / np.maximum(broken, 1)
        others, entries = ~sides[moves.broken_row], entries & sides[self._row]
        best, best_other = np.zeros((2, len(moves)))
        np.maximum.at(best_other, moves.broken_move[others], rate[moves.broken_row[others]])
        np.maximum.at(best, self._move[entries], rate[self._row[entries]])
        own = rate[self._row]
        return np.asarray(entries & (own >= ALIKE * best[self._move]) & (ALIKE * own > best_other[self._move]))

    def _unpushed_sides(self) -> BoolArray:
        """The rows of equalities whose variables are all a gain in some examples and a loss in others.

        Optimality pushes them to neither side. A win must break each side nevertheless.
        """
        neither = (self._moves.gain_share > BOTH_SIGNS) & (self._moves.loss_share > BOTH_SIGNS)
        unpushed = ~((self._rows.matrix != 0) & ~neither).any(axis=1) & self._rows.has_several
        wins = self._examples(self._wins)
        both_ways = np.zeros(len(self._rows), bool)
        for sides in self._rows.sides:
            for side in sides:
                both_ways[side] |= len(sides) == 2 and unpushed[side].all() and wins[side].any()
        return both_ways


def _prices(matrix: IntArray) -> FloatArray:
    """What it costs to name each row, in nats: its variables among all, and their coefficients."""
    width, sizes, largest = matrix.shape[1], (matrix != 0).sum(axis=1), np.abs(matrix).max(axis=1, initial=1)
    return np.array(
        [log_choose(width, s) + s * log(2 * c) for s, c in zip(sizes.tolist(), largest.tolist(), strict=True)]
    )
