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

#: a report of training at most this often, in epochs
REPORT_EVERY = 50


def mlp(inputs: int, outputs: int, hidden: int, layers: int, seed: int) -> Any:
    """A network of `layers` linear layers with ReLU between them; 1 is a single linear layer."""
    if layers < 1:
        raise DataError(f"a network of {layers} layers computes nothing: use at least 1")
    torch = load_torch()
    widths = [inputs, *[hidden] * (layers - 1), outputs]
    with torch.random.fork_rng(devices=[]):  # leave the caller's random numbers alone
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

    Called again, it goes on from where the net is, with a fresh optimiser; `seed` orders the examples.
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
    """The probability of a one, for each row of inputs and each variable."""
    torch = load_torch()
    with torch.no_grad():
        found: FloatArray = torch.sigmoid(net(torch.from_numpy(np.asarray(inputs, np.float32)))).numpy()
    return found.astype(np.float64)


@contextmanager
def one_thread(torch: Any) -> Iterator[None]:
    """One thread for a while: nets as small as these lose more by waiting for a second one than they gain."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_torch() -> Any:
    """The torch module, or an error that says how to get it."""
    try:
        import torch
    except ImportError as error:
        raise MissingPackageError("torch", "torch", "training the paper's networks") from error
    return torch
