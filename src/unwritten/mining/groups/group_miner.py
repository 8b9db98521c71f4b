"""The miner of exactly-one groups."""

from __future__ import annotations

from dataclasses import replace

from unwritten import linalg
from unwritten.mining.groups.group_finder import find_groups
from unwritten.mining.miner import Context, Mined
from unwritten.options import MinerName
from unwritten.rules.exactly_one import in_exactly_one_rule

CUT_SHORT = "the search for exactly-one groups was cut short by its budget: there may be more of them"


class GroupMiner:
    """Finds "exactly one of S" among the 0/1 columns, from few examples."""

    name: MinerName = "groups"

    def supports(self, context: Context) -> bool:
        """Always: labels without 0/1 columns simply have no groups."""
        return True

    def run(self, context: Context) -> Mined:
        """All groups that stand out; those that follow from others are kept apart from the rules.

        If the search was cut short, the groups found are an arbitrary few of many. Then an independent subset of them
        is kept, and shortened.
        """
        in_known_group = in_exactly_one_rule(context.known)[: context.tally.seen.shape[1]]
        if context.grid_cells is not None:
            in_known_group = in_known_group & ~context.grid_cells
        groups = find_groups(context.tally, in_known_group, margin=context.margin)
        rows = linalg.canonical(groups.rows)
        if not groups.complete:
            rows = linalg.pair_reduced(rows[linalg.independent(rows)], norm_columns=rows.shape[1] - 1)
        every = context.scored(rows)
        mined = context.mined.with_rules(context.not_implied(every))
        mined = replace(mined, groups=every, groups_complete=groups.complete)
        return mined if groups.complete else mined.with_note(CUT_SHORT)
