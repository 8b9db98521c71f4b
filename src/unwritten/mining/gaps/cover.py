"""Cover: sets of columns whose sentences together state many values that never occur.

x_i − x_j ≠ s·(j − i) for all i and j of a set says that the numbers x_i + s·i are all different. With s = 0 these are
the numbers themselves, with s = ±1 the diagonals of a chessboard.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from unwritten.data.bitmasks import bits
from unwritten.mining.gaps.edges import Pair

Value = tuple[int, int, int]  # first column, second column, a value that first − second never has


@dataclass(frozen=True)
class Covered:
    """Sets of columns with a slope, whose members differ pairwise; and values of pairs that are in none of them."""

    cliques: tuple[tuple[int, tuple[int, ...]], ...]
    rest: dict[Pair, list[int]]


def cover(values: Iterable[Value], also: Iterable[Value]) -> Covered:
    """Cover all `values` by sets and pairs; the values in `also` hold too, but need not be said.

    A set is used only if most of its pairs are to be said, and at least two of them for the first time.
    """
    said = set(values)
    known = said | set(also)
    by_slope: dict[int, set[Pair]] = defaultdict(set)
    for first, second, value in known:
        if value % (second - first) == 0:
            by_slope[value // (second - first)].add((first, second))
    cliques: list[tuple[int, tuple[int, ...]]] = []
    left = set(said)
    for slope in sorted(by_slope, key=lambda s: (abs(s), -s)):
        edges = {pair for pair in by_slope[slope] if (*pair, slope * (pair[1] - pair[0])) in said}
        for clique in _largest_first(_cliques(by_slope[slope], edges)):
            pairs = [(a, b) for k, a in enumerate(clique) for b in clique[k + 1 :]]
            fresh = [(a, b, slope * (b - a)) for a, b in pairs if (a, b, slope * (b - a)) in left]
            if len(fresh) >= 2 and 2 * sum(pair in edges for pair in pairs) > len(pairs):
                cliques.append((slope, clique))
                left.difference_update(fresh)
    rest: dict[Pair, list[int]] = defaultdict(list)
    for first, second, value in sorted(left):
        rest[first, second].append(value)
    return Covered(tuple(cliques), dict(rest))


def _cliques(edges: set[Pair], seeds: set[Pair]) -> set[tuple[int, ...]]:
    """A maximal clique of the graph for each of the seeds; those of at least three columns."""
    neighbours: dict[int, int] = defaultdict(int)
    for a, b in edges:
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
    cliques: set[tuple[int, ...]] = set()
    for a, b in sorted(seeds):
        clique, common = [a, b], neighbours[a] & neighbours[b]
        while common:
            c = max(bits(common), key=lambda c: ((neighbours[c] & common).bit_count(), -c))
            clique.append(c)
            common &= neighbours[c]
        if len(clique) > 2:
            cliques.add(tuple(sorted(clique)))
    return cliques


def _largest_first(cliques: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return sorted(cliques, key=lambda clique: (-len(clique), clique))
