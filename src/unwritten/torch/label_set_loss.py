"""LabelSetLoss: what all losses over a label set share: settings, feasible targets, and the mean over a batch."""

# mypy: disallow-untyped-decorators=False
from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import torch
from torch import Tensor

from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.torch.label_set import LabelSet
from unwritten.torch.label_set_module import LabelSetModule
from unwritten.torch.tensor_checks import checked_targets, require_choice

Reduction = Literal["mean", "sum", "none"]
OnInfeasible = Literal["error", "nearest", "skip"]


class LossBatch(NamedTuple):
    """Checked logits w and targets y* (batch × d), and which rows count."""

    logits: Tensor
    targets: Tensor
    counted: Tensor


class LabelSetLoss(LabelSetModule):
    """A loss for each row of logits and 0/1 targets, and its mean or sum over the rows.

    A subclass defines `row_losses`; if it needs more than logits and targets, it defines `forward` instead.
    """

    def __init__(
        self,
        model: Model | LabelSet,
        reduction: Reduction = "mean",
        on_infeasible: OnInfeasible = "error",
    ) -> None:
        super().__init__(model)
        require_choice(reduction, get_args(Reduction), "reduction")
        require_choice(on_infeasible, get_args(OnInfeasible), "on_infeasible")
        self.reduction = reduction
        self.on_infeasible = on_infeasible

    @torch.compiler.disable
    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """The loss of logits (batch × d) for 0/1 targets (batch × d)."""
        batch = self.batch(logits, targets)
        return self.reduced(self.row_losses(batch), batch)

    def row_losses(self, batch: LossBatch) -> Tensor:
        """The loss of each row."""
        raise NotImplementedError

    def batch(self, logits: Tensor, targets: Tensor) -> LossBatch:
        """Check logits and targets, and treat targets that break the rules as `on_infeasible` says."""
        if not self.labels.binary:
            raise DataError("the labels are not all 0 or 1: mine one-hot columns to train with a loss over them")
        weights = self.labels.checked(logits)
        targets = checked_targets(targets, weights)
        feasible = self.labels.contains(targets)
        if feasible.all() or self.on_infeasible == "skip":
            return LossBatch(weights, targets, feasible)
        if self.on_infeasible == "error":
            row = int((~feasible).nonzero()[0])
            raise DataError(
                f"the target of row {row} breaks the mined rules ({int((~feasible).sum())} of {len(feasible)} rows "
                'do): correct it, or set on_infeasible to "nearest" or "skip"'
            )
        targets = targets.clone()
        targets[~feasible] = self.labels.argmax(2 * targets[~feasible] - 1)
        return LossBatch(weights, targets, torch.ones_like(feasible))

    def reduced(self, row_losses: Tensor, batch: LossBatch) -> Tensor:
        """The mean or sum over the rows that count; with "none", the loss of each row, 0 if it does not count."""
        row_losses = row_losses.masked_fill(~batch.counted, 0.0)
        if self.reduction == "none":
            return row_losses
        total = row_losses.sum()
        return total / batch.counted.sum().clamp(min=1) if self.reduction == "mean" else total

    def extra_repr(self) -> str:
        """The settings."""
        return f"reduction={self.reduction!r}, on_infeasible={self.on_infeasible!r}"
