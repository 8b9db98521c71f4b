"""Verification: rules mined from some of the examples are tested on the others, or on all of them."""

from unwritten.verification.answer_trial import with_forecast
from unwritten.verification.verify import verified
from unwritten.verification.wrong_claims import contradicting, mined_without
from unwritten.verification.wrong_examples import mine_despite_noise

__all__ = ["contradicting", "mine_despite_noise", "mined_without", "verified", "with_forecast"]
