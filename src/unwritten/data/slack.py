"""Slack: by how much each example may miss the best value of its weights (eq. 4)."""

from __future__ import annotations

import numpy as np

from unwritten.data.arrays import FloatArray, floats
from unwritten.errors import DataError


def given_slack(slack: object, n: int) -> FloatArray | None:
    """The slack of each of n examples as an array, or None if it is to be computed ("auto")."""
    if isinstance(slack, str):
        if slack == "auto":
            return None
        raise DataError(f"slack is {slack!r}: use 0, 'auto', or one number per example")
    values = floats(slack, "slack values")
    if values.shape not in ((), (n,)):
        raise DataError(f"slack has shape {values.shape} for {n} examples: use 0, 'auto', or one number per example")
    if (values < 0).any():
        raise DataError("slack must not be negative: use 0, 'auto', or one number per example")
    return values if values.ndim else np.full(n, values)
