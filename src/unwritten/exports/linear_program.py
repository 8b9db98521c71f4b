"""Linear program: a model as a list of rows and an objective, ready to be written to a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unwritten.data import Sense, Variables, floats
from unwritten.errors import DataError
from unwritten.exports.comments import rule_texts

if TYPE_CHECKING:
    from unwritten.model import Model

Number = int | float
Terms = tuple[tuple[Number, int], ...]  # (coefficient, place of the variable)

CUT_TEXT = "no label is worth more than the one that was decided for these weights"


@dataclass(frozen=True)
class ProgramRow:
    """One constraint: the sum of `terms` equals `rhs`, or is at most `rhs`; `text` says so in words."""

    name: str
    terms: Terms
    equality: bool
    rhs: Number
    text: str


@dataclass(frozen=True)
class LinearProgram:
    """Rows over bounded integer variables; `objective` is None if any solution will do."""

    variables: Variables
    rows: tuple[ProgramRow, ...]
    objective: Terms | None
    sense: Sense


def program_of(model: Model, weights: object) -> LinearProgram:
    """Return the program of a model: its rules, then its cuts.

    Cuts have float coefficients, and their limits include the tolerance that the model tests them with.
    """
    rules, texts = model.rules, rule_texts(model)
    rows = [
        ProgramRow(f"rule_{i + 1}", _terms(rules.matrix[i]), bool(rules.equality[i]), int(rules.rhs[i]), texts[i])
        for i in range(len(rules))
    ]
    for i, limit in enumerate(model.cuts.limits(model.variables).tolist()):
        rows.append(ProgramRow(f"cut_{i + 1}", _terms(model.cuts.weights[i]), False, limit, CUT_TEXT))
    objective = None if weights is None else _objective(model, weights)
    return LinearProgram(model.extended, tuple(rows), objective, model.sense)


def integer_program_of(model: Model, weights: object, target: str) -> LinearProgram:
    """Return the program for a target that takes only integers; raise if a cut or a weight is not an integer."""
    if len(model.cuts):
        raise DataError(
            f"this model has {len(model.cuts):,} cuts with float weights, and {target} takes only integers: export it "
            "to lp or mps, or mine it without weights"
        )
    program = program_of(model, weights)
    if program.objective is None:
        return program
    fraction = next((value for value, _ in program.objective if value != int(value)), None)
    if fraction is not None:
        raise DataError(
            f"{target} needs integer weights, and one is {fraction!r}: scale and round them, or export to lp or mps"
        )
    objective = tuple((int(value), j) for value, j in program.objective)
    return LinearProgram(program.variables, program.rows, objective, program.sense)


def _terms(coefficients: np.ndarray[tuple[int], np.dtype[np.int64 | np.float64]]) -> Terms:
    """Return the entries that are not 0; if all are 0, one zero entry, because some formats know no empty sum."""
    used = np.flatnonzero(coefficients)
    return tuple(zip(coefficients[used].tolist(), used.tolist(), strict=True)) or ((0, 0),)


def _objective(model: Model, weights: object) -> Terms:
    values = floats(weights, "weights")
    d = len(model.variables)
    if values.shape != (d,):
        raise DataError(f"weights have shape {values.shape} for {d} variables: give one number per variable")
    return _terms(values)
