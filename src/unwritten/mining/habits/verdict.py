"""The verdict on each one-sided row: is it required, or can optimality explain it?

A move that would have been better than the chosen label, a *win*, must have been forbidden. If it breaks one row only,
that row forbids it, or something that is not known does. A row is **required** if

- enough wins break it alone (or together with rows that are always broken with it), and
- such moves do not win where they break no row at all: otherwise something unknown forbids them anyway, and
- the wins do not stay away from a part of the labels that break the row: there the row may not hold.

Where no move wins or loses because the weights do not care, choosing always the same way is no matter of optimality:
a row that enough *ties* break is kept too.
"""

from __future__ import annotations

from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.habits.moves import Moves
from unwritten.mining.habits.one_sided import KNOWN, MINED_ROW, RIVAL, OneSided

LEAST_WINS = 3
"""Examples with a win that a row needs, however clear they are."""
EXPECTED = 6.0
"""Wins that are missed only if so many were expected: none by chance has the probability e^−6."""

REFUTED = 1.0
ALIKE = 0.8
SUM_NATS = 0.05



class Judge:
    """Judges the rows that moves break."""

    def __init__(self, rows: OneSided, moves: Moves, margin: float) -> None:
        self._rows, self._moves = rows, moves
        judged = int((rows.kind == MINED_ROW).sum())
        self._least = margin + log(max(1, judged))
        forbidden = np.zeros(len(moves), bool)
        forbidden[moves.broken_move[rows.kind[moves.broken_row] == KNOWN]] = True
        entry_kind = rows.kind[moves.broken_row]
        rivalled = np.zeros(len(moves), bool)
        rivalled[moves.broken_move[entry_kind == RIVAL]] = True
        self._rivalled = rivalled
        own = (entry_kind == MINED_ROW) & ~forbidden[moves.broken_move]
        self._move, self._row = moves.broken_move[own], moves.broken_row[own]
        self._kind = moves.kind
        free = ~forbidden
        free[self._move] = False
        self._free = np.bincount(self._kind[free], minlength=moves.kinds)
        self._unexplained = np.bincount(self._kind[free & moves.wins], minlength=moves.kinds)
        size = np.abs(rows.matrix).sum(axis=1)
        least = np.where(rows.matrix < 0, rows.matrix, 0).sum(axis=1)
        one_of = (np.abs(rows.matrix).max(axis=1, initial=0) == 1) & ((rows.rhs - least == 1) | (rows.rhs - least == size - 1))
        self._per_example = np.where(one_of, 1.0, SUM_NATS)
        self._tested = np.bincount(self._row, minlength=len(rows)) > 0

    def kept(self) -> BoolArray:
        """Which rows are required, or cannot be judged; all others are habits."""
        moves, rows = self._moves, self._rows
        suspect = (rows.kind == MINED_ROW) & self._tested
        required = np.zeros(len(rows), bool)
        while True:
            broken_by = self._count(suspect)
            alone = suspect[self._row] & (broken_by[self._move] == 1)
            required = suspect & self._proven(alone & ~self._rivalled[self._move], suspect)
            open_entries = self._not_explained(suspect, required)
            wins = self._examples(open_entries & moves.wins[self._move])
            ties = self._examples(open_entries & moves.ties[self._move])
            indifferent = ties * log(2) >= self._least
            without = suspect & ~required & (wins == 0) & ~indifferent
            if not without.any():
                break
            suspect &= ~without
        together = self._credited(open_entries & (broken_by[self._move] > 1))
        of_equality = np.zeros(len(rows), bool)
        of_equality[[row for sides in rows.sides if len(sides) == 2 for side in sides for row in side]] = True
        left = suspect & ~required & of_equality & ~self._refuted(open_entries, alone)
        kept = required | left & ((wins == 0) & indifferent | self._proven(together, left))
        return kept | (rows.kind == MINED_ROW) & ~self._tested

    def _credited(self, entries: BoolArray) -> BoolArray:
        """The entries of those rows, among all that a move breaks, that are most often broken by wins."""
        moves, rows = self._moves, len(self._rows)
        broken = np.bincount(moves.broken_row, minlength=rows)
        won = np.bincount(moves.broken_row[moves.wins[moves.broken_move]], minlength=rows)
        rate = won / np.maximum(broken, 1)
        best = np.zeros(len(moves))
        rival = self._rows.kind[moves.broken_row] == RIVAL
        np.maximum.at(best, moves.broken_move[rival], rate[moves.broken_row[rival]])
        np.maximum.at(best, self._move[entries], rate[self._row[entries]])
        return entries & (rate[self._row] >= ALIKE * best[self._move])

    def _count(self, rows: BoolArray) -> IntArray:
        """How many of these rows each move breaks."""
        return np.bincount(self._move[rows[self._row]], minlength=len(self._moves))

    def _examples(self, entries: BoolArray) -> IntArray:
        """For each row, the number of examples among these entries."""
        n = len(self._moves.labels)
        distinct = np.unique(self._row[entries] * n + self._moves.example[self._move[entries]])
        return np.bincount(distinct // n, minlength=len(self._rows))

    def _not_explained(self, suspect: BoolArray, required: BoolArray) -> BoolArray:
        """The entries of suspect rows by moves that break no required row."""
        explained = self._count(required) > 0
        return suspect[self._row] & ~explained[self._move]

    def _proven(self, entries: BoolArray, candidates: BoolArray) -> BoolArray:
        """Which candidates have enough wins among the entries, not explained otherwise and nowhere missing."""
        enough = candidates & (self._examples(entries & self._moves.wins[self._move]) >= LEAST_WINS)
        enough &= (self._rows.matrix != 0).sum(axis=1) > 1  # a constant column has no counterpart to compare with
        enough &= self._contrast(entries) >= self._least
        for row in np.flatnonzero(enough):
            enough[row] = not self._misses_a_part(int(row), self._move[entries & (self._row == row)])
        return enough

    def _contrast(self, entries: BoolArray) -> FloatArray:
        """How surely moves that break a row win more often than moves of the same kind that break nothing, in nats.

        Fisher's exact test, where none of the latter wins; kinds with unexplained wins prove nothing. If a row is
        broken by all moves of its kinds, each win counts one nat.
        """
        from scipy.special import gammaln

        def log_choose(n: IntArray, k: IntArray) -> FloatArray:
            return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))

        kinds, shape = self._moves.kinds, (len(self._rows), self._moves.kinds)
        key = self._row * kinds + self._kind[self._move]
        broken = np.bincount(key[entries], minlength=shape[0] * kinds).reshape(shape)
        won = np.bincount(key[entries & self._moves.wins[self._move]], minlength=shape[0] * kinds).reshape(shape)
        clean = self._unexplained == 0
        each = log_choose(broken + self._free, won) - log_choose(broken, won)
        nats = (each * clean).sum(axis=1)
        used = broken > 0
        all_clean = ~(used & ~clean).any(axis=1)
        total, wins, free = broken.sum(axis=1), won.sum(axis=1), (used * self._free).sum(axis=1)
        alone = self._per_example * self._examples(entries & self._moves.wins[self._move])
        pooled = np.where(free == 0, alone, log_choose(total + free, wins) - log_choose(total, wins))
        return np.round(np.maximum(nats, np.where(all_clean, pooled, 0.0)), 6)

    def _refuted(self, entries: BoolArray, alone: BoolArray) -> BoolArray:
        """Which rows never win alone, though as often as they win with others they should: another row explains them."""
        rows, wins = len(self._rows), self._moves.wins[self._move]
        total = np.bincount(self._row[entries], minlength=rows)
        won = np.bincount(self._row[entries & wins], minlength=rows)
        by_itself = np.bincount(self._row[alone], minlength=rows)
        won_alone = np.bincount(self._row[alone & wins], minlength=rows)
        return np.asarray((won_alone == 0) & (by_itself * won >= REFUTED * np.maximum(total, 1)))

    def _misses_a_part(self, row: int, moves: IntArray) -> bool:
        """True if no win has some value in some variable, though EXPECTED wins should have it.

        For variables of the row, all moves count; for others only the kinds of moves that win at all.
        """
        inside = self._rows.matrix[row] != 0
        wins = self._moves.wins
        winning = np.zeros(self._moves.kinds, bool)
        winning[self._kind[moves[wins[moves]]]] = True
        of_winning_kinds = moves[winning[self._kind[moves]]]
        return self._misses(moves, np.flatnonzero(inside)) or self._misses(of_winning_kinds, np.flatnonzero(~inside))

    def _misses(self, moves: IntArray, columns: IntArray) -> bool:
        if not len(columns) or not len(moves):
            return False
        step = max(1, len(moves) * len(columns) // budgets.HABIT_PART_ENTRIES)
        after, won = self._moves.outcome(moves[::step], columns), self._moves.wins[moves[::step]]
        rate = won.mean()
        for value in np.unique(after):
            has = after == value
            if ((has.sum(axis=0) * rate >= EXPECTED) & ~(has & won[:, None]).any(axis=0)).any():
                return True
        return False
