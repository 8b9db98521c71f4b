"""Perturbed Fenchel–Young loss: the best label under noise should on average be the right one."""

# mypy: disallow-untyped-decorators=False
from __future__ import annotations

import torch
from torch import Tensor

from unwritten import budgets
from unwritten.model import Model
from unwritten.torch.checks import checked_noise, checked_number
from unwritten.torch.labelset import LabelSet
from unwritten.torch.loss import SetLoss, batch_of
from unwritten.torch.noise import Noise


def fenchel_young_loss(
    logits: Tensor,
    targets: Tensor,
    labels: LabelSet,
    noise: Tensor,
    *,
    sigma: float = 1.0,
    reduction: str = "mean",
    on_infeasible: str = "error",
) -> Tensor:
    """mean_m [max_{y ∈ S} (w + σ z_m)·y − (w + σ z_m)·y*] for given noise z (samples × batch × d).

    See `FenchelYoungLoss`; with the same noise, finite differences of the values are the gradient.
    """
    checked_number(sigma, "sigma", least=0.0, strictly=True)
    batch = batch_of(logits, targets, labels, on_infeasible)
    noisy = batch.logits + sigma * checked_noise(noise, batch.logits)
    apart = labels.argmax(noisy.flatten(0, 1)).view_as(noisy) - batch.targets
    return batch.reduced((noisy * apart).sum(dim=2).mean(dim=0), reduction)


class FenchelYoungLoss(SetLoss):
    """The Fenchel–Young loss of perturbed maximisation (Berthet et al. 2020, Section 4).

    With F(w) = E max_{y ∈ S} (w + σZ)·y for standard normal Z, the loss is F(w) − w·y*: the paper's less Ω(y*), which
    does not depend on w. Its gradient is E[ŷ(w + σZ)] − y*, where ŷ attains the maximum. Both are means over `samples`
    draws; subtracting σZ·y*, of mean 0, in each draw keeps the estimate from falling below 0.

    It is exact, up to sampling, for sets of any size; of a set that is not listed each draw costs one decision.

    Parameters
    ----------
    samples
        Draws of noise for each row.
    sigma
        Scale of the noise, in units of the logits.
    seed
        None draws from torch's global generator; a seed makes the k-th call draw the same noise in every run.
    model, reduction, on_infeasible, limit
        As of `CRFLoss`.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = FenchelYoungLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9), samples=1000, seed=0)
    >>> loss(torch.tensor([[0.0, 9.0, 0.0]]), torch.tensor([[0, 1, 0]])).item()  # far ahead of the noise
    0.0
    """

    def __init__(
        self,
        model: Model | LabelSet,
        samples: int = 8,
        sigma: float = 1.0,
        seed: int | None = None,
        reduction: str = "mean",
        on_infeasible: str = "error",
        limit: int = budgets.LABELSET_LABELS,
    ) -> None:
        super().__init__(model, reduction, on_infeasible, limit)
        checked_number(sigma, "sigma", least=0.0, strictly=True)
        self.noise = Noise(samples, seed)
        self.sigma = sigma

    @torch.compiler.disable
    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """The loss of logits (batch × d) for 0/1 targets (batch × d)."""
        return fenchel_young_loss(
            logits,
            targets,
            self.labels,
            self.noise.draw(logits),
            sigma=self.sigma,
            reduction=self.reduction,
            on_infeasible=self.on_infeasible,
        )
