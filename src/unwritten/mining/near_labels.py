"""Near labels: one step from a seen label, and allowed by the rules so far.

A rule that excludes none of them says nothing new: one that follows from other rules excludes no label that these
allow. What a rule says far away from all examples does not matter to anybody.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.miner import Context
from unwritten.rules import Gap, Gaps


def near_labels(
    context: Context, independent: IndependentSums, stated: tuple[Gap, ...], *, any_value: bool = False
) -> IntArray:
    """Labels one step from seen ones that obey all rules and these gaps: values, members of groups, swaps.

    A value goes one up or down; with `any_value`, it also becomes any other one.
    """
    rng = np.random.default_rng(0)
    known, gaps = context.stated + context.redundant, Gaps(context.examples.variables, stated)
    width = context.tally.seen.shape[1]
    latents = len(known.variables) - width
    inside = known[np.asarray(~known.matrix[:, width:].any(axis=1))]
    moved = [np.zeros((0, width), np.int64)]
    moves = (_stepped, _moved_in_block, _swapped, _swapped_blocks)
    for move in (*moves, _changed) if any_value else moves:
        start = context.tally.seen[rng.integers(len(context.tally.seen), size=budgets.BOUND_MOVES)]
        labels = move(start, independent, rng)
        wide = np.hstack([labels, np.zeros((len(labels), latents), np.int64)])
        allowed = inside.obeyed_by(wide)
        allowed[allowed] = ~gaps.broken(labels[allowed]).any(axis=1)
        moved.append(labels[allowed])
    return np.concatenate(moved)


def _stepped(labels: IntArray, independent: IndependentSums, rng: np.random.Generator) -> IntArray:
    """One column in no block goes one up or down within its bounds."""
    variables, width = independent.variables, labels.shape[1]
    lower, upper = variables.lower[:width], variables.upper[:width]
    free = np.flatnonzero(independent.alone & (lower < upper))
    if not len(free):
        return labels[:0]
    each, column = np.arange(len(labels)), rng.choice(free, len(labels))
    up = rng.random(len(labels)) < 0.5
    value = labels[each, column]
    up = (up | (value <= lower[column])) & (value < upper[column])
    labels[each, column] += np.where(up, 1, -1)
    return labels


def _changed(labels: IntArray, independent: IndependentSums, rng: np.random.Generator) -> IntArray:
    """One column in no block takes another value within its bounds."""
    variables, width = independent.variables, labels.shape[1]
    lower, sizes = variables.lower[:width], (variables.upper - variables.lower + 1)[:width]
    free = np.flatnonzero(independent.alone & (sizes > 1))
    if not len(free):
        return labels[:0]
    each, column = np.arange(len(labels)), rng.choice(free, len(labels))
    place, size = labels[each, column] - lower[column], sizes[column]
    labels[each, column] = lower[column] + (place + 1 + rng.integers(size - 1)) % size
    return labels


def _moved_in_block(labels: IntArray, independent: IndependentSums, rng: np.random.Generator) -> IntArray:
    """Another member of one block is 1."""
    blocks = independent.block_members
    if not blocks:
        return labels[:0]
    for label, k in zip(labels, rng.integers(len(blocks), size=len(labels)), strict=True):
        members = blocks[k]
        now = int(label[members].argmax())
        label[members] = 0
        label[members[(now + rng.integers(1, max(2, len(members)))) % len(members)]] = 1
    return labels


def _swapped(labels: IntArray, independent: IndependentSums, rng: np.random.Generator) -> IntArray:
    """Two columns in no block that are of one kind (0/1 or not) exchange their values."""
    parts = []
    for kind in (independent.binary, ~independent.binary):
        free = np.flatnonzero(independent.alone & kind)
        if len(free) > 1:
            some = labels.copy()
            each = np.arange(len(some))
            one, other = rng.choice(free, len(some)), rng.choice(free, len(some))
            some[each, one], some[each, other] = labels[each, other], labels[each, one]
            parts.append(some)
    if not parts:
        return labels[:0]
    variables, width = independent.variables, labels.shape[1]
    moved = np.concatenate(parts)
    return moved[((moved >= variables.lower[:width]) & (moved <= variables.upper[:width])).all(axis=1)]


def _swapped_blocks(labels: IntArray, independent: IndependentSums, rng: np.random.Generator) -> IntArray:
    """Two blocks of one size exchange their values."""
    blocks = independent.block_members
    sizes = {len(block) for block in blocks}
    families = [[block for block in blocks if len(block) == size] for size in sorted(sizes)]
    families = [family for family in families if len(family) > 1]
    if not families:
        return labels[:0]
    for label in labels:
        family = families[rng.integers(len(families))]
        one, other = (family[k] for k in rng.choice(len(family), 2, replace=False))
        label[one], label[other] = label[other], label[one]
    return labels
