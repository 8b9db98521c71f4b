"""SPO+ loss: a convex bound on what deciding by predicted weights loses against deciding by the true ones."""

# mypy: disallow-subclassing-any=False, disallow-untyped-decorators=False
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from unwritten.errors import DataError
from unwritten.torch.label_set import LabelSet
from unwritten.torch.label_set_loss import LabelSetLoss, OnInfeasible, Reduction
from unwritten.torch.tensor_checks import checked_weights


def spo_plus_loss(
    logits: Tensor,
    targets: Tensor | None,
    labels: LabelSet,
    *,
    weights: Tensor | None = None,
    reduction: Reduction = "mean",
    on_infeasible: OnInfeasible = "error",
) -> Tensor:
    """max_{y ∈ S} (2w − c)·y − 2w·y* + c·y*; see `SPOPlusLoss`."""
    return SPOPlusLoss(labels, reduction, on_infeasible)(logits, targets, weights)


class SPOPlusLoss(LabelSetLoss):
    """SPO+ (Elmachtoub & Grigas 2022, Definition 3), written for weights that are maximised.

    For predicted weights w, true weights c and the label y* that is best for c, the loss is
    max_{y ∈ S} (2w − c)·y − 2w·y* + c·y*. It is convex in w and at least c·y* − c·y(w), what is lost by deciding with
    w; 2(ŷ − y*) is a subgradient, where ŷ attains the maximum. It is exact for sets of any size.

    If only labels are known, c = 2y* − 1, for which y* is best; the loss is then twice the structured hinge loss
    of scale ½.

    Parameters
    ----------
    model, reduction, on_infeasible
        As in `CRFLoss`.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = SPOPlusLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40))
    >>> loss(torch.tensor([[0.0, 0.5, 0.0]]), torch.tensor([[0, 1, 0]])).item()
    1.0
    >>> loss(torch.tensor([[0.0, 0.5, 0.0]]), weights=torch.tensor([[1.0, 4.0, 2.0]])).item()
    2.0
    """

    @torch.compiler.disable
    def forward(self, logits: Tensor, targets: Tensor | None = None, weights: Tensor | None = None) -> Tensor:
        """The loss of logits (batch × d) for 0/1 targets, for true weights, or for weights and their best labels."""
        predicted = self.labels.checked(logits)
        true = None if weights is None else checked_weights(weights, predicted)
        if targets is None:
            if true is None:
                raise DataError("there is nothing to learn from: give targets, weights or both")
            targets = self.labels.argmax(true)
        batch = self.batch(predicted, targets)
        true = 2 * batch.targets - 1 if true is None else true
        return self.reduced(_SPOPlus.apply(batch.logits, batch.targets, true, self.labels), batch)


class _SPOPlus(torch.autograd.Function):
    """The values, with the subgradient 2(ŷ − y*) of Elmachtoub & Grigas, Proposition 3, for maximisation."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, weights: Tensor, labels: LabelSet) -> Tensor:
        shifted = 2 * logits - weights
        difference = labels.best_or_target(shifted, targets) - targets
        ctx.save_for_backward(difference)
        return (shifted * difference).sum(dim=1)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        (difference,) = ctx.saved_tensors
        return 2 * gradient[:, None] * difference, None, None, None
