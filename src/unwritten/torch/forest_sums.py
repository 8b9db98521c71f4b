"""ForestSums: log Σ exp(w·y) over all labels under rules that form a forest, however many labels these are.

As in the decoder `native/literal_forest.cpp`, a row of literals turns what is below its other literals into what its
first literal gains by being true. Here a gain is a log-odds: the log-sum over labels with the literal true, less that
with it false. With S = log Σ exp(gain) and T = Σ log(1 + exp(gain)) over the other literals, a row adds

- at most one: 0 if the first literal is true, else log(1 + exp S);
- exactly one: 0, else S;
- at least one: T, else T + log(1 − exp −T).

Rows of equal depth are computed at once.
"""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import softplus

from unwritten.data import IntArray
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST
from unwritten.solving.engines.literal_forest import UNDECIDED, LiteralForest

LEAST_SUM = 1e-30
"""T is at least this, so that its logarithm is finite."""


class ForestSums(nn.Module):
    """The rows of a forest by depth, as tensors that move with the module."""

    def __init__(self, forest: LiteralForest) -> None:
        super().__init__()
        self.depths = 0
        below = np.ones(len(forest.fixed), bool)
        for members in _by_depth(forest):
            self._register_depth(forest, members)
            for r in members:
                below[forest.literals[forest.starts[r] + 1 : forest.starts[r + 1]] >> 1] = False
        self.register_buffer("roots", torch.from_numpy(below & (forest.fixed == UNDECIDED)), persistent=False)
        self.register_buffer("ones", torch.from_numpy(forest.fixed == 1), persistent=False)

    def _register_depth(self, forest: LiteralForest, members: IntArray) -> None:
        first = forest.literals[forest.starts[members]]
        sizes = forest.starts[members + 1] - forest.starts[members] - 1
        others = np.concatenate([forest.literals[forest.starts[r] + 1 : forest.starts[r + 1]] for r in members])
        parts = {
            "first": first >> 1,
            "first_negated": first & 1,
            "others": others >> 1,
            "others_negated": others & 1,
            "row": np.repeat(np.arange(len(members)), sizes),
            "kind": forest.kinds[members],
        }
        for name, values in parts.items():
            self.register_buffer(f"{name}{self.depths}", torch.from_numpy(values.astype(np.int64)), persistent=False)
        self.depths += 1

    def forward(self, weights: Tensor) -> Tensor:
        """log Σ exp(w·y) for each row of weights."""
        gains, constant = weights, weights[:, self.ones].sum(dim=1)
        for depth in range(self.depths):
            first, others, row, kind = (getattr(self, f"{name}{depth}") for name in ("first", "others", "row", "kind"))
            negated = getattr(self, f"others_negated{depth}").bool()
            own = torch.where(negated, -gains[:, others], gains[:, others])
            constant = constant + gains[:, others].masked_fill(~negated, 0.0).sum(dim=1)
            when_true, when_false = _messages(own, row, kind)
            flipped = getattr(self, f"first_negated{depth}").bool()
            constant = constant + torch.where(flipped, when_true, when_false).sum(dim=1)
            gains = gains.index_add(1, first, torch.where(flipped, when_false - when_true, when_true - when_false))
        return constant + softplus(gains[:, self.roots]).sum(dim=1)


def _messages(own: Tensor, row: Tensor, kind: Tensor) -> tuple[Tensor, Tensor]:
    """What rows of these kinds add if their first literal is true, and if it is false (both batch × rows)."""
    shape = (len(own), len(kind))
    places = row.expand(len(own), -1)
    most = own.detach().new_full(shape, -torch.inf).scatter_reduce(1, places, own.detach(), "amax")
    exponentials = (own - most.gather(1, places)).exp()
    total = most + own.new_zeros(shape).index_add(1, row, exponentials).log()
    free = own.new_zeros(shape).index_add(1, row, softplus(own)).clamp(min=LEAST_SUM)
    some = free + torch.log(-torch.expm1(-free))
    when_true = torch.where(kind == AT_LEAST, free, torch.zeros_like(free))
    when_false = torch.where(kind == AT_LEAST, some, torch.where(kind == AT_MOST, softplus(total), total))
    return when_true, when_false


def _by_depth(forest: LiteralForest) -> list[IntArray]:
    """The rows in groups, of which each needs only those before it."""
    ready = np.zeros(len(forest.fixed), np.int64)
    depth = np.zeros(len(forest.kinds), np.int64)
    for r in range(len(forest.kinds)):  # rows come after those below them
        variables = forest.literals[forest.starts[r] : forest.starts[r + 1]] >> 1
        depth[r] = ready[variables[1:]].max()
        ready[variables[0]] = max(ready[variables[0]], depth[r] + 1)
    return [np.flatnonzero(depth == level) for level in range(int(depth.max(initial=-1)) + 1)]
