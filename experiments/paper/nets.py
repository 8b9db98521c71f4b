"""The paper's base networks: multi-layer perceptrons with one logit per variable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError, MissingPackageError

#: epochs between two reports of training
REPORT_EVERY = 50


def mlp(inputs: int, outputs: int, hidden: int, layers: int, seed: int) -> Any:
    """Build a network of `layers` linear layers with ReLU between them."""
    if layers < 1:
        raise DataError(f"a network cannot have {layers} layers: use at least 1")
    torch = load_torch()
    widths = [inputs, *[hidden] * (layers - 1), outputs]
    with torch.random.fork_rng(devices=[]):  # leave the caller's random generator unchanged
        torch.manual_seed(seed)
        linear = [torch.nn.Linear(a, b) for a, b in pairwise(widths)]
    parts = [linear[0]]
    for layer in linear[1:]:
        parts += [torch.nn.ReLU(), layer]
    return torch.nn.Sequential(*parts)


def train(
    net: Any,
    inputs: FloatArray,
    targets: IntArray,
    *,
    epochs: int,
    lr: float,
    batch: int = 128,
    seed: int = 0,
    say: Callable[[str], None] | None = None,
) -> float:
    """Train by Adam on the cross-entropy of each variable, and return the seconds it took.

    A second call continues with the current parameters and a new optimiser. `seed` orders the examples.
    """
    torch = load_torch()
    start = perf_counter()
    order = np.random.default_rng(seed)
    given = torch.from_numpy(np.asarray(inputs, np.float32))
    wanted = torch.from_numpy(np.asarray(targets, np.float32))
    loss_of = torch.nn.BCEWithLogitsLoss()
    optimiser = torch.optim.Adam(net.parameters(), lr=lr)
    net.train()
    with one_thread(torch):
        for epoch in range(1, epochs + 1):
            for rows in torch.from_numpy(order.permutation(len(given))).split(batch):
                optimiser.zero_grad()
                loss_of(net(given[rows]), wanted[rows]).backward()
                optimiser.step()
            if say and (epoch % REPORT_EVERY == 0 or epoch == epochs):
                say(f"epoch {epoch} of {epochs}")
    net.eval()
    return perf_counter() - start


def probabilities(net: Any, inputs: FloatArray) -> FloatArray:
    """Return the probability that a variable is 1, for each row of inputs and each variable."""
    torch = load_torch()
    with torch.no_grad():
        shares: FloatArray = torch.sigmoid(net(torch.from_numpy(np.asarray(inputs, np.float32)))).numpy()
    return shares.astype(np.float64)


@contextmanager
def one_thread(torch: Any) -> Iterator[None]:
    """Let torch use one thread inside a `with` block: for nets this small, a second thread costs more than it gains."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_torch() -> Any:
    """Import torch, or fail with an error that says how to install it."""
    try:
        import torch
    except ImportError as error:
        raise MissingPackageError("torch", "torch", "training the paper's networks") from error
    return torch
