"""ListedDecoder: the best label of a list, as a module of plain tensor operations that can be exported."""

# mypy: disallow-subclassing-any=False
import torch  # annotations are not postponed in this file: TorchScript reads them
from torch import nn


class ListedDecoder(nn.Module):
    """Logits (batch × d) in, the label of the list (k × d) with the largest w·y out.

    It checks nothing and holds all labels in memory. `torch.jit.script`, `torch.export`, ONNX and `torch.compile` take
    it. Values are compared in float64, as by `Model.predict`; of equally good labels, the first is taken.
    """

    labels: torch.Tensor

    def __init__(self, labels: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("labels", labels.clone())

    def forward(self, logits: torch.Tensor) -> torch.Tensor:
        """The best labels, in the type of the logits."""
        values = logits.to(torch.float64) @ self.labels.to(torch.float64).t()
        return self.labels[values.argmax(dim=1)].to(logits.dtype)
