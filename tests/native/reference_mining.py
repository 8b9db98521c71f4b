"""The kernels of the miners in plain Python: slow, and simple enough to be believed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from unwritten.data import BoolArray, IntArray


def exact_covers(ones: BoolArray, nodes: int, most: int) -> tuple[list[list[int]], bool]:
    """Depth-first search for exact covers, branching on the first example that the fewest open columns have."""
    columns = [set(np.flatnonzero(column).tolist()) for column in ones.T]
    covers: list[list[int]] = []
    visited = count(1)

    def complete(chosen: list[int], uncovered: set[int], open_columns: list[int]) -> bool:
        if next(visited) > nodes:
            return False
        if not uncovered:
            if len(covers) == most:
                return False
            covers.append(sorted(chosen))
            return True
        options = {e: [j for j in open_columns if e in columns[j]] for e in uncovered}
        example = min(uncovered, key=lambda e: (len(options[e]), e))
        return all(
            complete([*chosen, j], uncovered - columns[j], [k for k in open_columns if not columns[k] & columns[j]])
            for j in options[example]
        )

    return covers, complete([], set(range(len(ones))), list(range(ones.shape[1])))


class CoverWalk:
    """The local search for covers, with every quantity computed from the labels when it is needed."""

    def __init__(self, labels: BoolArray) -> None:
        self.n, self.width = labels.shape
        self.columns = [np.flatnonzero(label).tolist() for label in labels]
        self.labels = [np.flatnonzero(column).tolist() for column in labels.T]
        self.work = 0
        self.clear()

    def clear(self) -> None:
        self.members: set[int] = set()
        self.since, self.weight = [0] * self.width, [1] * self.n
        self.unhit = list(range(self.n))

    def hits(self, label: int) -> list[int]:
        return [j for j in self.columns[label] if j in self.members]

    def gain(self, column: int) -> int:
        return sum(self.weight[i] for i in self.labels[column] if not self.hits(i))

    def loss(self, member: int) -> int:
        return sum(self.weight[i] for i in self.labels[member] if self.hits(i) == [member])

    def add(self, column: int) -> None:
        for i in self.labels[column]:
            if not self.hits(i):
                place, last = self.unhit.index(i), self.unhit.pop()
                if last != i:
                    self.unhit[place] = last
                self.work += len(self.columns[i])
        self.members.add(column)
        self.work += len(self.labels[column])

    def drop(self, column: int) -> None:
        self.members.remove(column)
        for i in self.labels[column]:
            if not self.hits(i):
                self.unhit.append(i)
                self.work += len(self.columns[i])
        self.work += len(self.labels[column])

    def least_missed(self, kept: set[int]) -> int | None:
        self.work += self.width
        return min(self.members - kept, key=lambda j: (self.loss(j), self.since[j], j), default=None)


def find_covers(
    labels: BoolArray,
    pairs: IntArray,
    largest: int,
    swaps: int,
    patience: int,
    most: int,
    work: int,
    seed: int,
) -> list[list[int]]:
    """Minimal covers, each found by a walk from a pair that no cover so far contains."""
    walk = CoverWalk(labels)
    covers: list[set[int]] = []
    draws = _draws(seed)
    failures = 0
    for pair in map(set, pairs.tolist()):
        if failures >= patience or walk.work >= work or len(covers) == most:
            break
        if any(pair <= cover for cover in covers):
            continue
        failures += 1
        best = _walk_from(walk, sorted(pair), largest, swaps, work, draws)
        if best is None:
            continue
        walk.clear()
        for j in sorted(best):
            walk.add(j)
        for j in sorted(pair):
            if walk.loss(j) == 0:
                walk.drop(j)
        if walk.members not in covers:
            covers.append(set(walk.members))
            failures = 0
    return [sorted(cover) for cover in covers]


def _walk_from(
    walk: CoverWalk, pair: list[int], largest: int, swaps: int, work: int, draws: Iterator[int]
) -> set[int] | None:
    """The smallest cover met on a walk from a pair, or None."""
    walk.clear()
    for j in pair:
        walk.add(j)
    while walk.unhit:
        walk.add(max(range(walk.width), key=walk.gain))
    while (worst := walk.least_missed(set(pair))) is not None and (len(walk.members) > largest or not walk.loss(worst)):
        walk.drop(worst)
    if len(walk.members) > largest:
        return None
    best, quiet, newest = None, 0, -1
    for clock in count(1):
        if quiet >= swaps or walk.work >= work:
            break
        worst = walk.least_missed({*pair, newest})
        covered = not walk.unhit
        if covered and (worst is None or walk.loss(worst) > 0):
            best, quiet = set(walk.members), 0
        quiet += not covered
        if worst is None:
            break
        walk.drop(worst)
        walk.since[worst] = clock
        if covered:
            continue
        label = walk.unhit[next(draws) % len(walk.unhit)]
        options = [j for j in walk.columns[label] if j != worst]
        newest = min(options, key=lambda j: (-walk.gain(j), walk.since[j], j), default=worst)
        walk.add(newest)
        walk.since[newest] = clock
        for i in walk.unhit:
            walk.weight[i] += 1
            walk.work += len(walk.columns[i])
    return best


def _draws(seed: int) -> Iterator[int]:
    """Random numbers of 31 bits (xorshift)."""
    bits = 2**64 - 1
    state = (2 * seed + 1) * 0x9E3779B97F4A7C15 & bits
    while True:
        state ^= state << 13 & bits
        state ^= state >> 7
        state ^= state << 17 & bits
        yield state >> 33


def ranks(masks: list[int], width: int) -> list[int]:
    """For each set of columns, as a mask, the most ones that a label has in it."""
    return [max(((mask & label).bit_count() for label in masks), default=0) for mask in range(1 << width)]


def grow_sets(labels: BoolArray, pairs: IntArray, allowed: IntArray, most: int, work: int) -> list[list[int]]:
    """Sets grown from pairs, one column at a time, whose rank is about to rise and is at most allowed[size]."""
    width = labels.shape[1]
    sets: list[list[int]] = []
    smallest: list[set[int]] = []
    done = 0
    for one, other in pairs.tolist():
        if len(sets) == most or done >= work:
            break
        if any({one, other} <= grown for grown in smallest):
            continue
        before, members, add = len(sets), [], one
        while len(members) < width and len(sets) < most:
            members.append(add)
            ones = labels[:, members].sum(axis=1)
            rank = int(ones.max(initial=0))
            top, below = labels[ones == rank].sum(axis=0), labels[ones == rank - 1].sum(axis=0)
            done += 2 * int(labels.sum())
            rest = [j for j in range(width) if j not in members]
            add = other if len(members) == 1 else min(rest, key=lambda j: (top[j], below[j], j), default=-1)
            if rank <= allowed[len(members)] and (add < 0 or top[add] > 0):
                if len(sets) == before:
                    smallest.append(set(members))
                sets.append(sorted(members))
    return sets


def take(matrix: IntArray, order: IntArray, most: int) -> IntArray:
    """For each row of columns, the columns that raise the rank over GF(2) in turn, up to `most` of them."""
    codes = [int("0" + "".join(map(str, column)), 2) for column in matrix.T.tolist()]
    taken = np.zeros((len(order), matrix.shape[1]), np.int64)
    for row, columns in zip(taken, order.tolist(), strict=True):
        basis: list[int] = []
        for j in columns:
            if j < 0 or len(basis) == most:
                break
            rest = codes[j]
            for vector in basis:
                rest = min(rest, rest ^ vector)
            if rest:
                basis = sorted([*basis, rest], reverse=True)
                row[j] = 1
    return taken


def common_counts(supports: IntArray) -> list[list[int]]:
    """For each pair of rows of words, the number of bits that are 1 in both."""
    rows = [sum(word << 64 * k for k, word in enumerate(row)) for row in supports.tolist()]
    return [[(one & other).bit_count() for other in rows] for one in rows]


def maximal_cliques(exclusive: BoolArray, sizes: list[int], total: int, nodes: int) -> list[list[int]]:
    """Bron–Kerbosch with pivoting: the maximal cliques whose sizes add up to the total, in the order of the search."""
    neighbours = [set(np.flatnonzero(row).tolist()) for row in exclusive]
    cliques: list[list[int]] = []
    stack: list[tuple[list[int], set[int], set[int]]] = [([], set(range(len(sizes))), set())]
    for _ in range(nodes):
        if not stack:
            break
        members, candidates, excluded = stack.pop()
        reach = sum(sizes[k] for k in members) + sum(sizes[k] for k in candidates)
        if not candidates and not excluded and reach == total:
            cliques.append(members)
        if not candidates or reach < total:
            continue
        pivot = max(sorted(candidates | excluded), key=lambda k: len(neighbours[k] & candidates))
        for k in sorted(candidates - neighbours[pivot]):
            stack.append(([*members, k], candidates & neighbours[k], excluded & neighbours[k]))
            candidates, excluded = candidates - {k}, excluded | {k}
    return cliques
