"""FeasibleLayer: logits in, labels that obey the mined rules out."""

# mypy: disallow-subclassing-any=False, disallow-untyped-decorators=False
from __future__ import annotations

from typing import Any, Literal, get_args

import torch
from torch import Tensor

from unwritten.errors import DataError
from unwritten.model import Model
from unwritten.torch.gaussian_noise import GaussianNoise
from unwritten.torch.label_set import LabelSet
from unwritten.torch.label_set_module import LabelSetModule
from unwritten.torch.perturbed import perturbed_argmax
from unwritten.torch.tensor_checks import require_choice, require_positive

Gradient = Literal["straight-through", "perturbed", None]


class FeasibleLayer(LabelSetModule):
    """The feasible label with the largest w·y for each row of logits w, on their device and in their type.

    Parameters
    ----------
    model
        A mined model, or a `LabelSet` that several modules share.
    gradient
        The gradient in training. "straight-through" passes gradients back unchanged, as if the layer were the identity
        (Bengio, Léonard & Courville 2013). "perturbed" outputs the mean of the best labels under noise, which has a
        gradient of its own (`perturbed_argmax`). None passes no gradient. In evaluation mode the layer always outputs
        the best label, without a gradient.
    samples, sigma, seed
        For "perturbed": the number of draws, the scale of the noise in units of the logits, and the seed (None: torch's
        global generator).

    Examples
    --------
    >>> import unwritten, torch
    >>> layer = FeasibleLayer(unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40))
    >>> layer(torch.tensor([[0.9, 0.8, -0.1], [-0.3, -0.2, -0.4]]))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """

    def __init__(
        self,
        model: Model | LabelSet,
        gradient: Gradient = "straight-through",
        samples: int = 16,
        sigma: float = 1.0,
        seed: int | None = None,
    ) -> None:
        super().__init__(model)
        require_choice(gradient, get_args(Gradient), "gradient")
        require_positive(sigma, "sigma")
        self.gradient = gradient
        self.noise = GaussianNoise(samples, seed)
        self.sigma = sigma

    @torch.compiler.disable
    def forward(self, logits: Tensor) -> Tensor:
        """Labels (batch × d) for logits (batch × d)."""
        weights = self.labels.checked(logits)
        self._check_type(logits)
        if not self.training or self.gradient is None:
            return _best_labels(weights, self.labels).to(logits.dtype)
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
        return _best_labels(logits, labels).to(logits.dtype)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient, None


def _best_labels(logits: Tensor, labels: LabelSet) -> Tensor:
    """The same labels as `Model.predict`, which compares values in float64 (the "mps" device has no float64)."""
    return labels.argmax(logits if logits.device.type == "mps" else logits.double())
