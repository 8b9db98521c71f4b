"""A search for all solutions of a Sudoku puzzle, fast enough to make puzzles and grids by the thousand.

A state of the search is one integer of 729 bits: bit 9·cell + digit − 1, called a candidate, is 1 while the digit is
possible in the cell. Each of the 324 rules "exactly one of nine" is a base bit and nine fixed offsets, so a few shifts
count the possible candidates of all rules of one kind at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from unwritten.data import IntArray

_BOX = [9 * (9 * r + c) for r in range(3) for c in range(3)]
# For each kind of rule (cell, row, column, box): the offsets of its nine candidates, and the base bits of its 81 rules.
_KINDS = (
    (list(range(9)), [9 * cell for cell in range(81)]),
    ([9 * c for c in range(9)], [81 * r + v for r in range(9) for v in range(9)]),
    ([81 * r for r in range(9)], [9 * c + v for c in range(9) for v in range(9)]),
    (_BOX, [3 * box + v for box in _BOX for v in range(9)]),
)
_RULES = [[base + offset for offset in offsets] for offsets, bases in _KINDS for base in bases]
_MASKS = [sum(1 << candidate for candidate in rule) for rule in _RULES]
# For each kind of rule: the offsets, the base bits as one mask, and the mask of a rule with base bit 0.
_MASKS_OF_KINDS = [(offsets, sum(1 << b for b in bases), sum(1 << o for o in offsets)) for offsets, bases in _KINDS]
_FULL = (1 << 729) - 1


@cache
def _remaining() -> list[int]:
    """Return, for each candidate, the mask of the candidates that stay possible when it is chosen."""
    keep = [_FULL] * 729
    for rule, mask in zip(_RULES, _MASKS, strict=True):
        for candidate in rule:
            keep[candidate] &= ~(mask ^ (1 << candidate))
    return keep


def open_candidates(puzzle: IntArray) -> int:
    """Return the state in which the clues of a puzzle are chosen."""
    state, keep = _FULL, _remaining()
    for cell, digit in enumerate(puzzle.tolist()):
        if digit:
            state &= keep[9 * cell + digit - 1]
    return state


def completions(state: int, rng: np.random.Generator | None = None) -> Iterator[int]:
    """Yield every solution that a state leaves possible, depth first; `rng` makes their order random."""
    keep, stack = _remaining(), [(state, 0)]
    while stack:
        state, chosen, branch = _settle(*stack.pop(), rng)
        if state == 0:
            continue
        if state == chosen:
            yield state
            continue
        options = list(_bits(branch & state))
        if rng is not None:
            options = [options[k] for k in rng.permutation(len(options))]
        stack += [(state & keep[option], chosen) for option in options]


def _settle(state: int, chosen: int, rng: np.random.Generator | None) -> tuple[int, int, int]:
    """Choose every candidate that is the last one of some rule, until there is no such candidate.

    Returns the new state (0 if some rule has no candidate left), the chosen candidates, and the mask of an undecided
    rule to branch on: one with two candidates if possible.
    """
    keep = _remaining()
    while True:
        forced = branch = 0
        for offsets, bases, spread in _MASKS_OF_KINDS:
            one = two = three = 0  # base bits of the rules with at least one, two, three possible candidates
            for offset in offsets:
                bit = state >> offset & bases
                three |= two & bit
                two |= one & bit
                one |= bit
            if one != bases:
                return 0, 0, 0
            forced |= (one ^ two) * spread
            branch = branch or _pick(two ^ three, rng) * spread
        forced &= state & ~chosen
        if not forced:
            return state, chosen, branch or _narrowest(state)
        chosen |= forced
        for candidate in _bits(forced):
            state &= keep[candidate]


def _pick(mask: int, rng: np.random.Generator | None) -> int:
    """Return one bit of the mask (0 if it is empty): the lowest, or with `rng` the first at or above a random place."""
    if rng is not None and mask:
        start = int(729 * rng.random())
        mask = mask >> start << start or mask
    return mask & -mask


def _narrowest(state: int) -> int:
    """Return the mask of a rule with the fewest possible candidates, but at least two.

    A rule with one candidate is decided; the remainder modulo 10 puts it last.
    """
    return min(_MASKS, key=lambda mask: ((state & mask).bit_count() - 2) % 10)


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits that are 1, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def digits(state: int) -> list[int]:
    """Return the 81 digits of a solution."""
    return [bit % 9 + 1 for bit in _bits(state)]
