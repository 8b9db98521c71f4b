"""LabelLookup: find out on any device which labels are in a list, by one random sum per label."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

import torch
from torch import Tensor, nn

from unwritten import budgets


class LabelLookup(nn.Module):
    """The sorted keys of the labels in a list.

    The key of a label is the sum modulo 2⁶⁴ of its entries times random factors. A label is looked up by its key and
    then compared in full, so that a wrong match is impossible.
    """

    def __init__(self, labels: Tensor) -> None:
        super().__init__()
        seed, distinct = 0, False
        while not distinct:  # nearly always once: two labels rarely share a key
            generator = torch.Generator().manual_seed(seed)
            factors = torch.randint(-(2**62), 2**62, (labels.shape[1],), generator=generator)
            keys, places = torch.cat(
                [_keys(block, factors) for block in labels.split(budgets.LOOKUP_BLOCK_LABELS)]
            ).sort()
            distinct = bool((keys[1:] != keys[:-1]).all())
            seed += 1
        for name, value in (("factors", factors), ("keys", keys), ("places", places)):
            self.register_buffer(name, value, persistent=False)

    def forward(self, targets: Tensor, labels: Tensor) -> Tensor:
        """Tell which rows of targets are in `labels`, the list that the keys were computed from."""
        position = torch.searchsorted(self.keys, _keys(targets, self.factors)).clamp(max=len(self.keys) - 1)
        return (labels[self.places[position]] == targets).all(dim=1)


def _keys(rows: Tensor, factors: Tensor) -> Tensor:
    return (rows.long() * factors).sum(dim=1)
