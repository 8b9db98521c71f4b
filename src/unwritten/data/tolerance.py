"""The one tolerance. Weights are the only floats in a model; everything else is exact integers."""

from __future__ import annotations

from unwritten.data.arrays import FloatArray
from unwritten.data.products import reach_values
from unwritten.data.variables import Variables

TOLERANCE = 2.0**-30
"""Values of one row of weights count as equal if they differ by at most this share of the largest value that the row
can take: far above rounding (2⁻⁴⁵ for 256 columns), far below a real difference. A cut that is tested with this
tolerance can only let more labels through, so bounds stay valid."""


def tolerance(weights: FloatArray, variables: Variables) -> FloatArray:
    """How far two values of each row of weights (n × d) may differ and still count as equal: the same bits anywhere.

    `variables` are those of the d label entries and then of any latents, which have no weights.
    """
    return TOLERANCE * reach_values(weights, variables.reach[: weights.shape[1]])
