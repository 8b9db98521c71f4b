"""Compiled kernels. Arrays must have the stated type and be contiguous: nothing is converted."""

from collections.abc import Callable

import numpy
from numpy.typing import NDArray

def common_counts(supports: NDArray[numpy.uint64]) -> NDArray[numpy.int32]:
    """For each pair of rows of words, the number of bits that are 1 in both."""

def exact_covers(
    supports: NDArray[numpy.uint64], examples: int, nodes: int, most: int
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], bool]:
    """
    Sets of columns with exactly one column in each example, and whether all such sets were found.

    The first array lists the members, set after set; the second, where each set starts and the last ends.
    """

def maximal_cliques(
    neighbours: NDArray[numpy.uint64], sizes: NDArray[numpy.int64], total: int, nodes: int
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
    """
    The maximal cliques of columns whose sizes add up to `total` that a search of `nodes` nodes finds.

    The first array lists the members, clique after clique; the second, where each starts and the last ends.
    """

def find_covers(
    labels: NDArray[numpy.bool_],
    pairs: NDArray[numpy.int64],
    largest: int,
    swaps: int,
    patience: int,
    most: int,
    work: int,
    seed: int,
) -> NDArray[numpy.uint8]:
    """Minimal sets of at most `largest` columns that hit every label, as rows of 0 and 1."""

def rank_table(masks: NDArray[numpy.int64], width: int) -> tuple[NDArray[numpy.int8], NDArray[numpy.int8]]:
    """For each of the 2^width sets of columns: the most ones that a label has in it, and its size."""

def spread(above: NDArray[numpy.int8], below: NDArray[numpy.int8]) -> None:
    """Pass the least entry of `above` down to all subsets, and the greatest entry of `below` up to all supersets."""

def grow_sets(
    labels: NDArray[numpy.bool_], pairs: NDArray[numpy.int64], allowed: NDArray[numpy.int64], most: int, work: int
) -> NDArray[numpy.uint8]:
    """Sets grown from pairs whose rank is about to rise and is at most allowed[size], as rows of 0 and 1."""

def walked_rows(
    start: NDArray[numpy.int32],
    inside: NDArray[numpy.uint8],
    outside: NDArray[numpy.uint8],
    which: NDArray[numpy.int32],
    changes: NDArray[numpy.int32],
    factors: NDArray[numpy.float64],
    every: int,
) -> NDArray[numpy.int64]:
    """
    Walk over rows [a, b] that all inside labels obey, and keep one after every `every` steps.

    Step k changes the coefficients which[k] by changes[k], if the number of outside labels that obey the row
    grows at most by factors[k]. Labels are given by column.
    """

def redrawn_labels(
    labels: NDArray[numpy.int64],
    columns: NDArray[numpy.int64],
    starts: NDArray[numpy.int64],
    ends: NDArray[numpy.int64],
    places: NDArray[numpy.int64],
    values: NDArray[numpy.int64],
    rows: NDArray[numpy.int64],
    low: NDArray[numpy.int64],
    high: NDArray[numpy.int64],
    sweeps: int,
    seed: int,
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
    """
    Draw every unit of every label anew, `sweeps` times, where no row's sum comes to lie from low to high.

    Unit k has the columns columns[starts[k]:starts[k + 1]]; its values are given row by row, and `ends` has a
    rising number up to 2^30 for each of them, those of unit k from places[k] on. Returns the labels, and how many
    have each value of each unit.
    """

def take(codes: NDArray[numpy.uint64], order: NDArray[numpy.int64], most: int) -> NDArray[numpy.int64]:
    """
    For each row of column numbers (−1 ends it), take up to `most` columns that raise the rank over GF(2).

    The result is 1 for the columns taken.
    """

def least_rank(codes: NDArray[numpy.uint64], order: NDArray[numpy.int64], enough: int) -> int:
    """`enough` if the columns of every row have this rank over GF(2), else the rank of the first that falls short."""

def prime_rank(rows: NDArray[numpy.int64]) -> int:
    """The rank modulo the prime 2³¹ − 1."""

def row_values(weights: NDArray[numpy.float64], labels: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
    """w · y for every row of weights and the same row of labels, or the only one, added from the first column on."""

def reach_values(weights: NDArray[numpy.float64], reach: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
    """|w| · reach for every row, added from the first column on."""

def box_values(
    weights: NDArray[numpy.float64], lower: NDArray[numpy.int64], upper: NDArray[numpy.int64]
) -> NDArray[numpy.float64]:
    """The largest w · y within the bounds for every row, added from the first column on."""

def labels_within(
    labels: tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]],
    weights: NDArray[numpy.float64],
    limits: NDArray[numpy.float64],
) -> NDArray[numpy.uint8]:
    """1 for each label with weights · y ≤ limits in every row, else 0."""

def labels_obeying(
    labels: NDArray[numpy.int64],
    starts: NDArray[numpy.int64],
    columns: NDArray[numpy.int32],
    coefficients: NDArray[numpy.int64],
    rhs: NDArray[numpy.int64],
    equality: NDArray[numpy.uint8],
) -> NDArray[numpy.uint8]:
    """1 for each label that obeys every rule, else 0."""

def matched_marginals(
    probabilities: NDArray[numpy.float64],
    starts: NDArray[numpy.int64],
    columns: NDArray[numpy.int32],
    coefficients: NDArray[numpy.int64],
    rhs: NDArray[numpy.int64],
    equality: NDArray[numpy.uint8],
    sweeps: int,
    tolerance: float,
) -> NDArray[numpy.float64]:
    """The probabilities nearest to the given ones whose expected sums obey every rule."""

def forest_labels(
    weights: NDArray[numpy.float64],
    starts: NDArray[numpy.int32],
    literals: NDArray[numpy.int32],
    kinds: NDArray[numpy.int32],
) -> NDArray[numpy.int64]:
    """The best label for each row of weights under rows of literals that form a forest."""

def closure_labels(
    weights: NDArray[numpy.float64], tails: NDArray[numpy.int32], heads: NDArray[numpy.int32]
) -> NDArray[numpy.int64]:
    """The best label for each row of weights in which every tail that is 1 has its head at 1."""

def best_labels(
    labels: tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]],
    by_column: tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]],
    weights: NDArray[numpy.float64],
    equal: NDArray[numpy.float64],
) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64]]:
    """For each row of weights, the first label within `equal` of the largest value, and its value."""

class GroupRules:
    """Rows of literals, weighted rows, groups and cuts, packed for the search."""

    def __init__(
        self,
        variables: int,
        starts: NDArray[numpy.int32],
        literals: NDArray[numpy.int32],
        kinds: NDArray[numpy.int32],
        group_starts: NDArray[numpy.int32],
        members: NDArray[numpy.int32],
        may_be_empty: NDArray[numpy.bool_],
        weighted_starts: NDArray[numpy.int32],
        weighted_literals: NDArray[numpy.int32],
        coefficients: NDArray[numpy.int64],
        rooms: NDArray[numpy.int64],
        cut_weights: NDArray[numpy.float64],
        cut_limits: NDArray[numpy.float64],
        most_entries: int,
    ) -> None: ...
    def search(
        self,
        weights: NDArray[numpy.float64],
        bounding: NDArray[numpy.float64],
        constant: NDArray[numpy.float64],
        price: NDArray[numpy.float64],
        equal: NDArray[numpy.float64],
        floor: NDArray[numpy.float64],
        most_nodes: int,
        seconds: float,
        stop: Callable[[], bool],
    ) -> (
        tuple[
            NDArray[numpy.float64],
            NDArray[numpy.int64],
            NDArray[numpy.float64],
            NDArray[numpy.float64],
            NDArray[numpy.int64],
            NDArray[numpy.bool_],
            NDArray[numpy.bool_],
        ]
        | None
    ):
        """Search for the best label of each query. Returns best values, labels, best values that a cut rejected,
        ceilings, numbers of nodes or labels visited, whether each search is finished, and whether it ran out of time;
        None if the rows contradict each other."""

class BestFirstRules:
    """Rules, bounds and cuts, ready for the best-first search."""

    def __init__(
        self,
        matrix: NDArray[numpy.int64],
        rhs: NDArray[numpy.int64],
        equality: NDArray[numpy.bool_],
        lower: NDArray[numpy.int64],
        upper: NDArray[numpy.int64],
        cut_weights: NDArray[numpy.float64],
        cut_limits: NDArray[numpy.float64],
        most_entries: int,
    ) -> None: ...
    def search(
        self,
        weights: NDArray[numpy.float64],
        multipliers: NDArray[numpy.float64],
        floor: NDArray[numpy.float64],
        equal: NDArray[numpy.float64],
        most_labels: int,
        seconds: float,
        stop: Callable[[], bool],
    ) -> tuple[
        NDArray[numpy.float64],
        NDArray[numpy.int64],
        NDArray[numpy.float64],
        NDArray[numpy.float64],
        NDArray[numpy.int64],
        NDArray[numpy.bool_],
        NDArray[numpy.bool_],
    ]:
        """Search for the best label of each query. Returns best values, labels, best values that a cut rejected,
        ceilings, numbers of nodes or labels visited, whether each search is finished, and whether it ran out of
        time."""
