"""ForestSums: log Σ exp(w·y) over all labels under rules that form a forest, however many labels these are.

As in the decoder `native/literal_forest.cpp`, a row of literals turns what is below its other literals into what its
first literal gains by being true. Here a gain is a log-odds: the log-sum over labels with the literal true, less that
with it false. With S = log Σ exp(gain) and T = Σ log(1 + exp(gain)) over the other literals, a row adds

- at most one: 0 if the first literal is true, else log(1 + exp S);
- exactly one: 0, else S;
- at least one: T, else T + log(1 − exp −T).

That is a step for each depth of the forest. In a deep one, a variable and the next on its path (`ForestPaths`) are
linked by a 2 × 2 table of log-sums, for both of their values; the tables of a path are multiplied pair by pair. Paths
of one level are computed at once.
"""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import softplus

from unwritten.data import IntArray
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST
from unwritten.solving.engines.literal_forest import LiteralForest
from unwritten.torch.forest_paths import ForestPaths, members

LEAST_SUM = 1e-30
"""Sums are at least this, so that their logarithms are finite."""
SMALL = -30.0
"""Below it, S is T + log(1 − exp −T) to all digits."""
NEVER = -1e30
"""The log-sum over no label: finite, so that it has a gradient."""


class ForestSums(nn.Module):
    """The paths of a forest by level, as tensors that move with the module."""

    def __init__(self, forest: LiteralForest) -> None:
        super().__init__()
        paths = ForestPaths.of(forest)
        levels = paths.level[paths.heads]
        self.levels = nn.ModuleList(PathLevel(forest, paths, paths.heads[levels == k]) for k in np.unique(levels))
        self.register_buffer("roots", torch.from_numpy(paths.roots), persistent=False)
        self.register_buffer("ones", torch.from_numpy(forest.fixed == 1), persistent=False)

    def forward(self, weights: Tensor) -> Tensor:
        """log Σ exp(w·y) for each row of weights."""
        gains, constant = weights, weights[:, self.ones].sum(dim=1)
        for level in self.levels:
            gains, constant = level(gains, constant)
        return constant + softplus(gains[:, self.roots]).sum(dim=1)


class PathLevel(nn.Module):
    """The paths of one level: a table for each of their variables, which has the values of the variable in its rows.

    Its columns have those of the next variable of the path; of the last one, the second column has no label.
    """

    def __init__(self, forest: LiteralForest, paths: ForestPaths, heads: IntArray) -> None:
        super().__init__()
        downs = [paths.down(int(head)) for head in heads]
        variables = np.array([variable for path in downs for variable in path])
        self._register_rows(forest, paths, variables)
        rounds, last = _rounds([len(path) for path in downs])
        self.rounds = len(rounds)
        for k, parts in enumerate(rounds):
            for name, places in zip(("left", "right", "kept"), parts, strict=True):
                self._register(f"{name}{k}", places)
        self._register("variables", variables)
        self._register("heads", heads[last])

    def _register(self, name: str, values: NDArray[Any]) -> None:
        self.register_buffer(name, torch.from_numpy(np.asarray(values, np.int64)), persistent=False)

    def _register_rows(self, forest: LiteralForest, paths: ForestPaths, variables: IntArray) -> None:
        """The rows whose first variable is on a path: those that link it to the next variable, and the others."""
        every = members(forest)
        rows = np.flatnonzero(np.isin([first for first, _ in every], variables))
        place = {int(r): k for k, r in enumerate(rows)}
        literals = [forest.literals[forest.starts[r] : forest.starts[r + 1]] for r in rows]
        first = np.array([part[0] for part in literals])
        light = [part[1:][(part[1:] >> 1) != paths.below[part[0] >> 1]] for part in literals]
        others = np.concatenate(light).astype(np.int64)
        self._register("others", others >> 1)
        self._register("others_negated", others & 1)
        self._register("row", np.repeat(np.arange(len(rows)), [len(part) for part in light]))
        self._register("kind", forest.kinds[rows])
        links = paths.row[first >> 1] == rows
        self._register("alone", np.flatnonzero(~links))
        self._register("alone_first", first[~links] >> 1)
        self._register("alone_negated", first[~links] & 1)
        entries = np.full((len(variables), 4), 4 * len(rows)) + np.array([0, 1, 0, 1])  # of the last one of a path
        for v in np.flatnonzero(paths.row[variables] >= 0):
            k = place[int(paths.row[variables[v]])]
            (below,) = (literal for literal in literals[k] if literal >> 1 == paths.below[variables[v]])
            flips = 2 * (literals[k][0] & 1) + (below & 1)
            entries[v] = 4 * k + (np.arange(4) ^ flips)
        self._register("entries", entries.ravel())

    def forward(self, gains: Tensor, constant: Tensor) -> tuple[Tensor, Tensor]:
        """The gains with those of the heads, and the constant with what the paths add if all heads are false."""
        negated = self.others_negated.bool()
        own = gains.index_select(1, self.others)
        constant = constant + own.masked_fill(~negated, 0.0).sum(dim=1)
        total, free, some = _sums(torch.where(negated, -own, own), self.row, self.kind)
        least, most = self.kind == AT_LEAST, self.kind == AT_MOST
        zero = torch.zeros_like(free)
        when_true = torch.where(least, free, zero)
        when_false = torch.where(least, some, torch.where(most, softplus(total), total))
        flipped = self.alone_negated.bool()
        alone_true, alone_false = (part.index_select(1, self.alone) for part in (when_true, when_false))
        constant = constant + torch.where(flipped, alone_true, alone_false).sum(dim=1)
        gained = torch.where(flipped, alone_false - alone_true, alone_true - alone_false)
        gains = gains.index_add(1, self.alone_first, gained)
        if not self.rounds:
            return gains, constant
        both = torch.where(least, free, torch.full_like(free, NEVER))
        links = torch.stack([when_false, when_true, when_true, both], dim=2).flatten(1)
        links = torch.cat([links, links.new_tensor([[0.0, NEVER]]).expand(len(links), 2)], dim=1)
        own = gains.index_select(1, self.variables)
        tables = links.index_select(1, self.entries).unflatten(1, (-1, 2, 2))
        tables = tables + torch.stack([torch.zeros_like(own), own], dim=2)[..., None]
        for k in range(self.rounds):
            left, right, kept = (getattr(self, f"{name}{k}") for name in ("left", "right", "kept"))
            above, below = tables.index_select(1, left), tables.index_select(1, right)
            joined = (above[:, :, :, None] + below.mT[:, :, None]).logsumexp(dim=4)
            height = joined.detach().amax(dim=(2, 3), keepdim=True)  # without it, long paths lose digits
            constant = constant + height.sum(dim=(1, 2, 3))
            tables = torch.cat([joined - height, tables.index_select(1, kept)], dim=1)
        head_true, head_false = tables[:, :, 1, 0], tables[:, :, 0, 0]
        return gains.index_copy(1, self.heads, head_true - head_false), constant + head_false.sum(dim=1)


def _sums(own: Tensor, row: Tensor, kind: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """S, T and T + log(1 − exp −T) of each row (batch × rows); of a row without literals they are of none."""
    shape = (len(own), len(kind))
    places = row.expand(len(own), -1)
    most = own.detach().new_full(shape, NEVER).scatter_reduce(1, places, own.detach(), "amax")
    exponentials = (own - most.gather(1, places)).exp()
    total = most + own.new_zeros(shape).index_add(1, row, exponentials).clamp(min=LEAST_SUM).log()
    free = own.new_zeros(shape).index_add(1, row, softplus(own)).clamp(min=LEAST_SUM)
    return total, free, torch.where(total < SMALL, total, free + torch.log(-torch.expm1(-free)))


def _rounds(lengths: list[int]) -> tuple[list[tuple[IntArray, IntArray, IntArray]], IntArray]:
    """How to multiply the tables of each path, pair by pair: the places of left and right ones, and of those kept.

    The tables of the paths follow one another; after a round, there are the products and then those kept. The second
    value has the path of each table that is left.
    """
    paths = [list(part) for part in np.split(np.arange(sum(lengths)), np.cumsum(lengths)[:-1])]
    rounds = []
    while any(len(path) > 1 for path in paths):
        pairs = [(a, b) for path in paths for a, b in zip(path[::2], path[1::2], strict=False)]
        kept = [path[-1] for path in paths if len(path) % 2]
        new = {place: k for k, place in enumerate([*(a for a, _ in pairs), *kept])}
        left, right = np.array(pairs).T
        rounds.append((left, right, np.array(kept, np.int64)))
        paths = [[new[a] for a in path[::2]] for path in paths]
    last = np.empty(len(paths), np.int64)
    last[[path[0] for path in paths]] = np.arange(len(paths))
    return rounds, last
