"""
Compiled kernels. Arrays must have the stated type and be contiguous: nothing is converted.
"""

from typing import Annotated

import numpy
from numpy.typing import NDArray

def common_counts(
    supports: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")]:
    """For each pair of rows of words, the number of bits that are 1 in both."""

def exact_covers(
    supports: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    examples: int,
    nodes: int,
    most: int,
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    bool,
]:
    """
    Sets of columns with exactly one column in each example, and whether all such sets were found.

    The first array lists the members, set after set; the second, where each set starts and the last ends.
    """

def maximal_cliques(
    neighbours: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    total: int,
    nodes: int,
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
]:
    """
    The maximal cliques of columns whose sizes add up to `total` that a search of `nodes` nodes finds.

    The first array lists the members, clique after clique; the second, where each starts and the last ends.
    """

def find_covers(
    labels: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    pairs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    largest: int,
    swaps: int,
    patience: int,
    most: int,
    work: int,
    seed: int,
) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order="C")]:
    """
    Minimal sets of at most `largest` columns that hit every label, as rows of 0 and 1.
    """

def rank_table(
    masks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)], width: int
) -> tuple[
    Annotated[NDArray[numpy.int8], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.int8], dict(shape=(None,), order="C")],
]:
    """
    For each of the 2^width sets of columns: the most ones that a label has in it, and its size.
    """

def spread(
    above: Annotated[NDArray[numpy.int8], dict(shape=(None,), order="C", device="cpu")],
    below: Annotated[NDArray[numpy.int8], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Pass the least entry of `above` down to all subsets, and the greatest entry of `below` up to all supersets.
    """

def grow_sets(
    labels: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    pairs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    allowed: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    most: int,
    work: int,
) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order="C")]:
    """
    Sets grown from pairs whose rank is about to rise and is at most allowed[size], as rows of 0 and 1.
    """

def take(
    codes: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    order: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    most: int,
) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C")]:
    """
    For each row of column numbers (−1 ends it), take up to `most` columns that raise the rank over GF(2).

    The result is 1 for the columns taken.
    """

def least_rank(
    codes: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    order: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    enough: int,
) -> int:
    """
    `enough` if the columns of every row have this rank over GF(2), else the rank of the first that falls short.
    """
