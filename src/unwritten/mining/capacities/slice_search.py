"""Search for rows on the slices of grids first, then on all columns, as long as labels vary less than luck explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.data.layout import Layout
from unwritten.mining.capacities.likely_rows import LikelyRows
from unwritten.mining.pseudo_labels import Law
from unwritten.mining.scopes import slice_families

LEAST_COLUMNS = 3  # rows on two columns are pairs, differences and links, which other miners find
LEAST_BINARY = 9
"""0/1 columns of one row: fewer have at most 256 patterns, and other miners see which of them are missing."""
MOST_SLICES_WITHOUT = 0.5  # share of the slices of one form that may have no row, if there is to be any


def likely_rows(law: Law, layout: Layout, amounts: BoolArray, binary: BoolArray, trials: float) -> LikelyRows:
    """Rows on the columns `amounts` that make the labels likely; walks have moved them to typical ones.

    Rows on all columns are about 0/1 columns only. Integers may be numbers of machines, whose order means nothing; if
    rows on all slices of one form are alike, they are amounts.
    """
    drawn = np.zeros(law.seen.shape[1], bool)
    for unit in law.units:
        drawn[unit.columns] = True
    drawn &= amounts & (law.seen.min(axis=0) < law.seen.max(axis=0))
    forms, everything = list(_forms(layout, drawn, binary)), np.flatnonzero(drawn & binary)
    fits = LEAST_BINARY <= len(everything) <= budgets.CAPACITY_COLUMNS
    if not forms and not fits:
        return LikelyRows(law, law.seen[:0], trials)
    likely = LikelyRows.none(law, trials)
    for scopes in forms:
        likely = _with_form(likely, scopes)
    likely = _with_rows_on(likely, everything) if fits else likely
    if not likely.rows:
        return likely
    likely = likely.walked(1, budgets.CAPACITY_STEPS // 6)
    likely = replace(likely, law=replace(likely.law, most=budgets.CAPACITY_LAST_PSEUDO_LABELS))
    return likely.walked(1, budgets.CAPACITY_STEPS // 6).walked(1, budgets.CAPACITY_STEPS)


def _forms(layout: Layout, columns: BoolArray, binary: BoolArray) -> Iterator[list[IntArray]]:
    """Slices of one form each, if there are not too many, and they are not too wide."""
    for family in slice_families(layout, columns):
        scopes = [np.sort(family.row(k)[0]) for k in range(len(family))]
        widths = [len(scope) for scope in scopes]
        least = LEAST_BINARY if all(binary[scope].all() for scope in scopes) else LEAST_COLUMNS
        fits = min(widths) >= least and max(widths) <= budgets.CAPACITY_COLUMNS
        if 1 < len(scopes) <= budgets.CAPACITY_SLICES and fits:
            yield scopes


def _with_form(likely: LikelyRows, scopes: Sequence[IntArray]) -> LikelyRows:
    """The rows, and one for each slice of a form, if enough slices have one."""
    tried = likely.with_directions(scopes)
    enough = len(likely.rows) + (1 - MOST_SLICES_WITHOUT) * len(scopes)
    if len(tried.rows) < max(enough, len(likely.rows) + 1):
        return likely
    tried = tried.walked(2, budgets.CAPACITY_STEPS // 12).paid()
    return tried if len(tried.rows) >= enough else likely


def _with_rows_on(likely: LikelyRows, columns: IntArray) -> LikelyRows:
    """The rows, and more of them on these columns, as long as any is worth its price."""
    for _ in range(budgets.CAPACITY_ROWS):
        attempts = islice(_attempts(likely, columns), budgets.CAPACITY_ATTEMPTS)
        more = next((each for each in attempts if len(each.rows) > len(likely.rows)), None)
        if more is None:
            break
        likely = more.walked(2, budgets.CAPACITY_STEPS // 6)
    return likely


def _attempts(likely: LikelyRows, columns: IntArray) -> Iterator[LikelyRows]:
    """Another row, or one of the rows split in two; nothing if labels vary as much as by luck."""
    tried = likely.with_directions([columns])
    if len(tried.rows) == len(likely.rows):
        return
    yield tried.walked(2, budgets.CAPACITY_STEPS // 12).paid()
    for split in likely.splits(columns):
        yield split.walked(2, budgets.CAPACITY_STEPS // 12).paid()
