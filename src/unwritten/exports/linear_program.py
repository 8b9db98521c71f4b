"""Linear program: a model as a list of rows and an objective, ready to be written to a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.conditions import LinearRow, LinearRows, NotLinearError, Number, Quantity
from unwritten.data import Sense, Variables, floats
from unwritten.errors import DataError
from unwritten.exports.comments import rule_texts
from unwritten.rules import Gaps, RuleSet
from unwritten.rules.gaps import encoded_gaps

if TYPE_CHECKING:
    from unwritten.model import Model

Terms = tuple[tuple[Number, int], ...]  # (coefficient, place of the variable)

CUT_TEXT = "no label is worth more than the one that was decided for these weights"
DEFINES = "a 0/1 variable for each value, in which the gaps below are said"


@dataclass(frozen=True)
class ProgramRow(LinearRow):
    """One constraint, with its name; `text` says it in words."""

    name: str
    text: str


@dataclass(frozen=True)
class LinearProgram:
    """Rows over bounded variables; `objective` is None if any solution will do.

    `gaps` are what no row says; a target that has no words for them gets them as rows instead. `notes` are the units of
    variables, and the rules that are left out.
    """

    variables: tuple[Quantity, ...]
    rows: tuple[ProgramRow, ...]
    objective: Terms | None
    sense: Sense
    gaps: Gaps
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the variables."""
        return [variable.name for variable in self.variables]


def program_of(model: Model, weights: object, *, gaps_as_rows: bool = True, fractions: bool = True) -> LinearProgram:
    """Return the program of a model: its rules, its cuts, its gaps as rows if these are wanted, and its facts.

    Cuts have float coefficients, and their limits include the tolerance that the model tests them with. Unless
    `fractions`, numbers that need not be whole are left out.
    """
    rows = _program_rows("rule", model.rules, rule_texts(model))
    for i, limit in enumerate(model.cuts.limits(model.variables).tolist()):
        rows.append(ProgramRow(_terms(model.cuts.weights[i]), False, limit, f"cut_{i + 1}", CUT_TEXT))
    objective = None if weights is None else _objective(model, weights)
    variables, gaps = model.extended, model.gaps
    if gaps_as_rows and len(gaps):
        encoding = encoded_gaps(gaps, variables)
        variables, said, gaps = encoding.variables, encoding.rules, gaps[:0]
        rows += [
            ProgramRow(
                _terms(said.matrix[i]), bool(said.equality[i]), int(said.rhs[i]), f"gap_{i + 1}", text or DEFINES
            )
            for i, text in enumerate(encoding.texts)
        ]
    added, of_facts, notes = _facts(model, len(variables), rows, fractions=fractions)
    if not len(variables) and not added:
        raise DataError(
            "this model has only rules about whole columns, and none of them is a linear row: use sql, pandera, dbt or "
            "gx, or give a column variables, e.g. with types={'price': 'bins:4'}"
        )
    quantities = (*_quantities(variables), *added)
    return LinearProgram(quantities, (*rows, *of_facts), objective, model.sense, gaps, tuple(notes))


def _program_rows(kind: str, rules: RuleSet, texts: Sequence[str]) -> list[ProgramRow]:
    """Return the rows of rules, named after their kind."""
    matrix, equality, rhs = rules.matrix, rules.equality.tolist(), rules.rhs.tolist()
    return [ProgramRow(_terms(matrix[i]), equality[i], rhs[i], f"{kind}_{i + 1}", text) for i, text in enumerate(texts)]


def _facts(
    model: Model, width: int, known: list[ProgramRow], *, fractions: bool
) -> tuple[list[Quantity], list[ProgramRow], list[str]]:
    """Return the variables and rows that facts need beside `width` variables, and notes on units and omissions.

    Rows that are known already are not said again.
    """
    if model.schema is None:
        return [], [], []
    conditions = [fact.condition for fact in model.facts]
    writer = LinearRows(model.schema, conditions, width, fractions=fractions)
    texts = {k: f"{sentence.text} ({sentence.id})" for sentence in model.sentences for k in sentence.facts}
    said = {(row.terms, row.equality, row.rhs) for row in known}
    rows, left_out = list[ProgramRow](), list[str]()
    for k, condition in enumerate(conditions):
        try:
            for row in writer.rows(condition):
                parts = (row.terms, row.equality, row.rhs)
                if parts not in said:
                    rows.append(ProgramRow(*parts, f"fact_{len(rows) + 1}", texts[k]))
                    said.add(parts)
        except NotLinearError as reason:
            left_out.append(f"left out, because {reason}: {texts[k]}")
    units = [f"{added.name}: {added.unit}" for added in writer.added if added.unit]
    return writer.added, rows, [*units, *left_out]


def _quantities(variables: Variables) -> Iterator[Quantity]:
    ends = zip(variables.names, variables.lower.tolist(), variables.upper.tolist(), strict=True)
    return (Quantity(name, low, high) for name, low, high in ends)


def integer_program_of(model: Model, weights: object, target: str, *, gaps_as_rows: bool = True) -> LinearProgram:
    """Return the program for a target that takes only integers; raise if a cut or a weight is not an integer.

    Numbers without a known bound get `budgets.UNKNOWN_BOUND`, as these targets need one.
    """
    if len(model.cuts):
        raise DataError(
            f"this model has {len(model.cuts):,} cuts with float weights, and {target} takes only integers: export it "
            "to lp or mps, or mine it without weights"
        )
    program = program_of(model, weights, gaps_as_rows=gaps_as_rows, fractions=False)
    program = replace(program, variables=tuple(_bounded(variable) for variable in program.variables))
    if program.objective is None:
        return program
    fraction = next((value for value, _ in program.objective if value != int(value)), None)
    if fraction is not None:
        raise DataError(
            f"{target} needs integer weights, and one is {fraction!r}: scale and round them, or export to lp or mps"
        )
    objective = tuple((int(value), j) for value, j in program.objective)
    return replace(program, objective=objective)


def _bounded(variable: Quantity) -> Quantity:
    """Return the variable with bounds that are far away in place of infinite ones."""
    low, high, far = variable.low, variable.high, budgets.UNKNOWN_BOUND
    return replace(
        variable,
        low=int(low) if isfinite(low) else min(-far, int(high) if isfinite(high) else -far),
        high=int(high) if isfinite(high) else max(far, int(low) if isfinite(low) else far),
    )


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
