"""Perturbed Fenchel–Young loss: the best label under noise should on average be the right one."""

# mypy: disallow-untyped-decorators=False
from __future__ import annotations

import torch
from torch import Tensor

from unwritten.model import Model
from unwritten.torch.gaussian_noise import GaussianNoise
from unwritten.torch.label_set import LabelSet
from unwritten.torch.label_set_loss import LabelSetLoss, OnInfeasible, Reduction
from unwritten.torch.tensor_checks import checked_noise, require_positive


def fenchel_young_loss(
    logits: Tensor,
    targets: Tensor,
    labels: LabelSet,
    noise: Tensor,
    *,
    sigma: float = 1.0,
    reduction: Reduction = "mean",
    on_infeasible: OnInfeasible = "error",
) -> Tensor:
    """mean_m [max_{y ∈ S} (w + σ z_m)·y − (w + σ z_m)·y*] for given noise z (samples × batch × d).

    See `FenchelYoungLoss`; with the same noise, finite differences of the values are the gradient.
    """
    loss = FenchelYoungLoss(labels, sigma=sigma, reduction=reduction, on_infeasible=on_infeasible)
    return loss.with_noise(logits, targets, noise)


class FenchelYoungLoss(LabelSetLoss):
    """The Fenchel–Young loss of perturbed maximisation (Berthet et al. 2020, Section 4).

    With F(w) = E max_{y ∈ S} (w + σZ)·y for standard normal Z, the loss is F(w) − w·y*. (The paper's loss also has
    Ω(y*), which does not depend on w.) Its gradient is E[ŷ(w + σZ)] − y*, where ŷ attains the maximum. Both are means
    over `samples` draws. Each draw also subtracts σZ·y*, of mean 0, which keeps the estimate from falling below 0.

    It is exact, up to sampling, for sets of any kind; for labels under rules, each draw costs one decision.

    Parameters
    ----------
    samples
        The number of draws of noise for each row.
    sigma
        The scale of the noise, in units of the logits.
    seed
        None draws from torch's global generator; a seed makes the k-th call draw the same noise in every run.
    model, reduction, on_infeasible
        As in `CRFLoss`.

    Examples
    --------
    >>> import unwritten, torch
    >>> loss = FenchelYoungLoss(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40), samples=1000, seed=0)
    >>> loss(torch.tensor([[0.0, 9.0, 0.0]]), torch.tensor([[0, 1, 0]])).item()  # far ahead of the noise
    0.0
    """

    def __init__(
        self,
        model: Model | LabelSet,
        samples: int = 8,
        sigma: float = 1.0,
        seed: int | None = None,
        reduction: Reduction = "mean",
        on_infeasible: OnInfeasible = "error",
    ) -> None:
        super().__init__(model, reduction, on_infeasible)
        require_positive(sigma, "sigma")
        self.noise = GaussianNoise(samples, seed)
        self.sigma = sigma

    @torch.compiler.disable
    def forward(self, logits: Tensor, targets: Tensor) -> Tensor:
        """The loss of logits (batch × d) for 0/1 targets (batch × d), with fresh noise."""
        return self.with_noise(logits, targets, self.noise.draw(logits))

    def with_noise(self, logits: Tensor, targets: Tensor, noise: Tensor) -> Tensor:
        """The loss with given noise (samples × batch × d)."""
        batch = self.batch(logits, targets)
        noisy = batch.logits + self.sigma * checked_noise(noise, batch.logits)
        every_target = batch.targets.expand_as(noisy).flatten(0, 1)
        best_labels = self.labels.best_or_target(noisy.flatten(0, 1), every_target)
        difference = best_labels.view_as(noisy) - batch.targets
        return self.reduced((noisy * difference).sum(dim=2).mean(dim=0), batch)

    def extra_repr(self) -> str:
        """The settings."""
        return f"samples={self.noise.samples}, sigma={self.sigma}, {super().extra_repr()}"
