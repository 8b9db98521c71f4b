"""Perturbed maximisation: the mean of the best labels under noise, which has a gradient."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from unwritten.torch.label_set import LabelSet
from unwritten.torch.tensor_checks import checked_noise, require_positive


def perturbed_argmax(logits: Tensor, labels: LabelSet, noise: Tensor, sigma: float = 1.0) -> Tensor:
    """mean_m ŷ(w + σ z_m) for given noise z (samples × batch × d), an estimate of E[ŷ(w + σZ)].

    The Jacobian of E[ŷ_i(w + σZ)] is E[ŷ_i Z_j] / σ (Berthet et al. 2020, Proposition 3.1). It is estimated from the
    same draws, after the mean of the other draws is subtracted from each ŷ. Because E[Z] = 0, the subtraction adds no
    bias, and it lowers the variance.

    Examples
    --------
    >>> import unwritten, torch
    >>> labels = LabelSet(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40))
    >>> noise = torch.tensor([[[0.0, 0.0, 0.0]], [[0.0, 0.0, 2.0]]])
    >>> perturbed_argmax(torch.tensor([[0.0, 1.0, 0.0]]), labels, noise)
    tensor([[0.0000, 0.5000, 0.5000]])
    """
    require_positive(sigma, "sigma")
    weights = labels.checked(logits)
    return _PerturbedArgmax.apply(weights, labels, checked_noise(noise, weights), sigma).to(logits.dtype)


class _PerturbedArgmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, labels: LabelSet, noise: Tensor, sigma: float) -> Tensor:
        best_labels = labels.argmax((weights + sigma * noise).flatten(0, 1)).view_as(noise)
        ctx.save_for_backward(best_labels, noise)
        ctx.sigma = sigma
        return best_labels.mean(dim=0)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        best_labels, noise = ctx.saved_tensors
        samples = len(noise)
        value = (best_labels * gradient).sum(dim=2, keepdim=True)
        if samples > 1:  # value − mean of the others = (value − mean of all) · samples / (samples − 1)
            value = (value - value.mean(dim=0)) * (samples / (samples - 1))
        return (value * noise).mean(dim=0) / ctx.sigma, None, None, None
