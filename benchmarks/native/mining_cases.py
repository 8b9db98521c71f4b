"""Cases of the searches and counts of mining. A measure is timed through functions that every version has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from measure import Measure

from unwritten import budgets
from unwritten.mining.groups.exact_cover import partitions
from unwritten.mining.matroids.matroid import Matroid
from unwritten.mining.sets.covers import covers
from unwritten.mining.sets.ranks import rank_rules
from unwritten.samples import sudoku, trees
from unwritten.tally.wide_gram import gram_of_wide


def group_search(quick: bool) -> dict[str, Measure]:
    """The exact-cover search on as many grids as the miner of groups samples."""

    def on(labels: np.ndarray) -> Measure:
        nodes = budgets.GROUP_WORK // labels.shape[1]
        ones = labels == 1

        def run(_: int) -> list[object]:
            sets, complete = partitions(ones, nodes, budgets.GROUPS_SEARCHED)
            return [complete, *sets]

        return Measure(1, "search", run)

    measures = {"groups, 9×9 Sudoku": on(sudoku.one_hot(sudoku.grids(20 if quick else 192, seed=0)))}
    if not quick:
        measures["groups, 16×16 Sudoku"] = on(sudoku.one_hot(sudoku.large_grids(192, seed=0)))
    return measures


def set_search(quick: bool) -> dict[str, Measure]:
    """The searches for covers and ranks on spanning trees."""
    measures: dict[str, Measure] = {}
    for nodes in (5,) if quick else (7, 10, 15):
        labels = trees.sample(nodes, 1_000, seed=0)[1]
        measures[f"covers, trees of {nodes} nodes"] = Measure(1, "search", lambda _, labels=labels: [covers(labels)])
        measures[f"ranks, trees of {nodes} nodes"] = Measure(1, "search", lambda _, labels=labels: rank_rules(labels))
    return measures


def greedy(quick: bool) -> dict[str, Measure]:
    """The best basis of a matroid of spanning trees, for many queries."""
    measures: dict[str, Measure] = {}
    for nodes in (5,) if quick else (7, 15, 30):
        ends = np.array(trees.edges(nodes))
        stars = np.array([(ends == node).any(axis=1) for node in range(nodes - 1)]).astype(np.int64)
        weights = np.random.default_rng(0).uniform(-1, 1, (100 if quick else 10_000, len(ends)))
        matroid = Matroid(stars, nodes - 1)
        measures[f"matroid greedy, {nodes} nodes"] = Measure(
            len(weights), "query", lambda count, matroid=matroid, weights=weights: [matroid.greedy(weights[:count])]
        )
    return measures


def bit_counts(quick: bool) -> dict[str, Measure]:
    """The Gram matrix of wide labels, counted on bits."""
    measures: dict[str, Measure] = {}
    for width in (200,) if quick else (1_000, 3_000):
        labels = np.random.default_rng(0).random((20 * 64, width)) < 0.4
        measures[f"bit counts, {width:,} columns"] = Measure(
            1, "count", lambda _, labels=labels: [gram_of_wide(labels.astype(np.int8)).sum(axis=0)]
        )
    return measures


MINING: dict[str, Callable[[bool], dict[str, Measure]]] = {
    "group-search": group_search,
    "set-search": set_search,
    "greedy": greedy,
    "bit-counts": bit_counts,
}
