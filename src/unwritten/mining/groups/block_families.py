"""Families of blocks: columns that are laid out as a choice of one value for each of several cells.

In one-hot labels, the variables of a cell stand side by side, or in every so many columns, or have names that differ in
one number ("cell3=7"). There are few such layouts. If all blocks of one have exactly one 1 in every label, that needs
far fewer examples to be believed than a group that is chosen among all sets of columns. A value that no example has
still belongs to its cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.tally import Tally

NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, eq=False)
class BlockFamily:
    """Disjoint blocks of columns with exactly one 1 each, and the number that each column of a block stands for.

    The blocks are `alike` if they are cells of one layout, whose numbers can be added up.
    """

    blocks: tuple[IntArray, ...]
    numbers: tuple[IntArray, ...]
    alike: bool = True

    @classmethod
    def named(cls, blocks: Sequence[IntArray], names: Sequence[str]) -> BlockFamily:
        """The family of given blocks, with the numbers that their names differ in, or else 0, 1, 2 and so on."""
        return cls(tuple(blocks), tuple(_numbers([names[j] for j in block]) for block in blocks), alike=False)


def block_families(tally: Tally, names: Sequence[str], excluded: BoolArray) -> list[BlockFamily]:
    """The families of at least two blocks that hold in all labels, each with all columns of one pattern of names.

    Excluded columns, and columns with other values than 0 and 1, are left out.
    """
    counts = tally.gram[-1, :-1]
    binary = (np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0) & ~excluded
    patterns: dict[str, list[int]] = {}
    for j in np.flatnonzero(binary).tolist():
        patterns.setdefault(NUMBER.sub("#", names[j]), []).append(j)
    families: list[BlockFamily] = []
    for columns in map(np.array, patterns.values()):
        ones = _ones(columns, tally)
        if ones < 2 or len(columns) < 2 * ones:
            continue
        known: set[bytes] = set()
        for family in chain(_by_names(columns, ones, names), _by_place(columns, ones)):
            key = np.concatenate(family.blocks).tobytes()
            if key not in known and all(holds(block, tally) for block in family.blocks):
                known.add(key)
                families.append(family)
    return families


def holds(members: IntArray, tally: Tally) -> bool:
    """True if every example has exactly one of the members."""
    block = tally.gram[np.ix_(members, members)]
    return int(np.trace(block)) == tally.n == int(block.sum())


def follows_numbers(coefficients: IntArray, families: Sequence[BlockFamily]) -> BoolArray:
    """Which rows are about the numbers of the blocks of one of the families, and so about values no example has, too.

    In each block, the coefficients of such a row are a multiple of the numbers plus a constant: all columns of a block
    in "exactly one of", and the digits of a cell in a sum. A value that no example has is then not missing from it.
    """
    follows = np.zeros(len(coefficients), bool)
    for family in families:
        outside = np.ones(coefficients.shape[1], bool)
        outside[np.concatenate(family.blocks)] = False
        fits = ~coefficients[:, outside].any(axis=1)
        for block, numbers in zip(family.blocks, family.numbers, strict=True):
            part, rise = coefficients[:, block], numbers - numbers[0]
            k = int(np.abs(rise).argmax())  # the row rises by the same multiple of the numbers everywhere
            fits &= ((part - part[:, :1]) * rise[k] == (part[:, k] - part[:, 0])[:, None] * rise).all(axis=1)
        follows |= fits
    return follows


def _ones(columns: IntArray, tally: Tally) -> int:
    """How many of the columns are 1 in every label; 0 if that is not the same in all labels."""
    total, squares = int(tally.gram[-1, columns].sum()), int(tally.gram[np.ix_(columns, columns)].sum())
    return total // tally.n if tally.n * squares == total * total else 0


def _by_names(columns: IntArray, ones: int, names: Sequence[str]) -> list[BlockFamily]:
    """One family for each number in the names: a block has the columns whose names differ in this number only."""
    numbers = np.array([[int(digits) for digits in NUMBER.findall(names[j])[:8]] for j in columns.tolist()], object)
    families = []
    for place in range(numbers.shape[1]):
        blocks: dict[tuple[int, ...], list[int]] = {}
        for k, row in enumerate(np.delete(numbers, place, axis=1).tolist()):
            blocks.setdefault(tuple(row), []).append(k)
        members = [np.array(block) for block in blocks.values()]
        if len(members) == ones and min(map(len, members)) > 1:
            values = [_small(numbers[block, place].tolist()) for block in members]
            families.append(BlockFamily(tuple(columns[block] for block in members), tuple(values)))
    return families


def _by_place(columns: IntArray, ones: int) -> list[BlockFamily]:
    """The two families of equal blocks: of columns side by side, and of every so many columns."""
    if len(columns) % ones:
        return []
    values = tuple(np.arange(len(columns) // ones) for _ in range(ones))
    return [
        BlockFamily(tuple(columns.reshape(ones, -1)), values),
        BlockFamily(tuple(columns.reshape(-1, ones).T), values),
    ]


def _numbers(names: Sequence[str]) -> IntArray:
    """The one number in which names differ, or the places of the names if they differ in other ways."""
    numbers = [[int(digits) for digits in NUMBER.findall(name)[:8]] for name in names]
    if len({NUMBER.sub("#", name) for name in names}) == 1:
        varying = [values for values in zip(*numbers, strict=True) if len(set(values)) > 1]
        if len(varying) == 1 and len(set(varying[0])) == len(names):
            return _small(varying[0])
    return np.arange(len(names))


def _small(numbers: Sequence[int]) -> IntArray:
    """The numbers as an array; less the least of them if they are large."""
    least = min(numbers)
    shifted = [number - least for number in numbers] if max(numbers) > 1_000 else list(numbers)
    return np.array(shifted, np.int64) if max(shifted) <= 1_000_000 else np.arange(len(shifted))
