"""Verification: rules mined from some of the examples are tested on the others, or on all of them."""

from unwritten.verification.answer_trial import with_forecast
from unwritten.verification.verify import verified

__all__ = ["verified", "with_forecast"]
