"""The miner of exactly-one groups: search on some labels, verify on all, keep what chance does not explain."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.evidence import chance
from unwritten.mining.groups.alike import shared_out
from unwritten.mining.groups.believed_groups import completed, group_evidence, without_near_copies
from unwritten.mining.groups.block_families import holds
from unwritten.mining.groups.exact_cover import partitions
from unwritten.mining.groups.laid_out import laid_out_blocks
from unwritten.mining.groups.local_cover import local_partitions
from unwritten.mining.miner import Context, Mined
from unwritten.options import MinerName
from unwritten.rules.exactly_one import in_exactly_one_rule
from unwritten.tally import Tally
from unwritten.tally.equal_columns import first_equal_columns

CUT_SHORT = (
    "the search for exactly-one groups reached its limit of work, so some groups may be missing: mine fewer columns at "
    "a time to find them"
)


class GroupMiner:
    """Finds "exactly one of S" among the 0/1 columns, from few examples."""

    name: MinerName = "groups"

    def supports(self, context: Context) -> bool:
        """Always true: labels without 0/1 columns have no groups."""
        return True

    def run(self, context: Context) -> Mined:
        """Add the groups with enough evidence; a group that follows from the others is listed in `Mined.groups` only.

        If the search was cut short, only some of the groups are known. Then an independent subset of them is kept,
        and shortened.
        """
        in_known_group = in_exactly_one_rule(context.known)[: context.tally.seen.shape[1]]
        if context.grid_cells is not None:
            in_known_group = in_known_group & ~context.grid_cells
        groups = find_groups(context.tally, in_known_group, margin=context.margin)
        laid_out = laid_out_blocks(context, in_known_group)
        joined = laid_out.joined(groups.rows, context.tally, context.margin)
        rows = linalg.canonical(shared_out(joined, laid_out.blocks, context.tally))
        if not groups.complete:
            rows = linalg.pair_reduced(rows[linalg.independent(rows)], norm_columns=rows.shape[1] - 1)
        rules = laid_out.priced(context.scored(rows), context.margin)
        mined = context.mined.with_rules(context.not_implied(rules))
        mined = replace(mined, groups=rules, groups_complete=groups.complete)
        return mined if groups.complete else mined.with_note(CUT_SHORT)


@dataclass(frozen=True, eq=False)
class FoundGroups:
    """Rows `[a, −1]` over [y, 1]; not `complete` if the budget cut the search short."""

    rows: IntArray
    complete: bool


def find_groups(
    tally: Tally, excluded: BoolArray, *, margin: float = chance.MARGIN, work: int | None = None
) -> FoundGroups:
    """The exactly-one groups of at least two columns whose evidence is at least `margin` nats.

    Excluded columns, and columns that equal an earlier one, are left out. The search runs on a sample of the distinct
    labels. Each group that it finds is verified on all examples through the Gram matrix: the counts of the members add
    up to n, and no two members are 1 together.

    Parameters
    ----------
    excluded
        True for the columns to leave out.
    work
        Nodes times columns of the search; `budgets.GROUP_WORK` by default.
    """
    counts = tally.gram[-1, :-1]
    binary = (np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0) & ~excluded
    varying = np.flatnonzero(binary & (counts > 0) & (counts < tally.n))
    varying = varying[first_equal_columns(tally.gram, varying) == np.arange(len(varying))]
    wide = len(varying) > budgets.WIDE_COLUMNS and tally.symmetry is None
    if wide:
        sets, complete = local_partitions(tally.gram, tally.seen, varying, budgets.GROUPS_SEARCHED)
    else:
        sets, complete = _partitions_of_sample(tally, varying, budgets.GROUP_WORK if work is None else work)
    groups = [s for s in sets if len(s) > 1 and holds(s, tally) and group_evidence(s, tally) >= margin]
    if not complete:  # as in a deep hierarchy, which has too many groups to list: keep the smallest
        groups = sorted(groups, key=len)[: None if wide else budgets.GROUPS_KEPT]
    groups = without_near_copies(groups, tally, margin)
    groups = completed(groups, never_one=np.flatnonzero(binary & (counts == 0)))
    rows = np.zeros((len(groups), len(counts) + 1), np.int64)
    for row, members in zip(rows, groups, strict=True):
        row[members], row[-1] = 1, -1
    return FoundGroups(rows, complete)


def _partitions_of_sample(tally: Tally, varying: IntArray, work: int) -> tuple[list[IntArray], bool]:
    """The groups that hold on a sample of the labels or of their images, and whether all such groups were found."""
    sample = _sample(tally.seen, varying) if tally.symmetry is None else tally.symmetry.sample
    sets, complete = partitions(sample[:, varying] == 1, work // max(1, len(varying)), budgets.GROUPS_SEARCHED)
    return [varying[members] for members in sets], complete


def _sample(seen: IntArray, columns: IntArray) -> IntArray:
    """Random labels, and one more for each column that is 1 in none of them: otherwise its groups would be missed."""
    order = np.random.default_rng(0).permutation(len(seen))
    chosen, rest = order[: budgets.GROUP_SAMPLE], order[budgets.GROUP_SAMPLE :]
    missing = columns[~seen[np.ix_(chosen, columns)].any(axis=0)]
    added = [rest[int(seen[rest, j].argmax())] for j in missing]
    return np.asarray(seen[np.unique(np.concatenate([chosen, np.array(added, np.int64)]))])
