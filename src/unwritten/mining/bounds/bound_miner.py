"""Find bounds in labels alone: sums over scopes, differences, and integers that depend on 0/1 columns.

A bound leaves labels piled up at it, and none beyond (`evidence/tails.py`). Candidates come from the layout of the
variables (`scopes.py`); those of one form are believed together if together they have evidence enough. Labels that are
optimal for weights crowd at the edge anyway, so they are left to the miner `limits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.data.layout import Layout
from unwritten.mining.bounds.believed_bounds import Believed, believed
from unwritten.mining.bounds.bound_claims import Bound, Claim, Level
from unwritten.mining.bounds.exclusions import with_exclusions
from unwritten.mining.bounds.explained import without_explained_covers
from unwritten.mining.bounds.explained_parts import without_explained_parts
from unwritten.mining.bounds.fewest_columns import with_fewest_columns
from unwritten.mining.bounds.links import link_claims, linked_pairs
from unwritten.mining.bounds.ordered_gaps import open_gaps, without_ordered
from unwritten.mining.bounds.reduction import without_shortcuts
from unwritten.mining.bounds.telling_bounds import telling
from unwritten.mining.bounds.weigher import Weigher
from unwritten.mining.gate import row_keys
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.miner import Context, Mined
from unwritten.mining.near_columns import near_columns
from unwritten.mining.near_labels import near_labels
from unwritten.mining.row_families import RowFamily, different
from unwritten.mining.scopes import neighbour_pairs, part_families, slice_families
from unwritten.options import MinerName
from unwritten.rules import MINED, Evidence, RuleSet

TOO_MANY = (
    "limits were searched for only in the {rows:,} plainest sums, differences and links, because there are more than "
    f"{budgets.BOUND_SCOPES:,}: mine fewer columns at a time to search them all"
)


class BoundMiner:
    """Finds bounds on sums over scopes, on differences, and links of integers with 0/1 columns."""

    name: MinerName = "bounds"

    def supports(self, context: Context) -> bool:
        """True for labels without weights, unless a matroid says all there is to say.

        By default, tables and examples of which some may be wrong are left out too.
        """
        given = not context.options.automatic
        plain = context.examples.weights is None and not context.blocks and context.options.noise_rate == 0
        possible = context.tally.symmetry is None and context.mined.matroid is None and not context.tally.wide
        return possible and (given or plain)

    def run(self, context: Context) -> Mined:
        """Add the bounds that the rules so far do not imply; those that are not sure enough are doubtful."""
        part = _thinned(context)
        if part is context:
            return self._mined(replace(context, mined=with_exclusions(context)))
        mined = self._mined(part)
        earlier = set(row_keys(context.mined.rules + context.mined.doubtful))
        return replace(
            mined, rules=_held(mined.rules, earlier, context), doubtful=_held(mined.doubtful, earlier, context)
        )

    def _mined(self, context: Context) -> Mined:
        width = context.tally.seen.shape[1]
        binary, integers = _columns(context)
        layout = context.examples.variables.layout
        searches: tuple[tuple[Level, Iterator[RowFamily]], ...] = (
            ("slice", _sums(slice_families, layout, binary, integers, width)),
            ("part", _sums(part_families, layout, binary, integers, width)),
            ("difference", _pairs(layout, integers, width)),
        )
        independent, claims = IndependentSums.of(context), list[Claim]()
        near = near_labels(context, independent, open_gaps(context.mined.gaps))
        if not len(near):  # the rules so far leave nothing to say
            return context.mined
        searched, complete, skipped = 0, True, list[RowFamily]()
        for level, candidates in searches:
            fitting = _few_sums(candidates, len(context.tally.seen), skipped)
            families, all_of_them = _within_budget(fitting, budgets.BOUND_SCOPES - searched)
            rows = sum(map(len, families))
            weigher = Weigher(context.tally, independent, context.margin, rows, len(families), level)
            for family in families:
                context.effort.spend(len(family) * len(context.tally.seen))
                claims += weigher.claims(family)
            searched, complete = searched + rows, complete and all_of_them
        links = 4 * len(binary) * len(integers)
        if searched + links <= budgets.BOUND_SCOPES:
            weigher = Weigher(context.tally, independent, context.margin, links, links, "link")
            switches = np.flatnonzero(context.variables.binary[:width])
            claims += link_claims(weigher, integers, binary, linked_pairs(layout, integers, switches))
            searched += links
        else:
            complete = False
        believed_bounds = without_explained_parts(believed(claims, context), context, independent.block_members)
        gaps = without_ordered(context.mined.gaps, [bound for bound, _ in believed_bounds.sure], context.variables)
        if gaps != open_gaps(context.mined.gaps):
            near = near_labels(context, independent, gaps)
        part = replace(context, mined=replace(context.mined, gaps=gaps))
        mined = _with_bounds(part, believed_bounds, near, independent.block_members)
        return mined if complete and not skipped else mined.with_note(TOO_MANY.format(rows=searched))


def _held(rules: RuleSet, earlier: set[bytes], context: Context) -> RuleSet:
    """The rules of earlier miners, and those new bounds that all labels obey; the search saw only a sample."""
    broken = np.asarray(rules.broken(context.labels).any(axis=0)).tolist()
    return rules[np.array([key in earlier or not b for key, b in zip(row_keys(rules), broken, strict=True)], bool)]


def _thinned(context: Context) -> Context:
    """The context with a fair sample of its distinct labels, if they are very many."""
    seen = context.tally.seen
    most = max(1, budgets.BOUND_LABEL_ENTRIES // seen.shape[1])
    if len(seen) <= most:
        return context
    chosen = np.zeros(len(seen), bool)
    chosen[np.random.default_rng(0).permutation(len(seen))[:most]] = True
    return replace(context, tally=context.tally.only(chosen))


def _columns(context: Context) -> tuple[IntArray, IntArray]:
    """The 0/1 columns and the other ones, without constants, and without integers that are far from most others."""
    seen = context.tally.seen
    varies = seen.min(axis=0) < seen.max(axis=0)
    is_binary = context.variables.binary[: seen.shape[1]]
    integers = np.flatnonzero(varies & ~is_binary)
    return np.flatnonzero(varies & is_binary), integers[near_columns(seen[:, integers], budgets.BOUND_SPAN)]


def _sums(
    families: Callable[[Layout, BoolArray], Iterator[RowFamily]],
    layout: Layout,
    binary: IntArray,
    integers: IntArray,
    width: int,
) -> Iterator[RowFamily]:
    """The sums of 0/1 columns, and those of integers."""
    for columns in (binary, integers):
        inside = np.zeros(width, bool)
        inside[columns] = True
        yield from families(layout, inside)


def _pairs(layout: Layout, integers: IntArray, width: int) -> Iterator[RowFamily]:
    """Differences of neighbours, all differences, and the sums of two integers that are in no grid."""
    inside = np.zeros(width, bool)
    inside[integers] = True
    for first, second in neighbour_pairs(layout, inside):
        yield RowFamily.of_differences(first, second, width)
    one, other = (integers[places] for places in np.triu_indices(len(integers), 1))
    if len(one):
        yield RowFamily.of_differences(one, other, width, pooled=False)
    for grid in layout.grids:
        inside[grid.places[grid.places >= 0]] = False
    alone = inside[one] & inside[other]
    if alone.any():
        yield RowFamily.of_pairs(one[alone], other[alone], width)


def _few_sums(families: Iterator[RowFamily], labels: int, skipped: list[RowFamily]) -> Iterator[RowFamily]:
    """The families whose sums fit into memory; others are added to `skipped`."""
    for family in families:
        if family.pooled and len(family) * labels > 4 * budgets.BOUND_ENTRIES:
            skipped.append(family)
        else:
            yield family


def _within_budget(families: Iterator[RowFamily], most: int) -> tuple[list[RowFamily], bool]:
    """The first families that have at most so many rows together, and whether these are all."""
    affordable, rows = list[RowFamily](), 0
    for family in families:
        rows += len(family)
        if rows > most:
            return different(affordable), False
        affordable.append(family)
    return different(affordable), True


def _with_bounds(context: Context, bounds: Believed, near: IntArray, blocks: Sequence[IntArray]) -> Mined:
    """What was mined before, with the bounds that say anything new: sure ones as rules, others as doubtful ones."""
    sure, left = telling(without_shortcuts([bound for bound, _ in bounds.sure]), near)
    unsure, _ = telling(without_shortcuts([bound for bound, _ in bounds.unsure]), left)
    evidence = {id(bound): own for bound, own in (*bounds.sure, *bounds.unsure)}
    before = without_explained_covers(context, context.mined, sure)
    mined = before.with_rules(_rules(context, sure, evidence, blocks))
    return replace(mined, doubtful=mined.doubtful + _rules(context, unsure, evidence, blocks))


def _rules(context: Context, bounds: list[Bound], evidence: dict[int, Evidence], blocks: Sequence[IntArray]) -> RuleSet:
    rows = np.zeros((len(bounds), len(context.variables) + 1), np.int64)
    for row, bound in zip(rows, (with_fewest_columns(bound, blocks) for bound in bounds), strict=True):
        row[bound.columns], row[-1] = bound.values, -bound.most
    rules = RuleSet.of_rows(context.variables, rows, MINED, None, equality=False)
    return replace(rules, evidence=tuple(evidence[id(bound)] for bound in bounds))
