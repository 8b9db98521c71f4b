"""Symmetry: permutations of the variables that map feasible labels to feasible labels.

An example then stands for its whole orbit. Orbits are not listed where they are large: the Gram matrix of all images is
the given one averaged over the orbits of pairs of columns, and equalities, groups and pairs need no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import Examples, IntArray, Variables, distinct, integers
from unwritten.errors import DataError, RangeError
from unwritten.tally.tally import Tally


def interchangeable(*blocks: Sequence[object]) -> list[dict[object, object]]:
    """Blocks of variables that may be exchanged as a whole, e.g. the digits of a puzzle or like machines.

    Each block lists its variables (names or places) in the same order.

    >>> interchangeable(["a1", "a2"], ["b1", "b2"])
    [{'a1': 'b1', 'a2': 'b2', 'b1': 'a1', 'b2': 'a2'}]
    """
    if len({len(block) for block in blocks}) > 1:
        raise DataError("interchangeable blocks have different lengths: list the same variables of each, in one order")
    swaps = []
    for one, other in pairwise(blocks):
        there = dict(zip(one, other, strict=True))
        swaps.append({**there, **{b: a for a, b in there.items()}})
    return swaps


def relabelled(edges: Sequence[tuple[object, object]]) -> list[dict[int, int]]:
    """The nodes of a graph may be renamed: variable k is the edge `edges[k]`, and every exchange of two nodes is one.

    >>> relabelled([("u", "v"), ("u", "w"), ("v", "w")])
    [{1: 2, 2: 1}, {0: 1, 1: 0}]
    """
    place = {frozenset(edge): k for k, edge in enumerate(edges)}
    nodes = list(dict.fromkeys(node for edge in edges for node in edge))
    swaps = []
    for one, other in pairwise(nodes):
        rename = {one: other, other: one}
        image = {k: frozenset(rename.get(node, node) for node in edge) for k, edge in enumerate(edges)}
        missing = next((k for k, edge in image.items() if edge not in place), None)
        if missing is not None:
            raise DataError(
                f"exchanging {one} and {other} turns edge {edges[missing]} into one that is no variable: list all edges"
            )
        swaps.append({k: place[edge] for k, edge in image.items() if place[edge] != k})
    return swaps


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Generators of a group of permutations, as rows of places (g × d): variable j goes to `moves[i, j]`."""

    moves: IntArray

    @classmethod
    def of(cls, generators: object, variables: Variables) -> Symmetry:
        """Read permutations: sequences of places, or mappings from a variable (name or place) to another."""
        if isinstance(generators, dict) or not isinstance(generators, Iterable):
            raise DataError("symmetries must be a list of permutations: sequences of places, or {variable: variable}")
        return cls(np.array([_permutation(g, variables) for g in generators], np.int64).reshape(-1, len(variables)))

    def __len__(self) -> int:
        return len(self.moves)

    def tally(self, tally: Tally) -> Tally:
        """The tally of all images of all labels: n and the Gram matrix are scaled to stay integers.

        Seen labels are closed under the group if that is small.
        """
        gram, scale, meetings = self._averaged(tally.gram)
        seen, counts = self._closed(tally.seen, tally.counts)
        sample = np.unique(self.images(tally.seen, count=budgets.SYMMETRY_IMAGES)[0], axis=0)
        orbits = Orbits(self, tally.n, sample, meetings)
        return Tally(tally.n * scale, gram, seen, counts, orbits)

    def columns(self) -> IntArray:
        """The orbit of each variable, by number."""
        orbit = np.arange(self.moves.shape[1])
        while True:
            lowest = orbit.copy()
            for move in self.moves:
                np.minimum.at(lowest, move, orbit)
                np.minimum.at(lowest, np.arange(len(move)), orbit[move])
            if np.array_equal(lowest, orbit):
                return np.unique(orbit, return_inverse=True)[1]
            orbit = lowest

    def orbit_of(self, row: IntArray, most: int) -> int:
        """How many images a row has; `most` if there are more."""
        known, open_ = {row.tobytes()}, [row]
        while open_ and len(known) < most:
            at = open_.pop()
            for move in self.moves:
                image = np.empty_like(at)
                image[move] = at
                if image.tobytes() not in known:
                    known.add(image.tobytes())
                    open_.append(image)
        return min(len(known), most)

    def examples(self, examples: Examples) -> Examples:
        """The examples and some of their images, for the cuts that their weights imply; bounds hold for images too."""
        examples = replace(examples, variables=self._variables(examples.variables))
        if examples.weights is None:
            return examples
        weights, labels = self.images(examples.weights, examples.labels, count=budgets.CUT_IMAGES)
        new = {
            (w.tobytes(), y.tobytes()): i for i, (w, y) in reversed(list(enumerate(zip(weights, labels, strict=True))))
        }
        kept = sorted({*range(len(examples)), *new.values()})  # the given ones keep their places, images come once
        return replace(examples, labels=labels[kept], weights=weights[kept])

    def images(self, *arrays: NDArray[Any], count: int) -> list[NDArray[Any]]:
        """Random images of the rows, the same ones of each array; the rows themselves come first."""
        rng = np.random.default_rng(0)
        n, width = arrays[0].shape
        rows = np.arange(max(n, count)) % n
        out = [array[rows].copy() for array in arrays]
        place = np.arange(width)
        steps = np.vstack([place, self.moves])  # standing still too: walks of even length would miss odd permutations
        for i in range(n, len(rows)):
            for move in steps[rng.integers(len(steps), size=2 * len(steps))]:
                place = move[place]
            for image in out:
                image[i, place] = image[i].copy()
        return out

    def _variables(self, variables: Variables) -> Variables:
        """Bounds that were read off the labels, widened to those of a variable's images."""
        if variables.declared:
            return variables
        orbit = self.columns()
        low, high = variables.lower.copy(), variables.upper.copy()
        for k in range(orbit.max() + 1):
            low[orbit == k], high[orbit == k] = low[orbit == k].min(), high[orbit == k].max()
        return Variables(variables.names, low, high, declared=False)

    def _averaged(self, gram: IntArray) -> tuple[IntArray, int, IntArray]:
        """The Gram matrix averaged over the orbits of pairs, times the least number that makes it integral.

        Also how many images each pair of variables has.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        width = gram.shape[0]
        start = np.arange(width * width)
        links = []
        for move in self.moves:
            whole = np.append(move, width - 1)
            links.append((whole[:, None] * width + whole[None, :]).ravel())
        ends = np.concatenate(links)
        graph = coo_array((np.ones(len(ends), bool), (np.tile(start, len(links)), ends)), (width**2, width**2))
        _, orbit = connected_components(graph, directed=False)
        size = np.bincount(orbit)
        total = np.zeros(len(size), np.int64)
        np.add.at(total, orbit, gram.ravel())
        scale = lcm(*{int(s) // gcd(int(s), int(t)) for s, t in zip(size, total, strict=True)})
        if scale * int(np.abs(total).max()) >= 2**63:
            raise RangeError("the images under these symmetries are too many to count: declare fewer at once")
        sizes = size[orbit].reshape(width, width)[:-1, :-1]
        same = (orbit.reshape(width, width) == orbit.reshape(width, width).T)[:-1, :-1]
        return (total * scale // size)[orbit].reshape(width, width), scale, np.where(same, (sizes + 1) // 2, sizes)

    def _closed(self, seen: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
        """All images of the seen labels, if there are not too many; images that were never seen have count 0."""
        known = {row.tobytes(): int(count) for row, count in zip(seen, counts, strict=True)}
        fresh = [seen]
        while fresh:
            batch = np.concatenate(fresh)
            fresh = []
            for move in self.moves:
                image = np.empty_like(batch)
                image[:, move] = batch
                new = [row for row in image if row.tobytes() not in known]
                known.update((row.tobytes(), 0) for row in new)
                if new:
                    fresh.append(np.unique(np.array(new), axis=0))
                if len(known) * seen.shape[1] > budgets.CLOSURE_ENTRIES:
                    return seen, counts
        labels = np.frombuffer(b"".join(known), np.int64).reshape(-1, seen.shape[1])
        return distinct(labels, np.array(list(known.values()), np.int64))


@dataclass(frozen=True, eq=False)
class Orbits:
    """Images as evidence: each of n labels tries a row once for every image that the row has, up to the sample."""

    symmetry: Symmetry
    n: int
    sample: IntArray
    meetings: IntArray

    @property
    def representatives(self) -> IntArray:
        """The first variable of every orbit of variables."""
        return np.unique(self.symmetry.columns(), return_index=True)[1]

    def images_of(self, row: IntArray) -> int:
        """How many images a row over the variables has, counted up to `budgets.SYMMETRY_IMAGES`."""
        return self.symmetry.orbit_of(row, budgets.SYMMETRY_IMAGES)

    def trials(self, images: int) -> int:
        """On how many labels a row with so many images is tried: no more than were drawn."""
        return min(self.n * images, max(len(self.sample), self.n))

    def pair_trials(self) -> IntArray:
        """The same for every pair of variables (d × d)."""
        return np.minimum(self.n * self.meetings, self.trials(budgets.SYMMETRY_IMAGES))


def _permutation(generator: object, variables: Variables) -> IntArray:
    """One generator as places."""
    width = len(variables)
    if isinstance(generator, dict):
        places = np.arange(width)
        for one, other in generator.items():
            places[_place(one, variables)] = _place(other, variables)
    else:
        places = integers(generator, "symmetries")
    if places.shape != (width,) or not np.array_equal(np.sort(places), np.arange(width)):
        raise DataError(f"a symmetry is no permutation of the {width} variables: each must come up exactly once")
    return places


def _place(variable: object, variables: Variables) -> int:
    if isinstance(variable, str) and variable in variables.index:
        return variables.index[variable]
    if isinstance(variable, int | np.integer) and 0 <= variable < len(variables):
        return int(variable)
    raise DataError(f"a symmetry names {variable!r}, which is no variable: use names or places from 0")
