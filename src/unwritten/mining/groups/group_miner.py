"""The miner of exactly-one groups."""

from __future__ import annotations

from dataclasses import replace

from unwritten import linalg
from unwritten.mining.groups.group_finder import find_groups
from unwritten.mining.miner import Context, Mined
from unwritten.options import MinerName
from unwritten.rules.exactly_one import in_exactly_one_rule

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
        rows = linalg.canonical(groups.rows)
        if not groups.complete:
            rows = linalg.pair_reduced(rows[linalg.independent(rows)], norm_columns=rows.shape[1] - 1)
        rules = context.scored(rows)
        mined = context.mined.with_rules(context.not_implied(rules))
        mined = replace(mined, groups=rules, groups_complete=groups.complete)
        return mined if groups.complete else mined.with_note(CUT_SHORT)
