"""Groups that the layout of the columns shows, and what they say about the groups of the search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining.groups.believed_groups import block_evidence, evidence_beyond_blocks, family_evidence
from unwritten.mining.groups.block_families import BlockFamily, block_families
from unwritten.mining.miner import Context
from unwritten.rules import RuleSet
from unwritten.tally import Tally

TRIED = 4  # least number of layouts tried for each one that holds: side by side, in steps, and by names


@dataclass(frozen=True, eq=False)
class LaidOut:
    """The families that enough examples confirm, their blocks with enough evidence, and the price of a block."""

    families: tuple[BlockFamily, ...]
    blocks: tuple[IntArray, ...]
    price: float

    def priced(self, rules: RuleSet, margin: float) -> RuleSet:
        """The same rules; a block pays at most the price of naming a block among the layouts, not among all sets."""
        blocks = {block.tobytes() for block in self.blocks}
        evidence = [
            replace(e, price=self.price)
            if e is not None and e.nats < margin and np.flatnonzero(row).tobytes() in blocks
            else e
            for row, e in zip(rules.matrix, rules.evidence, strict=True)
        ]
        return replace(rules, evidence=tuple(evidence))

    def joined(self, rows: IntArray, tally: Tally, margin: float) -> IntArray:
        """The rows of groups with the blocks: a group that only lacks values which no example has becomes its block.

        A group that the blocks explain, such as a block with a rare column exchanged, is dropped.
        """
        never_one = tally.gram[-1, :-1] == 0
        block_rows = np.zeros((len(self.blocks), rows.shape[1]), np.int64)
        for row, block in zip(block_rows, self.blocks, strict=True):
            row[block], row[-1] = 1, -1
            lacks_values = ((rows[:, :-1] != row[:-1]) <= (never_one & (row[:-1] != 0))).all(axis=1)
            rows = rows[~lacks_values]
        for family in self.families:
            nats = [evidence_beyond_blocks(np.flatnonzero(row[:-1]), family.blocks, tally) for row in rows]
            rows = rows[np.array(nats) >= margin]
        return np.concatenate([rows, block_rows])


def laid_out_blocks(context: Context, excluded: BoolArray) -> LaidOut:
    """The blocks that the layout of the columns shows, and that enough examples confirm; none for wide labels."""
    tally = context.tally
    if tally.wide or tally.symmetry is not None:
        return LaidOut((), (), 0.0)
    families = block_families(tally, context.variables.names, excluded)
    price = log(max(1, TRIED * sum(len(family.blocks) for family in families)))
    strong = [family for family in families if family_evidence(family.blocks, tally) - price >= context.margin]
    blocks = [np.sort(block) for family in strong for block in family.blocks]
    believed = [block for block in blocks if block_evidence(block, tally) - price >= context.margin]
    return LaidOut(tuple(strong), tuple(believed), price)
