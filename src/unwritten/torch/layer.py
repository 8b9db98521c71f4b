"""FeasibleLayer: logits in, labels that obey the mined rules out."""

# mypy: disallow-subclassing-any=False, disallow-untyped-decorators=False
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.torch.checks import checked_choice, checked_number
from unwritten.torch.labelset import LabelSet
from unwritten.torch.noise import Noise
from unwritten.torch.perturbed import perturbed_argmax

GRADIENTS = ("straight-through", "perturbed", None)


class FeasibleLayer(nn.Module):
    """The feasible label with the largest w·y for each row of logits w, on their device and in their type.

    Parameters
    ----------
    model
        A mined model, or a `LabelSet` that several modules share.
    gradient
        What training passes back: "straight-through" takes the layer for the identity (Bengio, Léonard & Courville
        2013); "perturbed" puts out the mean of the best labels under noise, and its gradient (`perturbed_argmax`);
        None passes nothing. In evaluation mode the layer decodes, and has no gradient.
    samples, sigma, seed
        For "perturbed": how many draws, of which scale, and from which seed (None: torch's global generator).
    limit
        See `LabelSet`.

    Examples
    --------
    >>> import unwritten, torch
    >>> layer = FeasibleLayer(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9))
    >>> layer(torch.tensor([[0.9, 0.8, -0.1], [-0.3, -0.2, -0.4]]))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """

    def __init__(
        self,
        model: Model | LabelSet,
        gradient: str | None = "straight-through",
        samples: int = 16,
        sigma: float = 1.0,
        seed: int | None = None,
        limit: int = budgets.LABELSET_LABELS,
    ) -> None:
        super().__init__()
        checked_choice(gradient, GRADIENTS, "gradient")
        checked_number(sigma, "sigma", least=0.0, strictly=True)
        self.labels = model if isinstance(model, LabelSet) else LabelSet(model, limit)
        self.gradient = gradient
        self.noise = Noise(samples, seed)
        self.sigma = sigma

    @torch.compiler.disable
    def forward(self, logits: Tensor) -> Tensor:
        """Labels (batch × d) for logits (batch × d)."""
        weights = self.labels.checked(logits)
        self._check_type(logits)
        if not self.training or self.gradient is None:
            return _decoded(weights, self.labels).to(logits.dtype)
        if self.gradient == "straight-through":
            return _StraightThrough.apply(logits, self.labels)
        return perturbed_argmax(logits, self.labels, self.noise.draw(logits), self.sigma)

    def extra_repr(self) -> str:
        """The settings."""
        more = f", samples={self.noise.samples}, sigma={self.sigma}" if self.gradient == "perturbed" else ""
        return f"gradient={self.gradient!r}{more}"

    def _check_type(self, logits: Tensor) -> None:
        """Refuse types that cannot hold every label exactly."""
        variables = self.labels.model.variables
        largest = max(abs(int(variables.lower.min())), abs(int(variables.upper.max())))
        if largest > 2 / torch.finfo(logits.dtype).eps:
            raise DataError(f"labels go up to {largest}, too large for {logits.dtype} logits: use .double() on them")


class _StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, labels: LabelSet) -> Tensor:
        return _decoded(logits, labels).to(logits.dtype)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient, None


def _decoded(logits: Tensor, labels: LabelSet) -> Tensor:
    """The same labels as `Model.predict`, which compares values in float64."""
    return labels.argmax(logits if logits.device.type == "mps" else logits.double())
