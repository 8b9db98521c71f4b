"""Verification: rules mined from a sample are tested on all examples; rules mined with noise are tested on the wrong ones."""

from unwritten.verification.verify import verified
from unwritten.verification.wrong_examples import mine_despite_noise

__all__ = ["mine_despite_noise", "verified"]
