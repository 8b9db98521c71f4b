"""The one tolerance. Weights are the only floats in a model; everything else is exact integers."""

from __future__ import annotations

import numpy as np

from unwritten.data.arrays import FloatArray
from unwritten.data.products import reach_values
from unwritten.data.variables import Variables

TOLERANCE = 2.0**-30
"""Values of one row of weights count as equal if they differ by at most this share of the largest value that the row
can take with variables counted from their lower bounds: far above rounding (2⁻⁴⁵ for 256 columns), far below a real
difference. A cut that is tested with this tolerance can only let more labels through, so bounds stay valid."""

WHOLE_TOLERANCE = 0.25
"""The most that values of whole weights may differ and still count as equal, if floats hold all sums exactly."""

ROUNDING = 2.0**-51
"""Share by which d + 1 terms that are added up, each of them rounded, may change a difference of two sums."""


def tolerance(weights: FloatArray, variables: Variables) -> FloatArray:
    """How far two values of each row of weights (n × d) may differ and still count as equal: the same bits anywhere.

    Only the ranges of the variables count, not how far they lie from 0: a difference of two labels is as large at
    10⁹ as it is at 0. What remains of the distance is the rounding of values at that distance.

    `variables` are those of the d label entries and then of any latents, which have no weights.
    """
    d = weights.shape[1]
    lower, upper = variables.lower[:d], variables.upper[:d]
    size = reach_values(weights, upper - lower)
    equal: FloatArray = TOLERANCE * size
    if lower.any():
        far = reach_values(weights, np.abs(lower))
        size, equal = size + far, equal + (d + 1) * ROUNDING * far
    large = np.flatnonzero((equal > WHOLE_TOLERANCE) & (size < 2.0**52))
    whole = large[(weights[large] == np.rint(weights[large])).all(axis=1)] if large.size else large
    equal[whole] = WHOLE_TOLERANCE
    return equal
