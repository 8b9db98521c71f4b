"""The paper's convolutional baselines for Sudoku, at a size that one CPU core can bear.

Both follow the stack of 3 × 3 convolutions that the paper cites (Kyubyong Park's, of ten layers and 512 channels): the
puzzle is nine planes, one per digit; the masked form also sees which cells are given.
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
    """How large a network is and how long it trains."""

    layers: int
    channels: int
    epochs: int

    def __str__(self) -> str:
        return f"{self.layers} layers of {self.channels} channels, {self.epochs} epochs"


QUICK_SIZE, FULL_SIZE = ConvNetSize(4, 16, 2), ConvNetSize(8, 32, 20)


class ConvNet:
    """A stack of convolutions with batch normalisation that gives each cell scores for nine digits."""

    def __init__(self, size: ConvNetSize, masked: bool, seed: int) -> None:
        self._torch = torch = load_torch()
        self._size, self._masked, self._seed = size, masked, seed
        parts: list[Any] = []
        width = 9 + masked
        with torch.random.fork_rng(devices=[]):  # leave the caller's random numbers alone
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
        """The likeliest digit of every cell (n × 81), given cells included."""
        torch = self._torch
        parts = torch.from_numpy(self._planes(puzzles)).split(1000)
        with torch.no_grad(), one_thread(torch):
            digits = torch.cat([self._net(part).argmax(dim=1) for part in parts]).numpy() + 1
        return np.asarray(digits.reshape(len(puzzles), 81), np.int64)

    def _planes(self, puzzles: IntArray) -> FloatArray:
        """The input: digits, and the mask of given cells, as planes (n × 9 or 10 × 9 × 9)."""
        planes = sudoku.one_hot(puzzles).reshape(-1, 81, 9).transpose(0, 2, 1)
        if self._masked:
            planes = np.concatenate([planes, (puzzles > 0)[:, None]], axis=1)
        return np.ascontiguousarray(planes.reshape(len(puzzles), -1, 9, 9), np.float32)
