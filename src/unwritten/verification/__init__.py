"""Verification: rules that were mined from some of the examples are tested on all of them."""

from unwritten.verification.verify import verified
from unwritten.verification.wrong_examples import mine_despite_noise

__all__ = ["mine_despite_noise", "verified"]
