"""Gaussian noise for perturbed maxima, drawn from torch's global generator or from a seed."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from unwritten.errors import DataError
from unwritten.torch.tensor_checks import require_at_least


class GaussianNoise:
    """Standard normal noise (samples × batch × d); with a seed, the k-th draw is the same in every run.

    It holds plain numbers only, so that it can be copied and pickled; a copy continues with the same draws.
    """

    def __init__(self, samples: int, seed: int | None) -> None:
        require_at_least(samples, 1, "samples")
        if not isinstance(samples, int):
            raise DataError(f"samples is {samples!r}: give a whole number")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise DataError(f"seed is {seed!r}: give a whole number of at least 0, or None")
        self.samples = samples
        self.seed = seed
        self.draws = 0

    def draw(self, logits: Tensor) -> Tensor:
        """Draw fresh noise on the device of the logits; float64 if they are, else float32."""
        dtype = logits.dtype if logits.dtype == torch.float64 else torch.float32
        generator = None
        if self.seed is not None:
            state = np.random.SeedSequence([self.seed, self.draws]).generate_state(1, np.uint64)[0]
            generator = torch.Generator(device=logits.device).manual_seed(int(state >> np.uint64(1)))
        self.draws += 1
        return torch.randn((self.samples, *logits.shape), dtype=dtype, device=logits.device, generator=generator)
