"""The one tolerance. Weights are the only floats in a model; everything else is exact integers."""

from __future__ import annotations

import numpy as np

from unwritten.data.arrays import FloatArray
from unwritten.data.variables import Variables

TOLERANCE = 2.0**-30
"""Values of one row of weights count as equal within this share of the largest value the row can take: far above
rounding, far below a real difference. A cut tested with it can only let more labels through, so bounds stay valid."""


def tolerance(weights: FloatArray, variables: Variables) -> FloatArray:
    """How far two values of each row of weights may differ and still count as equal."""
    return np.asarray(TOLERANCE * (np.abs(weights) @ variables.reach[: weights.shape[-1]]))
