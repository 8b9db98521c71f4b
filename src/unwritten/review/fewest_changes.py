"""Fewest changes: the feasible label that keeps most cells of a row, found by an integer program.

Keeping a cell is worth `worth`. The nearest seen rows vote for values; all votes together are worth less than one kept
cell, so they only decide between labels that keep equally many cells. An integer cell gets an indicator variable z that
is 1 if the cell changes from x₀ to x: |x − x₀| ≤ U·z, with U the width of its range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray, Variables
from unwritten.mining import lifted_labels
from unwritten.review.examined_row import ExaminedRow
from unwritten.review.neighbours import nearest_places
from unwritten.rules import DEFINITION, RuleSet
from unwritten.solving import DecideSettings, Decision, Desk, Program, with_gaps

if TYPE_CHECKING:
    from unwritten.model import Model


def fewest_changes(row: ExaminedRow, time_limit: float | None) -> tuple[Decision, tuple[str, ...]]:
    """Return the decision over the row's variables and indicators, and the rules that clash if there is no answer."""
    cells = _cells_with_indicator(row)
    program = _program(row, cells)
    decisions = Desk(program).decide(_weights(row, cells)[None], DecideSettings(time_limit=time_limit))
    return decisions[0], decisions.clash


def _cells_with_indicator(row: ExaminedRow) -> list[int]:
    """Return the integer cells that could keep their value."""
    must_change = set(row.must_change.tolist())
    return [c for c, column in enumerate(row.columns) if column.kind == "integer" and c not in must_change]


def _program(row: ExaminedRow, cells: list[int]) -> Program:
    """Build the program: the model's rules over its variables, then the indicators, then the latents.

    It has no cuts and no seen labels.
    """
    model, d, extra = row.model, len(row.label), len(cells)
    latents = Variables(
        model.extended.names[d:], model.extended.lower[d:], model.extended.upper[d:], model.extended.declared
    )
    variables = model.variables + _indicators(model, extra)
    variables = variables + latents if len(latents) else variables
    rules = _with_indicator_columns(model.rules, variables, d, extra) + _indicator_rows(row, cells, variables)

    def lift(labels: IntArray) -> IntArray:
        return np.concatenate([labels, lifted_labels(model.lifts, labels[:, :d])[:, d:]], axis=1)

    program = Program(
        variables=variables,
        rules=rules,
        redundant=_with_indicator_columns(model.redundant, variables, d, extra),
        width=d + extra,
        cut_weights=np.zeros((0, d + extra)),
        cut_limits=np.zeros(0),
        cuts_exact=True,
        seen=np.zeros((0, d + extra), np.int64),
        lift=lift,
        structure=None if extra else model.matroid,  # a matroid has only 0/1 variables, so no indicators
        noisy=model.noisy,
    )
    return with_gaps(program, model.gaps)


def _indicators(model: Model, extra: int) -> Variables:
    """Return the indicator variables, with names that the model does not use."""
    taken, names = set(model.extended.names), list[str]()
    while len(names) < extra:
        name = f"changed {len(names)}"
        while name in taken:
            name += "′"
        names.append(name)
    return Variables(tuple(names), np.zeros(extra, np.int64), np.ones(extra, np.int64))


def _with_indicator_columns(rules: RuleSet, variables: Variables, d: int, extra: int) -> RuleSet:
    """Return the rules with zero coefficients for the indicators, which stand behind the first `d` variables."""
    matrix = np.concatenate([rules.matrix[:, :d], np.zeros((len(rules), extra), np.int64), rules.matrix[:, d:]], axis=1)
    return RuleSet(variables, matrix, rules.equality, rules.rhs, rules.origins, rules.evidence)


def _indicator_rows(row: ExaminedRow, cells: list[int], variables: Variables) -> RuleSet:
    """Return two rows per indicator: x − (high − x₀)·z ≤ x₀ and −x − (x₀ − low)·z ≤ −x₀."""
    d = len(row.label)
    matrix = np.zeros((2 * len(cells), len(variables)), np.int64)
    rhs = np.zeros(len(matrix), np.int64)
    for k, cell in enumerate(cells):
        j = row.places[cell].start
        present, low, high = (int(values[j]) for values in (row.label, variables.lower, variables.upper))
        matrix[2 * k, [j, d + k]], rhs[2 * k] = (1, present - high), present
        matrix[2 * k + 1, [j, d + k]], rhs[2 * k + 1] = (-1, low - present), -present
    n = len(matrix)
    return RuleSet(variables, matrix, np.zeros(n, bool), rhs, (DEFINITION,) * n, (None,) * n)


def _weights(row: ExaminedRow, cells: list[int]) -> FloatArray:
    """Return the objective: the worth of keeping each cell, and the votes of the nearest seen rows."""
    model, d = row.model, len(row.label)
    binary = model.variables.binary
    voters = model.seen[nearest_places(row.differs(model.seen).sum(axis=1), model.counts, budgets.REPAIR_NEIGHBOURS)]
    votes = np.where(binary, voters.sum(axis=0), 0)
    is_whole_column = np.ones(d, bool)
    for column, place in zip(row.columns, row.places, strict=True):
        is_whole_column[place] = not column.one_hot
    votes = np.where(is_whole_column & binary, 2 * votes - len(voters), votes)  # a vote for 0 is a vote against 1
    worth = 2 * budgets.REPAIR_NEIGHBOURS * len(row.columns) + 1
    weights = np.zeros(d + len(cells))
    weights[:d] = votes
    variables, values = row.deciding_variables(row.label)
    for cell, column in enumerate(row.columns):
        if not row.unknown[cell] and column.kind != "integer":
            weights[variables[cell]] += worth if column.one_hot or values[cell] else -worth
    weights[d:] = -worth
    return weights
