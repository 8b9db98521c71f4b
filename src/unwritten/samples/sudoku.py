"""Sudoku: random solved grids, puzzles with one solution, and their 0/1 labels.

A state of the search is one 729-bit integer: bit 9·cell + digit − 1 says that the digit is still open in the
cell. Each of the 324 rules "exactly one of nine" is a base bit and nine fixed offsets, so a few shifts count
the open candidates of all rules of one kind at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import isqrt

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError

HARD = (
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",  # 17 clues, Royle's list
    "000000012000000003002300400001800005060070800000009000008500000900040500470006000",  # Platinum Blonde
    "000000039000001005003050800008090006070002000100400000009080050020000600400700000",  # Golden Nugget
    "100000002090400050006000700050903000000070000000850040700000600030009080002000001",  # Easter Monster
    "800000000003600000070090200050007000000045700000100030001000068008500010090000400",  # Inkala 2012
    "100007090030020008009600500005300900010080002600004000300000010040000007007000300",  # AI Escargot
)

SWITCHES = 12  # of chains of two digits, between one large grid and the next

_BOX = [9 * (9 * r + c) for r in range(3) for c in range(3)]
# For each kind of rule (cell, row, column, box): the offsets of its nine candidates, and its 81 base bits.
_KINDS = (
    (list(range(9)), [9 * cell for cell in range(81)]),
    ([9 * c for c in range(9)], [81 * r + v for r in range(9) for v in range(9)]),
    ([81 * r for r in range(9)], [9 * c + v for c in range(9) for v in range(9)]),
    (_BOX, [3 * box + v for box in _BOX for v in range(9)]),
)
_RULES = [[base + offset for offset in offsets] for offsets, bases in _KINDS for base in bases]
_MASKS = [sum(1 << candidate for candidate in rule) for rule in _RULES]
_FAST = [(offsets, sum(1 << b for b in bases), sum(1 << o for o in offsets)) for offsets, bases in _KINDS]
_FULL = (1 << 729) - 1


def grids(n: int, seed: int) -> IntArray:
    """`n` random solved grids (n × 81, digits 1–9), each from its own randomised search.

    >>> grids(2, seed=0).shape
    (2, 81)
    """
    rng = np.random.default_rng(seed)
    out = np.empty((n, 81), np.int64)
    for i in range(n):
        start = np.zeros(81, np.int64)
        for box in (0, 30, 60):  # the diagonal boxes do not touch, so any filling of them can be completed
            start[[box + cell // 9 for cell in _BOX]] = rng.permutation(9) + 1
        out[i] = _grid(next(_search(_open(start), rng)))
    return out


def large_grids(n: int, seed: int, box: int = 4) -> IntArray:
    """`n` solved grids of side box² (n × side²): a walk that shuffles each, then switches chains of two digits.

    Rows of a band, bands, columns likewise and digits are put in random order, and where two digits' cells fall into
    parts that share no row, column or box, some of the parts are swapped: what is left is always a solved grid.

    >>> large_grids(2, seed=0).shape
    (2, 256)
    """
    rng, side = np.random.default_rng(seed), box * box
    row, column = np.divmod(np.arange(side * side).reshape(side, side), side)
    grid = (box * (row % box) + row // box + column) % side + 1
    boxes = box * (row // box) + column // box
    out = np.empty((n, side * side), np.int64)
    for i in range(n):
        rows, columns = (rng.permuted(np.arange(side).reshape(box, box), axis=1) for _ in range(2))
        grid = grid[rows[rng.permutation(box)].ravel()][:, columns[rng.permutation(box)].ravel()]
        grid = (rng.permutation(side) + 1)[grid - 1]
        if rng.random() < 0.5:
            grid = grid.T.copy()
        for _ in range(SWITCHES):
            _switch(grid, boxes, rng)
        out[i] = grid.ravel()
    return out


def _switch(grid: IntArray, boxes: IntArray, rng: np.random.Generator) -> None:
    """Swap two random digits in some of the parts that their cells fall into."""
    side = len(grid)
    first, second = rng.permutation(side)[:2] + 1
    cells = np.argwhere((grid == first) | (grid == second))
    keys = [cells[:, 0], side + cells[:, 1], 2 * side + boxes[cells[:, 0], cells[:, 1]]]
    places: dict[int, list[int]] = {}
    for key in keys:
        for cell, place in enumerate(key.tolist()):
            places.setdefault(place, []).append(cell)
    part = np.full(len(cells), -1)
    for start in range(len(cells)):
        waiting = [start] if part[start] < 0 else []
        while waiting:
            cell = waiting.pop()
            if part[cell] < 0:
                part[cell] = start
                waiting += [other for key in keys for other in places[int(key[cell])]]
    swapped = cells[np.isin(part, [k for k in np.unique(part) if rng.random() < 0.5])]
    at = swapped[:, 0], swapped[:, 1]
    grid[at] = first + second - grid[at]


def one_hot(grids: IntArray) -> IntArray:
    """Labels (n × 729) in the order 9·cell + digit − 1; a blank cell is nine zeros. (Likewise for larger grids.)"""
    side = isqrt(grids.shape[1])
    labels: IntArray = np.equal(grids[:, :, None], np.arange(1, side + 1)).astype(np.int64)
    return labels.reshape(len(grids), side**3)


def from_one_hot(labels: IntArray) -> IntArray:
    """Grids (n × 81); a cell without exactly one digit is 0."""
    cells = labels.reshape(-1, 81, 9)
    single = ((cells == 1).sum(axis=2) == 1) & ((cells != 0).sum(axis=2) == 1)
    return np.where(single, cells.argmax(axis=2) + 1, 0).astype(np.int64)


def names(side: int = 9) -> list[str]:
    """Names of the 729 variables, such as "r1c1=5"."""
    numbers = range(1, side + 1)
    return [f"r{r}c{c}={v}" for r in numbers for c in numbers for v in numbers]


def clues_to_weights(puzzles: IntArray) -> FloatArray:
    """Weights (n × 729): 1 for each given clue, 0 elsewhere."""
    return one_hot(puzzles).astype(np.float64)


def true_rules(side: int = 9) -> IntArray:
    """The 324 rules (cells, rows, columns, boxes) as 0/1 rows over 729 variables, each with right-hand side 1."""
    box = isqrt(side)
    place = np.arange(side**3).reshape(side, side, side)
    kinds = (place, place.transpose(0, 2, 1), place.transpose(1, 2, 0))
    squares = place.reshape(box, box, box, box, side).transpose(0, 2, 4, 1, 3)
    rows = np.zeros((4 * side * side, side**3), np.int64)
    np.put_along_axis(rows, np.concatenate([kind.reshape(-1, side) for kind in (*kinds, squares)]), 1, axis=1)
    return rows


def parse(text: str) -> IntArray:
    """The 81 digits of a puzzle in the usual one-line form; 0 or . is blank."""
    if len(text) != 81 or not set(text) <= set("0123456789."):
        raise DataError(f"{text!r} is not a puzzle: give 81 characters, digits with 0 or . for blanks")
    return np.array([int(c) for c in text.replace(".", "0")], np.int64)


def solutions(puzzle: IntArray, limit: int = 2) -> IntArray:
    """Up to `limit` solutions of a puzzle (k × 81)."""
    found = [_grid(state) for state, _ in zip(_search(_open(puzzle)), range(limit), strict=False)]
    return np.array(found, np.int64).reshape(-1, 81)


def puzzle(grid: IntArray, rng: np.random.Generator) -> IntArray:
    """A minimal puzzle: `grid` with clues removed in random order while the solution stays the only one."""
    clues = np.array(grid, np.int64)
    for cell in rng.permutation(81):
        digit, clues[cell] = clues[cell], 0
        other = _open(clues) & ~(1 << int(9 * cell + digit - 1))
        if next(_search(other), None) is not None:
            clues[cell] = digit
    return clues


def draw(puzzle: IntArray, solution: IntArray | None = None) -> str:
    """The grid as text with box lines; clues are bare digits, filled cells carry a dot before them.

    >>> print(draw(parse(HARD[4])).splitlines()[1])
    |  8  .  . |  .  .  . |  .  .  . |
    """
    filled = np.zeros(81, np.int64) if solution is None else solution
    cells = [f"{c:>3}" if c else f" .{f}" if f else "  ." for c, f in zip(puzzle, filled, strict=True)]
    rule = "+" + "+".join(["-" * 10] * 3) + "+"
    lines = [rule]
    for r in range(9):
        row = cells[9 * r : 9 * r + 9]
        lines.append("|" + "|".join("".join(row[k : k + 3]) + " " for k in (0, 3, 6)) + "|")
        if r % 3 == 2:
            lines.append(rule)
    return "\n".join(lines)


@cache
def _keeps() -> list[int]:
    """For each candidate: all that stays open when it is chosen."""
    keep = [_FULL] * 729
    for rule, mask in zip(_RULES, _MASKS, strict=True):
        for candidate in rule:
            keep[candidate] &= ~(mask ^ (1 << candidate))
    return keep


def _open(puzzle: IntArray) -> int:
    """The state with the clues chosen."""
    state, keep = _FULL, _keeps()
    for cell, digit in enumerate(puzzle.tolist()):
        if digit:
            state &= keep[9 * cell + digit - 1]
    return state


def _search(state: int, rng: np.random.Generator | None = None) -> Iterator[int]:
    """Every solution below `state`, depth first: choose what is forced, then branch on a rule with few candidates."""
    keep, stack = _keeps(), [(state, 0)]
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
    """Choose all candidates that are the last of some rule, until none is left or a rule has none (state 0).

    Also returns the mask of an undecided rule to branch on, one with two candidates where there is any.
    """
    keep = _keeps()
    while True:
        forced = branch = 0
        for offsets, bases, spread in _FAST:
            one = two = three = 0  # base bits of the rules with at least so many open candidates
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
    """One bit of the mask (0 if it is empty): the lowest, or with `rng` the next one above a random place."""
    if rng is not None and mask:
        start = int(729 * rng.random())
        mask = mask >> start << start or mask
    return mask & -mask


def _narrowest(state: int) -> int:
    """The mask of a rule with fewest, but at least two, open candidates (one wraps round to last)."""
    return min(_MASKS, key=lambda mask: ((state & mask).bit_count() - 2) % 10)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _grid(state: int) -> list[int]:
    return [bit % 9 + 1 for bit in _bits(state)]
