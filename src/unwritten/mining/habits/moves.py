"""Moves: labels one step away from the chosen ones, what each would have gained, and which rows it breaks.

A step changes one variable by 1; in a column of a table it changes the value. The gain of a step needs no sum, so it
has the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, Examples, FloatArray, IntArray, Variables, tolerance
from unwritten.mining.habits.one_sided import OneSided


@dataclass(frozen=True, eq=False)
class Moves:
    """Moves by example, and the rows that they break as pairs (`broken_move`, `broken_row`).

    `raised` and `lowered` are the variables that a move raises and lowers by 1, or −1. `kind` numbers the moves that
    change the same variable in the same direction. `wins` are moves that would have been better than the chosen label,
    `ties` those that would have been as good. `gain_share` and `loss_share` say, for each variable, in which share of
    the examples raising it is a gain or a loss.
    """

    labels: IntArray
    example: IntArray
    raised: IntArray
    lowered: IntArray
    wins: BoolArray
    ties: BoolArray
    gain_share: FloatArray
    loss_share: FloatArray
    broken_move: IntArray
    broken_row: IntArray

    @classmethod
    def of(cls, examples: Examples, weights: FloatArray, rows: OneSided, blocks: Sequence[IntArray]) -> Moves:
        """All moves of the examples; `weights` have the sign that makes larger values better."""
        labels = examples.labels.astype(np.int64, copy=False)
        room = rows.rhs - labels @ rows.matrix.T
        same = tolerance(weights, examples.variables)
        parts = []
        start = 0
        for example, raised, lowered in _steps(labels, examples.variables, blocks):
            gain = np.zeros(len(example))
            change = np.zeros((1, len(rows)), np.int64)
            for variables, sign in ((raised, 1), (lowered, -1)):
                if variables[0] >= 0:
                    gain = gain + sign * weights[example, variables]
                    alike = (variables == variables[0]).all()
                    change = change + sign * rows.matrix[:, variables[:1] if alike else variables].T
            touched = np.flatnonzero((change > 0).any(axis=0))
            moves, places = np.nonzero(change[:, touched] > room[np.ix_(example, touched)])
            parts.append((example, raised, lowered, gain, moves + start, touched[places]))
            start += len(example)
        example, raised, lowered, gain, broken_move, broken_row = (
            np.concatenate(part) for part in zip(*parts, strict=True)
        )
        room_for_noise = same[example]
        return cls(
            labels, example, raised, lowered, gain > room_for_noise, np.abs(gain) <= room_for_noise,
            (weights > same[:, None]).mean(axis=0), (weights < -same[:, None]).mean(axis=0), broken_move, broken_row,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.example)

    @property
    def kinds(self) -> int:
        """The number of kinds of moves."""
        return 2 * int(self.labels.shape[1])

    @property
    def kind(self) -> IntArray:
        """The kind of each move."""
        return np.where(self.raised >= 0, 2 * self.raised, 2 * self.lowered + 1)

    def outcome(self, moves: IntArray, columns: IntArray) -> IntArray:
        """The labels that some moves lead to, in these columns."""
        after = self.labels[np.ix_(self.example[moves], columns)]
        after += (self.raised[moves, None] == columns).astype(np.int64)
        after -= (self.lowered[moves, None] == columns).astype(np.int64)
        return after


def _steps(
    labels: IntArray, variables: Variables, blocks: Sequence[IntArray]
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Examples, the variable that each raises and the one that each lowers (−1 for none), one kind at a time."""
    in_block = np.zeros(labels.shape[1], bool)
    for block in blocks:
        in_block[block] = True
        current = block[labels[:, block].argmax(axis=1)]
        for j in block:
            example = np.flatnonzero(current != j)
            if len(example):
                yield example, np.full(len(example), j), current[example]
    for j in np.flatnonzero(~in_block):
        lowest, highest = _range(variables, int(j))
        for step, possible in ((1, labels[:, j] < highest), (-1, labels[:, j] > lowest)):
            example = np.flatnonzero(possible)
            if len(example):
                chosen, none = np.full(len(example), j), np.full(len(example), -1)
                yield (example, chosen, none) if step > 0 else (example, none, chosen)


def _range(variables: Variables, j: int) -> tuple[float, float]:
    """The values that a move may reach: within bounds that someone gave; else 0 is the only bound, if none is below."""
    lower, upper = int(variables.lower[j]), int(variables.upper[j])
    if variables.declared or variables.binary[j]:
        return lower, upper
    return (0 if lower >= 0 else -np.inf), np.inf
