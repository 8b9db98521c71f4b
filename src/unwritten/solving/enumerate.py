"""All labels under the rules, where they are few: breadth-first over variables, pruned by row activity."""

from __future__ import annotations

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.evidence.row_probability import share_that_obeys
from unwritten.solving.program import Program


def labels_under_rules(program: Program, limit: int) -> IntArray | None:
    """Every label within bounds that obeys the rules, in lexicographic order; None if more than `limit` branches.

    Rules over latents first give up what they say of labels alone; the rest is tested on the finished labels.
    """
    width = program.width
    latent = np.zeros(len(program.variables) + 1, bool)
    latent[width:-1] = True
    equalities = linalg.eliminated(program.rules.rows, latent)[:, ~latent]
    plain = ~program.rules.equality & ~program.rules.matrix[:, width:].any(axis=1)
    matrix = np.concatenate([equalities[:, :-1], program.rules.matrix[plain][:, :width]])
    high = np.concatenate([-equalities[:, -1], program.rules.rhs[plain]])
    exact = np.arange(len(matrix)) < len(equalities)
    found = _grow(matrix, high, exact, program.lower, program.upper, limit)
    if found is None:
        return None
    found = found[program.admits(found)] if len(found) else found
    return found[np.lexsort(found.T[::-1])]


def _grow(
    matrix: IntArray, high: IntArray, exact: BoolArray, lower: IntArray, upper: IntArray, limit: int
) -> IntArray | None:
    """Partial labels, one variable longer at each step, that every row can still be completed from."""
    limit = min(limit, budgets.FRONTIER_ENTRIES // max(1, len(matrix)))
    order = _order(matrix, high, exact, lower, upper)
    columns = matrix[:, order]
    reach_low = np.minimum(columns * lower[order], columns * upper[order])
    reach_high = np.maximum(columns * lower[order], columns * upper[order])
    rest_low = reach_low.sum(axis=1)
    rest_high = reach_high.sum(axis=1)
    partial = np.zeros((1, 0), np.int64)
    activity = np.zeros((1, len(matrix)), np.int64)
    for k, j in enumerate(order):
        rest_low = rest_low - reach_low[:, k]
        rest_high = rest_high - reach_high[:, k]
        span = int(upper[j] - lower[j]) + 1
        if span > limit or span * len(partial) > 4 * limit:
            return None
        values = np.arange(lower[j], upper[j] + 1)
        grown = (activity[:, None, :] + values[None, :, None] * columns[:, k]).reshape(span * len(partial), len(matrix))
        open_ = (grown + rest_low <= high).all(axis=1) & ((grown + rest_high >= high) | ~exact).all(axis=1)
        if open_.sum() > limit:
            return None
        activity = grown[open_]
        partial = np.column_stack([np.repeat(partial, span, axis=0), np.tile(values, len(partial))])[open_]
    labels = np.empty_like(partial)
    labels[:, order] = partial
    return labels


def _order(matrix: IntArray, high: IntArray, exact: BoolArray, lower: IntArray, upper: IntArray) -> IntArray:
    """Variables row by row, the rows that decide most per variable first; variables in no row come last.

    Taking short rows first would let many of them multiply before a long "exactly one of" ties them together.
    """
    freedom = [_freedom(*row, lower, upper) for row in zip(matrix, high, exact, strict=True)]
    rank = np.full(matrix.shape[1], len(matrix))
    for position, row in enumerate(np.argsort(freedom, kind="stable")):
        fresh = (matrix[row] != 0) & (rank == len(matrix))
        rank[fresh] = position
    return np.lexsort((np.arange(len(rank)), rank))


def _freedom(row: IntArray, high: int, exact: bool, lower: IntArray, upper: IntArray) -> float:
    """log of the number of points that this row alone allows, per variable in it."""
    columns = np.flatnonzero(row)
    spans = (upper - lower)[columns] + 1
    if not columns.size:
        return -np.inf
    kept: float | None = None
    if int(spans.sum()) <= budgets.CONVOLVED_REACH:
        uniform = [np.full(span, 1 / span) for span in spans.tolist()]
        kept = share_that_obeys(row[columns], high, exact, uniform, lower[columns])
    whole = float(np.log(spans).mean())
    if kept is None:
        return whole
    return whole + float(np.log(kept)) / len(columns) if kept > 0 else -np.inf
