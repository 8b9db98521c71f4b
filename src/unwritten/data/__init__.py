"""Data in: variables and examples, and the one place that checks what users give."""

from unwritten.data.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    LabelArray,
    floats,
    frozen,
    integers,
    labels_from,
    weights_from,
)
from unwritten.data.distinct import among, distinct, fingerprints
from unwritten.data.examples import Examples, Sense, maximised, sense_of
from unwritten.data.frames import FrameLike, frame_like, holds_only_integers, is_frame, row_mapping
from unwritten.data.tolerance import ROUNDING, TOLERANCE, tolerance
from unwritten.data.variables import Variables

__all__ = [
    "ROUNDING",
    "TOLERANCE",
    "BoolArray",
    "Examples",
    "FloatArray",
    "FrameLike",
    "IntArray",
    "LabelArray",
    "Sense",
    "Variables",
    "among",
    "distinct",
    "fingerprints",
    "floats",
    "frame_like",
    "frozen",
    "holds_only_integers",
    "integers",
    "is_frame",
    "labels_from",
    "maximised",
    "row_mapping",
    "sense_of",
    "tolerance",
    "weights_from",
]
