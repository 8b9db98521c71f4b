"""What a loss over labels that cannot be listed costs a network, for one batch."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.scorers import SHAPES, forest_model, microseconds
from benchmarks.timing import MarkdownTable

BATCH = 64


def losses(quick: bool) -> MarkdownTable:
    """CPU time of losses and their gradients under forests of rules, one batch of 64 and one thread."""
    import torch

    from unwritten.torch import CRFLoss, FenchelYoungLoss, LabelSet, SPOPlusLoss, StructuredHingeLoss

    table = MarkdownTable(f"One batch of {BATCH}, logits N(0, 2²), value and gradient")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)

    def step(loss: torch.nn.Module, logits: torch.Tensor, targets: torch.Tensor) -> None:
        loss(logits, targets).backward()

    try:
        for width in (100,) if quick else (400, 700):
            for shape, parent_of in SHAPES.items():
                rng = np.random.default_rng(0)
                model = forest_model(np.array([parent_of(j, rng) for j in range(width)]), "child requires parent")
                labels = LabelSet(model, "rules")
                logits = torch.tensor(2 * rng.normal(size=(BATCH, width)), dtype=torch.float32, requires_grad=True)
                targets = torch.tensor(model.predict(2 * rng.normal(size=(BATCH, width)), progress=False))
                times = {
                    f"{kind.__name__}_ms": microseconds(partial(step, kind(labels), logits, targets), 1) / 1000
                    for kind in (CRFLoss, FenchelYoungLoss, SPOPlusLoss, StructuredHingeLoss)
                }
                table.add(labels=width, shape=shape, **times)
    finally:
        torch.set_num_threads(threads)
    return table
