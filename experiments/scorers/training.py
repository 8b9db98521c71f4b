"""Train nets on labels, by the cross-entropy of each label or by a loss over the mined labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, cos, pi
from typing import Any

import numpy as np

from experiments.paper.nets import load_torch, one_thread
from unwritten.data import FloatArray, IntArray

BCE, CRF, FENCHEL_YOUNG, SPO = "BCE", "CRF", "Fenchel–Young", "SPO+"
HIDDEN, LAYERS, BATCH, DECAY = 300, 3, 128, 1e-4


@dataclass(frozen=True)
class TrainingSetting:
    """The settings of a training by AdamW with a cosine schedule and Gaussian noise on the inputs."""

    loss: str
    epochs: int
    lr: float = 1e-3
    dropout: float = 0.3
    noise: float = 0.1

    def __str__(self) -> str:
        return f"{self.loss}, lr {self.lr:g}, dropout {self.dropout:g}, noise {self.noise:g}, {self.epochs} epochs"


def logits_of(
    setting: TrainingSetting,
    labels: Any,
    train: tuple[FloatArray, IntArray],
    features: FloatArray,
    seed: int,
    say: Callable[[str], None] = lambda _: None,
) -> FloatArray:
    """Train a net and return its logits for other features; `labels` is the `LabelSet` of the mined rules."""
    torch = load_torch()
    inputs = torch.from_numpy(train[0].astype(np.float32))
    targets = torch.from_numpy(train[1].astype(np.float32))
    with torch.random.fork_rng(devices=[]), one_thread(torch):
        torch.manual_seed(seed)
        net = _net(torch, inputs.shape[1], targets.shape[1], setting.dropout)
        loss_of = _loss(torch, setting.loss, labels, seed)
        optimiser = torch.optim.AdamW(net.parameters(), lr=setting.lr, weight_decay=DECAY)
        steps = setting.epochs * ceil(len(inputs) / BATCH)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda k: 0.5 * (1 + cos(pi * min(1.0, k / steps))))
        net.train()
        for epoch in range(setting.epochs):
            say(f"{setting}: seed {seed}, epoch {epoch + 1}")
            for rows in torch.randperm(len(inputs)).split(BATCH):
                given = inputs[rows]
                if setting.noise:
                    given = given + setting.noise * torch.randn_like(given)
                optimiser.zero_grad()
                loss_of(net(given), targets[rows]).backward()
                optimiser.step()
                schedule.step()
        net.eval()
        with torch.no_grad():
            logits: FloatArray = net(torch.from_numpy(features.astype(np.float32))).numpy().astype(np.float64)
    return logits


def _net(torch: Any, inputs: int, outputs: int, dropout: float) -> Any:
    parts: list[Any] = []
    for width in [inputs] + [HIDDEN] * (LAYERS - 1):
        parts += [torch.nn.Linear(width, HIDDEN), torch.nn.ReLU(), torch.nn.Dropout(dropout)]
    return torch.nn.Sequential(*parts, torch.nn.Linear(HIDDEN, outputs))


def _loss(torch: Any, name: str, labels: Any, seed: int) -> Any:
    from unwritten.torch import CRFLoss, FenchelYoungLoss, SPOPlusLoss

    match name:
        case "CRF":
            return CRFLoss(labels)
        case "Fenchel–Young":
            return FenchelYoungLoss(labels, samples=8, sigma=1.0, seed=seed)
        case "SPO+":
            return SPOPlusLoss(labels)
    return torch.nn.BCEWithLogitsLoss()
