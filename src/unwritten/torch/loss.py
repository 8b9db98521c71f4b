"""What all losses over a mined set share: their settings, targets that are feasible, and the mean over a batch."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.torch.checks import checked_choice, checked_targets
from unwritten.torch.labelset import LabelSet

REDUCTIONS = ("mean", "sum", "none")
ON_INFEASIBLE = ("error", "nearest", "skip")


class Batch(NamedTuple):
    """Checked logits w and targets y* (batch × d), and which rows count."""

    logits: Tensor
    targets: Tensor
    kept: Tensor

    def reduced(self, values: Tensor, reduction: str) -> Tensor:
        """The losses of the rows that count, as one number or (with "none") each, 0 where a row does not count."""
        checked_choice(reduction, REDUCTIONS, "reduction")
        values = values.masked_fill(~self.kept, 0.0)
        if reduction == "none":
            return values
        return values.sum() / self.kept.sum().clamp(min=1) if reduction == "mean" else values.sum()


def batch_of(logits: Tensor, targets: Tensor, labels: LabelSet, on_infeasible: str) -> Batch:
    """Logits and targets, checked, with what to do about targets that break the rules done."""
    checked_choice(on_infeasible, ON_INFEASIBLE, "on_infeasible")
    if not labels.binary:
        raise DataError("the labels are not all 0 or 1: mine one-hot columns to train with a loss over them")
    weights = labels.checked(logits)
    wanted = checked_targets(targets, weights)
    kept = labels.contains(wanted)
    if kept.all():
        return Batch(weights, wanted, kept)
    if on_infeasible == "error":
        row = int((~kept).nonzero()[0])
        raise DataError(
            f"the target of row {row} breaks the mined rules ({int((~kept).sum())} of {len(kept)} rows do): "
            'correct it, or set on_infeasible to "nearest" or "skip"'
        )
    if on_infeasible == "nearest":
        wanted = wanted.clone()
        wanted[~kept] = labels.argmax(2 * wanted[~kept] - 1)
        kept = torch.ones_like(kept)
    return Batch(weights, wanted, kept)


class SetLoss(nn.Module):
    """A loss over the feasible labels of a model, or over a `LabelSet` that several modules share."""

    def __init__(
        self,
        model: Model | LabelSet,
        reduction: str = "mean",
        on_infeasible: str = "error",
        limit: int = budgets.LABELSET_LABELS,
    ) -> None:
        super().__init__()
        checked_choice(reduction, REDUCTIONS, "reduction")
        checked_choice(on_infeasible, ON_INFEASIBLE, "on_infeasible")
        self.labels = model if isinstance(model, LabelSet) else LabelSet(model, limit)
        self.reduction = reduction
        self.on_infeasible = on_infeasible

    def extra_repr(self) -> str:
        """The settings."""
        return f"reduction={self.reduction!r}, on_infeasible={self.on_infeasible!r}"
