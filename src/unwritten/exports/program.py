"""Program: a model as a list of rows and an objective, ready to be written down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import Sense, Variables, floats
from unwritten.errors import DataError
from unwritten.exports.comments import rule_texts
from unwritten.model import Model

Number = int | float
Terms = tuple[tuple[Number, int], ...]  # coefficients, and places of variables


@dataclass(frozen=True)
class Row:
    """`terms` are equal to `rhs`, or at most that; `text` says so in words."""

    name: str
    terms: Terms
    equality: bool
    rhs: Number
    text: str


@dataclass(frozen=True)
class Program:
    """Rows over bounded integers. Without weights there is no objective: any solution will do."""

    variables: Variables
    rows: tuple[Row, ...]
    objective: Terms | None
    sense: Sense


def program_of(model: Model, weights: object) -> Program:
    """Rules, then cuts (floats, with the room that they are tested with)."""
    rules, texts = model.rules, rule_texts(model)
    rows = [
        Row(f"rule_{i + 1}", _terms(rules.matrix[i]), bool(rules.equality[i]), int(rules.rhs[i]), texts[i])
        for i in range(len(rules))
    ]
    limits = model.cuts.limits(model.variables).tolist()
    for i, limit in enumerate(limits):
        text = "no label is worth more than the one that was decided for these weights"
        rows.append(Row(f"cut_{i + 1}", _terms(model.cuts.weights[i]), False, limit, text))
    objective = None if weights is None else _objective(model, weights)
    return Program(model.extended, tuple(rows), objective, model.sense)


def integer_program_of(model: Model, weights: object, target: str) -> Program:
    """The same for targets that know integers only."""
    if len(model.cuts):
        raise DataError(
            f"this model has {len(model.cuts):,} cuts, whose weights are no integers as {target} needs them: export it "
            "to lp or mps, or mine it without weights"
        )
    program = program_of(model, weights)
    if program.objective is None:
        return program
    broken = next((value for value, _ in program.objective if value != int(value)), None)
    if broken is not None:
        raise DataError(
            f"{target} needs integer weights, and one is {broken!r}: scale and round them, or export to lp or mps"
        )
    whole = tuple((int(value), j) for value, j in program.objective)
    return Program(program.variables, program.rows, whole, program.sense)


def _terms(coefficients: np.ndarray[tuple[int], np.dtype[np.int64 | np.float64]]) -> Terms:
    """The entries that are not 0; one that is, if there are no others, as some formats know no empty sum."""
    used = np.flatnonzero(coefficients)
    return tuple(zip(coefficients[used].tolist(), used.tolist(), strict=True)) or ((0, 0),)


def _objective(model: Model, weights: object) -> Terms:
    values = floats(weights, "weights")
    d = len(model.variables)
    if values.shape != (d,):
        raise DataError(f"weights have shape {values.shape} for {d} variables: give one number per variable")
    return _terms(values)
