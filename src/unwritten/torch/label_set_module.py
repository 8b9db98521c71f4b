"""LabelSetModule: what the layer and the losses share, a set of labels and a text of one line."""

# mypy: disallow-subclassing-any=False
from __future__ import annotations

from torch import nn

from unwritten.model import Model
from unwritten.torch.label_set import LabelSet


class LabelSetModule(nn.Module):
    """A module over the feasible labels of a model, or over a `LabelSet` that several modules share."""

    def __init__(self, model: Model | LabelSet) -> None:
        super().__init__()
        self.labels = model if isinstance(model, LabelSet) else LabelSet(model)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.labels!r}, {self.extra_repr()})"
