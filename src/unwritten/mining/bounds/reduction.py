"""Reduction: drop bounds that follow from others, so that a network is stated and not all its consequences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.bounds.claims import Bound
from unwritten.programs import LoadedProgram
from unwritten.rules import RuleSet

NEARLY = 1e-6  # far above the rounding of a linear program, far below the step of an integer row


def without_shortcuts(bounds: Sequence[Bound]) -> list[Bound]:
    """Bounds without the differences y_i − y_j ≤ c that follow from a path of other differences."""
    is_difference = [sorted(bound.values.tolist()) == [-1, 1] for bound in bounds]
    differences = [bound for bound, found in zip(bounds, is_difference, strict=True) if found]
    if len(differences) < 2:
        return list(bounds)
    columns = np.unique(np.concatenate([bound.columns for bound in differences]))
    distance = np.full((len(columns), len(columns)), np.inf)
    ends = [_ends(bound, columns) for bound in differences]
    for (i, j), bound in zip(ends, differences, strict=True):
        distance[i, j] = min(distance[i, j], bound.most)
    stated = distance.copy()
    for k in range(len(columns)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k, :])
    redundant = {id(bound) for (i, j), bound in zip(ends, differences, strict=True) if _has_detour(stated, distance, i, j)}
    return [bound for bound in bounds if id(bound) not in redundant]


def _ends(bound: Bound, columns: IntArray) -> tuple[int, int]:
    """The places of the greater and the lesser column of a difference."""
    more = bound.columns[bound.values > 0][0], bound.columns[bound.values < 0][0]
    return int(np.searchsorted(columns, more[0])), int(np.searchsorted(columns, more[1]))


def _has_detour(stated: FloatArray, distance: FloatArray, i: int, j: int) -> bool:
    """True if a path over another column is as short; columns that are tied to i or j by an equality are no detour."""
    over = distance[i] + distance[:, j]
    tied = (distance[i] + distance[:, i] <= 0) | (distance[j] + distance[:, j] <= 0)
    over[tied] = np.inf
    over[[i, j]] = np.inf
    return bool(over.min(initial=np.inf) <= stated[i, j])


def not_implied(bounds: Sequence[Bound], stated: RuleSet, width: int) -> list[Bound]:
    """The bounds that follow neither from the bounds of the variables, the stated rules, nor the bounds before them.

    Each one is maximised over the linear relaxation of the others. An optimum below the next integer is a proof. If there
    are more bounds than `budgets.BOUND_PROGRAMS`, the others are compared only with scopes that contain them.
    """
    variables = stated.variables
    program = LoadedProgram(variables.lower.astype(float), variables.upper.astype(float))
    inside = (stated.matrix[:, :width] != 0).any(axis=1)
    rows, rhs = stated.matrix[inside].astype(float), stated.rhs[inside].astype(float)
    program.add(rows, lower=np.where(stated.equality[inside], rhs, -np.inf), upper=rhs)
    kept: list[Bound] = []
    members = np.zeros((0, len(variables)))
    for k, bound in enumerate(bounds):
        row = np.zeros(len(variables))
        row[bound.columns] = bound.values
        if _in_wider(row, bound.most, members, [one.most for one in kept], variables.lower):
            continue
        if k < budgets.BOUND_PROGRAMS:
            best = program.solve(row)
            if best.optimal and best.values is not None and np.floor(best.values @ row + NEARLY) <= bound.most:
                continue
            program.add(row[None], upper=np.array([float(bound.most)]))
        kept.append(bound)
        members = np.vstack([members, row])
    return kept


def _in_wider(row: FloatArray, most: int, members: FloatArray, bounds: list[int], lower: IntArray) -> bool:
    """True if a kept row with as low a bound has this row's terms and others that add nothing below 0."""
    if not len(members):
        return False
    rest = members - row
    least: FloatArray = np.where(rest > 0, rest * lower, 0.0).sum(axis=1)
    positive: BoolArray = (rest >= 0).all(axis=1)
    return bool((positive & (np.array(bounds) - least <= most)).any())
