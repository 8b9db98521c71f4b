"""CRF loss: the negative log-likelihood of a label among the feasible ones."""

# mypy: disallow-untyped-decorators=False
from __future__ import annotations

import torch
from torch import Tensor

from unwritten.torch.labelset import LabelSet
from unwritten.torch.loss import SetLoss, batch_of


def crf_loss(
    logits: Tensor, targets: Tensor, labels: LabelSet, *, reduction: str = "mean", on_infeasible: str = "error"
) -> Tensor:
    """log Σ_{y ∈ S} exp(w·y) − w·y*; see `CRFLoss`."""
    batch = batch_of(logits, targets, labels, on_infeasible)
    attained = (batch.logits * batch.targets).sum(dim=1)
    total = labels.logsumexp(batch.logits)
    if not labels.exact:
        listed = labels.listed(batch.targets)
        total = torch.where(listed, total, torch.logaddexp(total, attained))
    return batch.reduced(total - attained, reduction)


class CRFLoss(SetLoss):
    """Conditional random field over the mined set (Lafferty, McCallum & Pereira 2001).

    With p(y | w) = exp(w·y) / Σ_{y' ∈ S} exp(w·y') over the feasible labels S, the loss is −log p(y* | w), i.e.
    log Σ_{y ∈ S} exp(w·y) − w·y*, and its gradient is E[y] − y*: the marginals less the target.

    If S is too large to list (`labels.exact` is False) it is replaced by the seen labels and the target, which bounds
    the loss from below.

    Parameters
    ----------
    model
        A mined model, or a `LabelSet`.
    reduction
        "mean" (over the rows that count), "sum" or "none".
    on_infeasible
        What to do about a target that breaks the rules: "error", take the "nearest" feasible label (in Hamming
        distance), or "skip" the row.
    limit
        See `LabelSet`.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = CRFLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9))
    >>> round(loss(torch.zeros(1, 3), torch.tensor([[0, 1, 0]])).item(), 4)  # log 3
    1.0986
    """

    @torch.compiler.disable
    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """The loss of logits (batch × d) for 0/1 targets (batch × d)."""
        return crf_loss(logits, targets, self.labels, reduction=self.reduction, on_infeasible=self.on_infeasible)
