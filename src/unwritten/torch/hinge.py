"""Structured hinge loss: every other label should score less, by its distance from the right one."""

from __future__ import annotations

from torch import Tensor

from unwritten.model import Model
from unwritten.torch.label_set import LabelSet
from unwritten.torch.label_set_loss import LabelSetLoss, LossBatch, OnInfeasible, Reduction
from unwritten.torch.tensor_checks import require_at_least


def structured_hinge_loss(
    logits: Tensor,
    targets: Tensor,
    labels: LabelSet,
    *,
    scale: float = 1.0,
    reduction: Reduction = "mean",
    on_infeasible: OnInfeasible = "error",
) -> Tensor:
    """max_{y ∈ S} [scale · Δ(y, y*) + w·y] − w·y*; see `StructuredHingeLoss`."""
    return StructuredHingeLoss(labels, scale, reduction, on_infeasible)(logits, targets)


class StructuredHingeLoss(LabelSetLoss):
    """Margin rescaling (Taskar, Guestrin & Koller 2003; Tsochantaridis et al. 2005, eq. 9) with Hamming distance Δ.

    The loss is max_{y ∈ S} [scale · Δ(y, y*) + w·y] − w·y*, and ŷ − y* is a subgradient, where ŷ attains the maximum.
    It is exact for sets of any size: Δ is linear on 0/1 labels, so that ŷ is one decision.

    Parameters
    ----------
    scale
        The margin, in units of the logits, that each wrong variable adds.
    model, reduction, on_infeasible
        As in `CRFLoss`.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = StructuredHingeLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40))
    >>> loss(torch.tensor([[0.0, 1.5, 0.0]]), torch.tensor([[0, 1, 0]])).item()  # the margin is 2
    0.5
    """

    def __init__(
        self,
        model: Model | LabelSet,
        scale: float = 1.0,
        reduction: Reduction = "mean",
        on_infeasible: OnInfeasible = "error",
    ) -> None:
        super().__init__(model, reduction, on_infeasible)
        require_at_least(scale, 0, "scale")
        self.scale = scale

    def row_losses(self, batch: LossBatch) -> Tensor:
        """scale · Δ(ŷ, y*) + w·(ŷ − y*) of each row."""
        shifted = batch.logits + self.scale * (1 - 2 * batch.targets)  # Δ(y, y*) = |y*| + (1 − 2y*)·y
        worst = self.labels.best_or_target(shifted, batch.targets)
        difference = worst - batch.targets
        return (batch.logits * difference).sum(dim=1) + self.scale * difference.abs().sum(dim=1)

    def extra_repr(self) -> str:
        """The settings."""
        return f"scale={self.scale}, {super().extra_repr()}"
