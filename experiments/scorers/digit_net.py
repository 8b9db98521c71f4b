"""A small convolutional net that reads one digit. It is trained on single cells and knows nothing about grids."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.paper.nets import load_torch, one_thread
from experiments.scorers.digit_images import SIDE, shifted
from unwritten.data import FloatArray, IntArray

BATCH, RATE, DROPOUT = 64, 1e-3, 0.5
CHANNELS = (16, 32)


class DigitNet:
    """Two 3 × 3 convolutions, one pooling layer, dropout and one linear layer."""

    def __init__(self, seed: int) -> None:
        self._torch = torch = load_torch()
        self._seed = seed
        nn, (first, second) = torch.nn, CHANNELS
        with torch.random.fork_rng(devices=[]):  # leave the caller's random generator unchanged
            torch.manual_seed(seed)
            self._net = nn.Sequential(
                nn.Unflatten(1, (1, SIDE, SIDE)),
                nn.Conv2d(1, first, 3, padding=1),
                nn.ReLU(),
                nn.Conv2d(first, second, 3, padding=1),
                nn.ReLU(),
                nn.MaxPool2d(2),
                nn.Flatten(),
                nn.Dropout(DROPOUT),
                nn.Linear(second * (SIDE // 2) ** 2, 9),
            )

    def fit(
        self,
        images: FloatArray,
        digits: IntArray,
        validation: tuple[FloatArray, IntArray],
        epochs: int,
    ) -> DigitNet:
        """Train by Adam on the cross-entropy of the digits, and keep the epoch with the least validation loss."""
        torch = self._torch
        wanted = torch.from_numpy(digits - 1)
        optimiser = torch.optim.Adam(self._net.parameters(), lr=RATE)
        order = np.random.default_rng(self._seed)
        least_loss, best_state = np.inf, self._copy()
        with one_thread(torch), torch.random.fork_rng(devices=[]):
            torch.manual_seed(self._seed)  # for the dropout
            for _ in range(epochs):
                self._net.train()
                given = self._tensor(shifted(images, order))
                for rows in torch.from_numpy(order.permutation(len(given))).split(BATCH):
                    optimiser.zero_grad()
                    torch.nn.functional.cross_entropy(self._net(given[rows]), wanted[rows]).backward()
                    optimiser.step()
                self._net.eval()
                loss = self._loss(*validation)
                if loss < least_loss:
                    least_loss, best_state = loss, self._copy()
        self._net.load_state_dict(best_state)
        self._net.eval()
        return self

    def log_probabilities(self, images: FloatArray) -> FloatArray:
        """Return the log-probabilities of the digits 1–9 for each image (n × 9)."""
        torch = self._torch
        with torch.no_grad(), one_thread(torch):
            values: FloatArray = torch.log_softmax(self._net(self._tensor(images)).double(), dim=1).numpy()
        return values

    def _loss(self, images: FloatArray, digits: IntArray) -> float:
        return -float(self.log_probabilities(images)[np.arange(len(digits)), digits - 1].mean())

    def _tensor(self, images: FloatArray) -> Any:
        return self._torch.from_numpy(np.asarray(images, np.float32))

    def _copy(self) -> dict[str, Any]:
        return {name: value.clone() for name, value in self._net.state_dict().items()}
