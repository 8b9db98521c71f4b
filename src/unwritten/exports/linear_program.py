"""Linear program: a model as a list of rows and an objective, ready to be written to a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from unwritten.data import Sense, Variables, floats
from unwritten.errors import DataError
from unwritten.exports.comments import rule_texts
from unwritten.rules import Gaps
from unwritten.rules.gaps import encoded_gaps

if TYPE_CHECKING:
    from unwritten.model import Model

Number = int | float
Terms = tuple[tuple[Number, int], ...]  # (coefficient, place of the variable)

CUT_TEXT = "no label is worth more than the one that was decided for these weights"
DEFINES = "a 0/1 variable for each value, in which the gaps below are said"


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
    """Rows over bounded integer variables; `objective` is None if any solution will do.

    `gaps` are what no row says; a target that has no words for them gets them as rows instead.
    """

    variables: Variables
    rows: tuple[ProgramRow, ...]
    objective: Terms | None
    sense: Sense
    gaps: Gaps


def program_of(model: Model, weights: object, *, gaps_as_rows: bool = True) -> LinearProgram:
    """Return the program of a model: its rules, then its cuts, then its gaps as rows if these are wanted.

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
    if not gaps_as_rows or not len(model.gaps):
        return LinearProgram(model.extended, tuple(rows), objective, model.sense, model.gaps)
    encoding = encoded_gaps(model.gaps, model.extended)
    said = encoding.rules
    rows += [
        ProgramRow(f"gap_{i + 1}", _terms(said.matrix[i]), bool(said.equality[i]), int(said.rhs[i]), text or DEFINES)
        for i, text in enumerate(encoding.texts)
    ]
    return LinearProgram(encoding.variables, tuple(rows), objective, model.sense, model.gaps[:0])


def integer_program_of(model: Model, weights: object, target: str, *, gaps_as_rows: bool = True) -> LinearProgram:
    """Return the program for a target that takes only integers; raise if a cut or a weight is not an integer."""
    if len(model.cuts):
        raise DataError(
            f"this model has {len(model.cuts):,} cuts with float weights, and {target} takes only integers: export it "
            "to lp or mps, or mine it without weights"
        )
    program = program_of(model, weights, gaps_as_rows=gaps_as_rows)
    if program.objective is None:
        return program
    fraction = next((value for value, _ in program.objective if value != int(value)), None)
    if fraction is not None:
        raise DataError(
            f"{target} needs integer weights, and one is {fraction!r}: scale and round them, or export to lp or mps"
        )
    objective = tuple((int(value), j) for value, j in program.objective)
    return replace(program, objective=objective)


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
