"""Expected misses: how many examples would miss a cover if the rules so far were all there is.

Independent columns are a weak rival where rules exclude many labels: with conflicts between columns, a label has some
of them more often than chance would have it. So labels are compared with their neighbours. Let every label that the
rules so far allow be equally likely, and let two labels be neighbours if one column differs, if a 1 is in another
column, or if two exactly-one groups have exchanged their values. A label y′ that misses the cover has D(y′) neighbours
with exactly one member of it. Each of these is an example as often as y′ is, so 1/D(y′), summed over the examples with
one member and over their neighbours y′, is the number of examples that should miss the cover. In the examples it is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules import RuleSet
from unwritten.rules.exactly_one import exactly_one_rules
from unwritten.tally import Tally


class Neighbours:
    """The labels next to those of a tally that obey the known rules; columns that are not 0/1 stay as they are."""

    def __init__(self, tally: Tally, known: RuleSet) -> None:
        self._labels, self._counts = tally.seen, tally.counts
        self._width = self._labels.shape[1]
        self._latents = len(known.variables) - self._width
        self._known = known[np.asarray(~known.matrix[:, self._width :].any(axis=1))]
        self._binary = known.variables.binary[: self._width]
        self._swapped = _exchanges(_blocks(self._known, self._width), self._width)

    def expected_misses(self, members: IntArray) -> float:
        """How many examples should have none of these columns, of which every example has at least one."""
        once = np.flatnonzero(self._labels[:, members].sum(axis=1) == 1)
        if not len(once):
            return 0.0
        rng = np.random.default_rng(0)
        some = rng.permutation(once)[: budgets.MISSED_LABELS]
        missing = [0.0]
        for label, count in zip(self._labels[some], self._counts[some].tolist(), strict=True):
            without = self._allowed(self._without(label, members))
            if len(without):
                back = self._allowed(self._with_one(without[rng.integers(len(without))], members))
                missing.append(count * len(without) / max(1, len(back)))
        return float(np.sum(missing)) * len(once) / len(some)

    def _without(self, label: IntArray, members: IntArray) -> IntArray:
        """The neighbours of a label with one of the members that have none of them."""
        own = int(members[label[members].argmax()])
        free = np.flatnonzero(self._binary & (label == 0))
        free = free[~np.isin(free, members)]
        moved = np.tile(label, (1 + len(free), 1))
        moved[:, own] = 0
        moved[np.arange(1, len(moved)), free] = 1
        swapped = self._exchanged(label)
        return np.concatenate([moved, swapped[~swapped[:, members].any(axis=1)]])

    def _with_one(self, label: IntArray, members: IntArray) -> IntArray:
        """The neighbours of a label with none of the members that have one of them."""
        ones = np.append(np.flatnonzero(self._binary & (label == 1)), -1)  # −1 stands for no column
        moved = np.tile(label, (len(members) * len(ones), 1))
        each = np.arange(len(moved))
        gone = np.repeat(ones, len(members))
        moved[each[gone >= 0], gone[gone >= 0]] = 0
        moved[each, np.tile(members, len(ones))] = 1
        swapped = self._exchanged(label)
        return np.concatenate([moved, swapped[swapped[:, members].sum(axis=1) == 1]])

    def _exchanged(self, label: IntArray) -> IntArray:
        """The labels in which two groups that differ have exchanged their values, by the place of each member."""
        changed = label[self._swapped]
        return np.asarray(changed[(changed != label).sum(axis=1) > 2], np.int64)  # else a 1 is in another column

    def _allowed(self, labels: IntArray) -> IntArray:
        """The labels that obey the rules so far."""
        wide = np.hstack([labels, np.zeros((len(labels), self._latents), np.int64)])
        return labels[self._known.obeyed_by(wide)]


def _blocks(known: RuleSet, width: int) -> list[IntArray]:
    """The columns of exactly-one rules that share no column."""
    taken, blocks = np.zeros(width, bool), []
    for row in known.matrix[exactly_one_rules(known), :width]:
        members = np.flatnonzero(row)
        if len(members) and not taken[members].any():
            taken[members] = True
            blocks.append(members)
    return blocks


def _exchanges(blocks: Sequence[IntArray], width: int) -> IntArray:
    """For each pair of blocks of one size, the order of columns in which they have changed places.

    At most `budgets.MISSED_EXCHANGES` of them, chosen at random but always the same.
    """
    pairs = [(a, b) for k, a in enumerate(blocks) for b in blocks[k + 1 :] if len(a) == len(b)]
    chosen = np.random.default_rng(0).permutation(len(pairs))[: budgets.MISSED_EXCHANGES]
    orders = np.tile(np.arange(width), (len(chosen), 1))
    for order, k in zip(orders, chosen.tolist(), strict=True):
        one, other = pairs[k]
        order[one], order[other] = other, one
    return orders
