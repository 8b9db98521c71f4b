"""Symmetry: permutations of the variables that map feasible labels to feasible labels.

Each example then counts as its whole orbit: the set of its images under all permutations. Large orbits are not listed.
The Gram matrix of all images is the Gram matrix of the examples, averaged over the orbits of pairs of columns, and that
is all that the miners of equalities, groups and pairs need.
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
    """Permutations that exchange whole blocks of variables, such as the digits of a puzzle or identical machines.

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
    """Permutations that rename the nodes of a graph, where variable k is the edge `edges[k]`.

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
                f"exchanging {one} and {other} turns edge {edges[missing]} into an edge without a variable: list all "
                "edges"
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
        """The tally of all images of all labels; n and the Gram matrix are scaled so that they stay integers.

        All images count as seen if there are few of them.
        """
        gram, scale, meetings = self._averaged(tally.gram)
        seen, counts = self._closed(tally.seen, tally.counts)
        sample = np.unique(self.images(tally.seen, count=budgets.SYMMETRY_IMAGES)[0], axis=0)
        orbits = Orbits(self, tally.n, sample, meetings)
        return Tally(tally.n * scale, gram, seen, counts, orbits, weight=tally.weight)

    def columns(self) -> IntArray:
        """For each variable, the number of its orbit."""
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
        """The number of images of a row; counting stops at `most`."""
        images, waiting = {row.tobytes()}, [row]
        while waiting and len(images) < most:
            current = waiting.pop()
            for move in self.moves:
                image = np.empty_like(current)
                image[move] = current
                if image.tobytes() not in images:
                    images.add(image.tobytes())
                    waiting.append(image)
        return min(len(images), most)

    def examples(self, examples: Examples) -> Examples:
        """The examples and some of their images, for the cuts that their weights imply; bounds cover the images too."""
        examples = replace(examples, variables=self._variables(examples.variables))
        if examples.weights is None:
            return examples
        weights, labels = self.images(examples.weights, examples.labels, count=budgets.CUT_IMAGES)
        pairs = reversed(list(enumerate(zip(weights, labels, strict=True))))
        first = {(w.tobytes(), y.tobytes()): i for i, (w, y) in pairs}
        # given examples keep their places; each image is listed once
        places = sorted({*range(len(examples)), *first.values()})
        return replace(examples, labels=labels[places], weights=weights[places])

    def images(self, *arrays: NDArray[Any], count: int) -> list[NDArray[Any]]:
        """At least `count` rows of each array: the given rows, then random images; all arrays are permuted alike."""
        rng = np.random.default_rng(0)
        n, width = arrays[0].shape
        rows = np.arange(max(n, count)) % n
        out = [array[rows].copy() for array in arrays]
        place = np.arange(width)
        # the identity is one of the steps; without it, walks of even length would miss odd permutations
        steps = np.vstack([place, self.moves])
        for i in range(n, len(rows)):
            for move in steps[rng.integers(len(steps), size=2 * len(steps))]:
                place = move[place]
            for image in out:
                image[i, place] = image[i].copy()
        return out

    def _variables(self, variables: Variables) -> Variables:
        """The variables; bounds that were read off the labels are widened to those of a variable's images."""
        if variables.declared:
            return variables
        orbit = self.columns()
        low, high = variables.lower.copy(), variables.upper.copy()
        for k in range(orbit.max() + 1):
            low[orbit == k], high[orbit == k] = low[orbit == k].min(), high[orbit == k].max()
        return replace(variables, lower=low, upper=high, declared=False)

    def _averaged(self, gram: IntArray) -> tuple[IntArray, int, IntArray]:
        """The Gram matrix averaged over the orbits of pairs and scaled to integers; the scale; images of each pair."""
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
            raise RangeError("these symmetries have too many images to count: declare fewer at once")
        sizes = size[orbit].reshape(width, width)[:-1, :-1]
        same = (orbit.reshape(width, width) == orbit.reshape(width, width).T)[:-1, :-1]
        return (total * scale // size)[orbit].reshape(width, width), scale, np.where(same, (sizes + 1) // 2, sizes)

    def _closed(self, seen: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
        """All images of the seen labels, or the seen labels alone if there are too many; unseen images count 0."""
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
    """Images as evidence: each of the n labels tests a row once per image of the row, up to the size of the sample."""

    symmetry: Symmetry
    n: int
    sample: IntArray
    meetings: IntArray

    @property
    def representatives(self) -> IntArray:
        """The first variable of every orbit of variables."""
        return np.unique(self.symmetry.columns(), return_index=True)[1]

    def images_of(self, row: IntArray) -> int:
        """The number of images of a row over the variables; counting stops at `budgets.SYMMETRY_IMAGES`."""
        return self.symmetry.orbit_of(row, budgets.SYMMETRY_IMAGES)

    def trials(self, images: int) -> int:
        """The number of labels that test a row with this number of images; at most the number of images drawn."""
        return min(self.n * images, max(len(self.sample), self.n))

    def pair_trials(self) -> IntArray:
        """For every pair of variables, the number of labels that test it (d × d)."""
        return np.minimum(self.n * self.meetings, self.trials(budgets.SYMMETRY_IMAGES))


def _permutation(generator: object, variables: Variables) -> IntArray:
    """For each variable, the place that the permutation moves it to."""
    width = len(variables)
    if isinstance(generator, dict):
        places = np.arange(width)
        for one, other in generator.items():
            places[_place(one, variables)] = _place(other, variables)
    else:
        places = integers(generator, "symmetries")
    if places.shape != (width,) or not np.array_equal(np.sort(places), np.arange(width)):
        raise DataError(f"a symmetry does not permute the {width} variables: name each of them exactly once")
    return places


def _place(variable: object, variables: Variables) -> int:
    if isinstance(variable, str) and variable in variables.index:
        return variables.index[variable]
    if isinstance(variable, int | np.integer) and 0 <= variable < len(variables):
        return int(variable)
    raise DataError(f"a symmetry names {variable!r}, which is not a variable: use names, or places from 0")
