"""Fewest changes: the right label that keeps most cells of a row, as an integer program.

A kept cell counts `big`; the votes of the nearest seen rows for a value add up to less than that, so they decide among
equally good labels only. An integer cell has an indicator z of being changed: |x − x₀| ≤ U·z.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray, Variables
from unwritten.mining import lifted_labels
from unwritten.model import Model
from unwritten.review.neighbours import nearest_places
from unwritten.review.row import Row
from unwritten.rules import DEFINITION, RuleSet
from unwritten.solving import Decision, Desk, Program, Settings


def fewest_changes(row: Row, time_limit: float | None) -> tuple[Decision, tuple[str, ...]]:
    """The decision over the row's variables and its indicators, and the rules that clash if there is none."""
    counted = _counted(row)
    program = _program(row, counted)
    decisions = Desk(program).decide(_weights(row, counted)[None], Settings(time_limit=time_limit))
    return decisions[0], decisions.clash


def _counted(row: Row) -> list[int]:
    """The cells that need an indicator: integers that could stay as they are."""
    stuck = set(row.must_change.tolist())
    return [c for c, column in enumerate(row.columns) if column.kind == "integer" and c not in stuck]


def _program(row: Row, counted: list[int]) -> Program:
    """The rules of the model over its variables, the indicators and then the latents; no cuts, nothing seen."""
    model, d, extra = row.model, len(row.label), len(counted)
    latents = Variables(
        model.extended.names[d:], model.extended.lower[d:], model.extended.upper[d:], model.extended.declared
    )
    variables = model.variables + _indicators(model, extra)
    variables = variables + latents if len(latents) else variables
    rules = _spread(model.rules, variables, d, extra) + _indicator_rows(row, counted, variables)

    def lift(labels: IntArray) -> IntArray:
        return np.concatenate([labels, lifted_labels(model.lifts, labels[:, :d])[:, d:]], axis=1)

    return Program(
        variables=variables,
        rules=rules,
        redundant=_spread(model.redundant, variables, d, extra),
        width=d + extra,
        cut_weights=np.zeros((0, d + extra)),
        cut_limits=np.zeros(0),
        cuts_exact=True,
        seen=np.zeros((0, d + extra), np.int64),
        lift=lift,
        structure=None if extra else model.matroid,  # a matroid is over 0/1 variables: no indicators then
        noisy=model.noisy,
    )


def _indicators(model: Model, extra: int) -> Variables:
    taken, names = set(model.extended.names), list[str]()
    while len(names) < extra:
        name = f"changed {len(names)}"
        while name in taken:
            name += "′"
        names.append(name)
    return Variables(tuple(names), np.zeros(extra, np.int64), np.ones(extra, np.int64))


def _spread(rules: RuleSet, variables: Variables, d: int, extra: int) -> RuleSet:
    """The rules with zeros for the indicators."""
    matrix = np.concatenate([rules.matrix[:, :d], np.zeros((len(rules), extra), np.int64), rules.matrix[:, d:]], axis=1)
    return RuleSet(variables, matrix, rules.equality, rules.rhs, rules.origins, rules.evidence)


def _indicator_rows(row: Row, counted: list[int], variables: Variables) -> RuleSet:
    places, d = list(row.schema.places.values()), len(row.label)
    matrix = np.zeros((2 * len(counted), len(variables)), np.int64)
    rhs = np.zeros(len(matrix), np.int64)
    for k, cell in enumerate(counted):
        j = places[cell].start
        now, low, high = (int(side[j]) for side in (row.label, variables.lower, variables.upper))
        matrix[2 * k, [j, d + k]], rhs[2 * k] = (1, now - high), now
        matrix[2 * k + 1, [j, d + k]], rhs[2 * k + 1] = (-1, low - now), -now
    n = len(matrix)
    return RuleSet(variables, matrix, np.zeros(n, bool), rhs, (DEFINITION,) * n, (None,) * n)


def _weights(row: Row, counted: list[int]) -> FloatArray:
    """What keeping each cell is worth, and what the nearest seen rows have."""
    model, d = row.model, len(row.label)
    binary = model.variables.binary
    voters = model.seen[nearest_places(row.differs(model.seen).sum(axis=1), model.counts, budgets.REPAIR_NEIGHBOURS)]
    votes = np.where(binary, voters.sum(axis=0), 0)
    alone = np.ones(d, bool)  # a 0/1 variable that is a whole column: a vote for 0 is one against 1
    for column, place in zip(row.columns, row.schema.places.values(), strict=True):
        alone[place] = not column.one_hot
    votes = np.where(alone & binary, 2 * votes - len(voters), votes)
    big = 2 * budgets.REPAIR_NEIGHBOURS * len(row.columns) + 1
    weights = np.zeros(d + len(counted))
    weights[:d] = votes
    at, value, known = row.entries(row.label, row.unknown)
    for cell, column in enumerate(row.columns):
        if known[cell] and column.kind != "integer":
            weights[at[cell]] += big if column.one_hot or value[cell] else -big
    weights[d:] = -big
    return weights
