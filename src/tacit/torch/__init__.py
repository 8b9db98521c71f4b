"""Mined rules in networks: a layer whose outputs are feasible labels, and losses over the set of them.

Logits are weights to be maximised, whatever the sense of the model; negate costs before they are given.
"""

from tacit.errors import MissingPackageError

try:
    import torch  # noqa: F401
except ImportError as error:
    raise MissingPackageError("torch", "torch", "tacit.torch") from error

from tacit.torch.crf import CRFLoss, crf_loss
from tacit.torch.fenchel_young import FenchelYoungLoss, fenchel_young_loss
from tacit.torch.hinge import StructuredHingeLoss, structured_hinge_loss
from tacit.torch.labelset import LabelSet
from tacit.torch.layer import FeasibleLayer
from tacit.torch.perturbed import perturbed_argmax
from tacit.torch.spo import SPOPlusLoss, spo_plus_loss

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
