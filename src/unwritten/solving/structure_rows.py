"""The rows of a matroid are too many to list: those that a label breaks are found when they are needed."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.solving.backends import Rows
from unwritten.solving.program import Program


def broken_structure_rows(program: Program, label: IntArray) -> Rows | None:
    """Return rows of the structure that the label breaks, or None if the label fits the structure."""
    if program.structure is None or program.structure.is_basis(label[None])[0]:
        return None
    broken = [(columns, 1.0, float(rank)) for columns, rank in program.structure.violated(label)]
    broken += [(columns, -1.0, -1.0) for columns in program.structure.missed(label)]
    matrix = np.zeros((min(len(broken), budgets.LAZY_ROWS_ADDED), program.width))
    for row, (columns, sign, _) in zip(matrix, broken, strict=False):
        row[columns] = sign
    return Rows.at_most(matrix, np.array([limit for *_, limit in broken[: len(matrix)]]), len(program.variables))
