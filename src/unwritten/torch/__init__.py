"""Mined rules in networks: a layer whose outputs obey them, and losses over the set of labels that do.

Logits are weights to be maximised, whatever the sense of the model: negate costs before you pass them.
"""

from unwritten.errors import MissingPackageError

try:
    import torch  # noqa: F401
except ImportError as error:
    raise MissingPackageError("torch", "torch", "unwritten.torch") from error

from unwritten.torch.crf import CRFLoss, crf_loss
from unwritten.torch.feasible_layer import FeasibleLayer
from unwritten.torch.fenchel_young import FenchelYoungLoss, fenchel_young_loss
from unwritten.torch.hinge import StructuredHingeLoss, structured_hinge_loss
from unwritten.torch.label_set import LabelSet
from unwritten.torch.perturbed import perturbed_argmax
from unwritten.torch.spo import SPOPlusLoss, spo_plus_loss

__all__ = [
    "CRFLoss",
    "FeasibleLayer",
    "FenchelYoungLoss",
    "LabelSet",
    "SPOPlusLoss",
    "StructuredHingeLoss",
    "crf_loss",
    "fenchel_young_loss",
    "perturbed_argmax",
    "spo_plus_loss",
    "structured_hinge_loss",
]
