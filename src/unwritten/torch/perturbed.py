"""Perturbed maximisation: the mean of the best labels under noise, which has a gradient."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from unwritten.torch.checks import checked_noise, checked_number
from unwritten.torch.labelset import LabelSet


def perturbed_argmax(logits: Tensor, labels: LabelSet, noise: Tensor, sigma: float = 1.0) -> Tensor:
    """mean_m ŷ(w + σ z_m) for given noise z (samples × batch × d), an estimate of E[ŷ(w + σZ)].

    The Jacobian of E[ŷ_i(w + σZ)] is E[ŷ_i Z_j] / σ (Berthet et al. 2020, Proposition 3.1). It is estimated from the
    same draws, each ŷ less the mean of the others (for which E[Z] = 0 leaves no bias, and less noise).

    Examples
    --------
    >>> import unwritten, torch
    >>> labels = LabelSet(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9))
    >>> noise = torch.tensor([[[0.0, 0.0, 0.0]], [[0.0, 0.0, 2.0]]])
    >>> perturbed_argmax(torch.tensor([[0.0, 1.0, 0.0]]), labels, noise)
    tensor([[0.0000, 0.5000, 0.5000]])
    """
    checked_number(sigma, "sigma", least=0.0, strictly=True)
    weights = labels.checked(logits)
    return _Perturbed.apply(weights, labels, checked_noise(noise, weights), sigma).to(logits.dtype)


class _Perturbed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, labels: LabelSet, noise: Tensor, sigma: float) -> Tensor:
        found = labels.argmax((weights + sigma * noise).flatten(0, 1)).view_as(noise)
        ctx.save_for_backward(found, noise)
        ctx.sigma = sigma
        return found.mean(dim=0)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        found, noise = ctx.saved_tensors
        samples = len(noise)
        value = (found * gradient).sum(dim=2, keepdim=True)
        if samples > 1:
            value = (value - value.mean(dim=0)) * (samples / (samples - 1))
        return (value * noise).mean(dim=0) / ctx.sigma, None, None, None
