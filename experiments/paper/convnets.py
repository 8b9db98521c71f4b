"""The paper's convolutional baselines for Sudoku, at a size that one CPU core can train.

Both are stacks of 3 × 3 convolutions like the network that the paper cites (by Kyubyong Park, ten layers of 512
channels). The input is nine planes, one per digit; the masked form has one more plane that marks the given cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.paper.nets import load_torch, one_thread
from unwritten.data import FloatArray, IntArray
from unwritten.samples import sudoku

BATCH, RATE = 128, 1e-3


@dataclass(frozen=True)
class ConvNetSize:
    """The size of a network and the length of its training."""

    layers: int
    channels: int
    epochs: int

    def __str__(self) -> str:
        return f"{self.layers} layers of {self.channels} channels, {self.epochs} epochs"


QUICK_SIZE, FULL_SIZE = ConvNetSize(4, 16, 2), ConvNetSize(8, 32, 20)


class ConvNet:
    """A stack of convolutions with batch normalisation that scores the nine digits in each cell."""

    def __init__(self, size: ConvNetSize, masked: bool, seed: int) -> None:
        self._torch = torch = load_torch()
        self._size, self._masked, self._seed = size, masked, seed
        parts: list[Any] = []
        width = 9 + masked
        with torch.random.fork_rng(devices=[]):  # leave the caller's random generator unchanged
            torch.manual_seed(seed)
            for _ in range(size.layers - 1):
                parts += [
                    torch.nn.Conv2d(width, size.channels, 3, padding=1),
                    torch.nn.BatchNorm2d(size.channels),
                    torch.nn.ReLU(),
                ]
                width = size.channels
            self._net = torch.nn.Sequential(*parts, torch.nn.Conv2d(width, 9, 1))

    def fit(self, puzzles: IntArray, solutions: IntArray, say: Callable[[str], None]) -> ConvNet:
        """Train by Adam on the cross-entropy of every cell's digit."""
        torch = self._torch
        planes = torch.from_numpy(self._planes(puzzles))
        digits = torch.from_numpy(solutions.reshape(-1, 9, 9) - 1)
        optimiser = torch.optim.Adam(self._net.parameters(), lr=RATE)
        order = np.random.default_rng(self._seed)
        self._net.train()
        with one_thread(torch):
            for epoch in range(1, self._size.epochs + 1):
                for rows in torch.from_numpy(order.permutation(len(planes))).split(BATCH):
                    optimiser.zero_grad()
                    torch.nn.functional.cross_entropy(self._net(planes[rows]), digits[rows]).backward()
                    optimiser.step()
                say(f"epoch {epoch} of {self._size.epochs}")
        self._net.eval()
        return self

    def solve(self, puzzles: IntArray) -> IntArray:
        """Return the likeliest digit of every cell (n × 81), also of the given cells."""
        torch = self._torch
        parts = torch.from_numpy(self._planes(puzzles)).split(1000)
        with torch.no_grad(), one_thread(torch):
            digits = torch.cat([self._net(part).argmax(dim=1) for part in parts]).numpy() + 1
        return np.asarray(digits.reshape(len(puzzles), 81), np.int64)

    def _planes(self, puzzles: IntArray) -> FloatArray:
        """Encode puzzles as planes of digits, and of given cells if masked (n × 9 or 10 × 9 × 9)."""
        planes = sudoku.one_hot(puzzles).reshape(-1, 81, 9).transpose(0, 2, 1)
        if self._masked:
            planes = np.concatenate([planes, (puzzles > 0)[:, None]], axis=1)
        return np.ascontiguousarray(planes.reshape(len(puzzles), -1, 9, 9), np.float32)
