"""Structured hinge loss: every other label should score less, by its distance from the right one."""

# mypy: disallow-untyped-decorators=False
from __future__ import annotations

import torch
from torch import Tensor

from unwritten import budgets
from unwritten.model import Model
from unwritten.torch.checks import checked_number
from unwritten.torch.labelset import LabelSet
from unwritten.torch.loss import SetLoss, batch_of


def structured_hinge_loss(
    logits: Tensor,
    targets: Tensor,
    labels: LabelSet,
    *,
    scale: float = 1.0,
    reduction: str = "mean",
    on_infeasible: str = "error",
) -> Tensor:
    """max_{y ∈ S} [scale · Δ(y, y*) + w·y] − w·y*; see `StructuredHingeLoss`."""
    checked_number(scale, "scale", least=0.0)
    batch = batch_of(logits, targets, labels, on_infeasible)
    worst = labels.argmax(batch.logits + scale * (1 - 2 * batch.targets))  # Δ(y, y*) = |y*| + (1 − 2y*)·y
    apart = worst - batch.targets
    return batch.reduced((batch.logits * apart).sum(dim=1) + scale * apart.abs().sum(dim=1), reduction)


class StructuredHingeLoss(SetLoss):
    """Margin rescaling (Taskar, Guestrin & Koller 2003; Tsochantaridis et al. 2005, eq. 9) with Hamming distance Δ.

    The loss is max_{y ∈ S} [scale · Δ(y, y*) + w·y] − w·y*, and ŷ − y* is a subgradient, where ŷ attains the maximum.
    It is exact for sets of any size: Δ is linear on 0/1 labels, so that ŷ is one decision.

    Parameters
    ----------
    scale
        Of the distance: the margin that each wrong variable asks for.
    model, reduction, on_infeasible, limit
        As of `CRFLoss`.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = StructuredHingeLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9))
    >>> loss(torch.tensor([[0.0, 1.5, 0.0]]), torch.tensor([[0, 1, 0]])).item()  # the margin is 2
    0.5
    """

    def __init__(
        self,
        model: Model | LabelSet,
        scale: float = 1.0,
        reduction: str = "mean",
        on_infeasible: str = "error",
        limit: int = budgets.LABELSET_LABELS,
    ) -> None:
        super().__init__(model, reduction, on_infeasible, limit)
        checked_number(scale, "scale", least=0.0)
        self.scale = scale

    @torch.compiler.disable
    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """The loss of logits (batch × d) for 0/1 targets (batch × d)."""
        return structured_hinge_loss(
            logits,
            targets,
            self.labels,
            scale=self.scale,
            reduction=self.reduction,
            on_infeasible=self.on_infeasible,
        )
