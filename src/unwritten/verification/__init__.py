"""Verification: what a model mined from some examples says about all of them."""

from unwritten.verification.verify import verified
from unwritten.verification.wrong_examples import mine_despite_noise

__all__ = ["mine_despite_noise", "verified"]
