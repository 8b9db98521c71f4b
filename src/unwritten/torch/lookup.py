"""Lookup: whether labels are in a list, by one random sum per label, on any device."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

import torch
from torch import Tensor, nn

from unwritten import budgets


class Lookup(nn.Module):
    """Sorted keys of the rows of a list. A key is a sum modulo 2⁶⁴; what it finds is compared in full."""

    def __init__(self, labels: Tensor) -> None:
        super().__init__()
        seed, distinct = 0, False
        while not distinct:  # once, unless two rows meet in a key
            generator = torch.Generator().manual_seed(seed)
            factors = torch.randint(-(2**62), 2**62, (labels.shape[1],), generator=generator)
            keys, places = torch.cat(
                [_keys(part, factors) for part in labels.split(budgets.LOOKUP_BLOCK_LABELS)]
            ).sort()
            distinct = bool((keys[1:] != keys[:-1]).all())
            seed += 1
        for name, value in (("factors", factors), ("keys", keys), ("places", places)):
            self.register_buffer(name, value, persistent=False)

    def forward(self, targets: Tensor, labels: Tensor) -> Tensor:
        """Which rows of targets are rows of `labels`, the list that this was made of."""
        spot = torch.searchsorted(self.keys, _keys(targets, self.factors)).clamp(max=len(self.keys) - 1)
        return (labels[self.places[spot]] == targets).all(dim=1)


def _keys(rows: Tensor, factors: Tensor) -> Tensor:
    return (rows.long() * factors).sum(dim=1)
