"""Data in: variables, examples, and the one place that validates what users give."""

from unwritten.data.arrays import BoolArray, FloatArray, IntArray, floats, frozen, integers, labels_from, weights_from
from unwritten.data.distinct import among, distinct, fingerprints
from unwritten.data.examples import Examples, Sense, sense_of
from unwritten.data.tolerance import TOLERANCE, tolerance
from unwritten.data.variables import Variables

__all__ = [
    "TOLERANCE",
    "BoolArray",
    "Examples",
    "FloatArray",
    "IntArray",
    "Sense",
    "Variables",
    "among",
    "distinct",
    "fingerprints",
    "floats",
    "frozen",
    "integers",
    "labels_from",
    "sense_of",
    "tolerance",
    "weights_from",
]
