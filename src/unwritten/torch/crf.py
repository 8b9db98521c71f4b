"""CRF loss: the negative log-likelihood of a label among the feasible ones."""

from __future__ import annotations

import torch
from torch import Tensor

from unwritten.torch.label_set import LabelSet
from unwritten.torch.label_set_loss import LabelSetLoss, LossBatch, OnInfeasible, Reduction


def crf_loss(
    logits: Tensor,
    targets: Tensor,
    labels: LabelSet,
    *,
    reduction: Reduction = "mean",
    on_infeasible: OnInfeasible = "error",
) -> Tensor:
    """log Σ_{y ∈ S} exp(w·y) − w·y*; see `CRFLoss`."""
    return CRFLoss(labels, reduction, on_infeasible)(logits, targets)


class CRFLoss(LabelSetLoss):
    """Conditional random field over the mined set (Lafferty, McCallum & Pereira 2001).

    With p(y | w) = exp(w·y) / Σ_{y' ∈ S} exp(w·y') over the labels S, the loss is −log p(y* | w), i.e.
    log Σ_{y ∈ S} exp(w·y) − w·y*, and its gradient is E[y] − y*: the marginals less the target.

    S is the `LabelSet`: all labels that obey the rules if they can be listed, else the seen labels. A `FeasibleLayer`
    of the same model decodes over the same S. A target outside a set of seen labels that obeys the rules is added to
    the sum of its row.

    Parameters
    ----------
    model
        A mined model, or a `LabelSet`.
    reduction
        "mean" (over the rows that count), "sum" or "none".
    on_infeasible
        What to do if a target breaks the rules: raise an "error", replace it by the "nearest" feasible label (in
        Hamming distance), or "skip" its row.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = CRFLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40))
    >>> round(loss(torch.zeros(1, 3), torch.tensor([[0, 1, 0]])).item(), 4)  # log 3
    1.0986
    """

    def row_losses(self, batch: LossBatch) -> Tensor:
        """log Σ_{y ∈ S} exp(w·y) − w·y* of each row."""
        target_value = (batch.logits * batch.targets).sum(dim=1)
        total = self.labels.logsumexp(batch.logits)
        if self.labels.kind == "seen":
            listed = self.labels.listed(batch.targets)
            total = torch.where(listed, total, torch.logaddexp(total, target_value))
        return total - target_value
