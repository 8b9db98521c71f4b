"""List all labels that obey a program, if they are few: grow partial labels variable by variable, and prune."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray, among
from unwritten.evidence.row_probability import share_that_obeys
from unwritten.rules.gaps import GapParts
from unwritten.solving.program import Program

BLOCK_ENTRIES = 1 << 20  # entries of the (partial labels × rules) table that are grown at once


class OutOfTimeError(Exception):
    """The time for a list of labels is over."""


def _never() -> bool:
    return False


def list_labels(
    program: Program,
    branches: int,
    *,
    cuts: bool = True,
    seen_first: bool = False,
    over: Callable[[], bool] = _never,
) -> IntArray | None:
    """Return every label that obeys the program, in lexicographic order.

    Parameters
    ----------
    program
        Bounds, rules and structure. Consequences of rules over latents that are about labels alone are used while
        labels grow; the rest is tested on finished labels. branches The largest number of partial labels that may be
        open at a time. If more are needed, None is returned. cuts Whether labels must also satisfy every cut.
        seen_first Whether to put the seen labels before the others; both parts are in lexicographic order. over Called
        now and then; if it returns True, an `OutOfTimeError` is raised.
    """
    labels = _labels_in_rows(*_label_rows(program), program, branches, over)
    if labels is None:
        return None
    if len(labels):
        labels = labels[program.obeys(labels, cuts=cuts)]
    if over():
        raise OutOfTimeError
    labels = labels[np.lexsort(labels.T[::-1])]
    if seen_first:
        seen = among(labels, program.seen)
        labels = np.concatenate([labels[seen], labels[~seen]])
    return labels


def _label_rows(program: Program) -> tuple[IntArray, IntArray, BoolArray]:
    """Return rows over label entries that follow from the rules: matrix, right-hand sides, which are equalities."""
    width = program.width
    end = len(program.variables) - program.gap_latents  # gaps are tested one by one
    rules = program.rules[np.asarray(~program.rules.matrix[:, end:].any(axis=1))]
    latent = np.zeros(end + 1, bool)
    latent[width:-1] = True
    rows = np.column_stack([rules.matrix[rules.equality][:, :end], -rules.rhs[rules.equality]])
    equalities = linalg.eliminated(rows, latent)[:, ~latent]
    plain = ~rules.equality & ~rules.matrix[:, width:].any(axis=1)
    matrix = np.concatenate([equalities[:, :-1], rules.matrix[plain][:, :width]])
    rhs = np.concatenate([-equalities[:, -1], rules.rhs[plain]])
    return matrix, rhs, np.arange(len(matrix)) < len(equalities)


def _labels_in_rows(
    matrix: IntArray, rhs: IntArray, equality: BoolArray, program: Program, branches: int, over: Callable[[], bool]
) -> IntArray | None:
    """Grow partial labels by one variable at a time; drop those that can no longer be completed to meet every row."""
    lower, upper = program.lower, program.upper
    branches = min(branches, budgets.FRONTIER_ENTRIES // max(1, len(matrix)))
    order = _variable_order(matrix, rhs, equality, lower, upper)
    columns = matrix[:, order]
    smallest = np.minimum(columns * lower[order], columns * upper[order])
    largest = np.maximum(columns * lower[order], columns * upper[order])
    rest_low = smallest.sum(axis=1)  # the least and the most that the variables to come can add to each row
    rest_high = largest.sum(axis=1)
    parts, tests = program.gap_parts, _gap_tests(program.gap_parts, order)
    partial = np.zeros((1, 0), np.int64)
    activity = np.zeros((1, len(matrix)), np.int64)
    for k, j in enumerate(order):
        rest_low = rest_low - smallest[:, k]
        rest_high = rest_high - largest[:, k]
        span = int(upper[j] - lower[j]) + 1
        if span > branches or span * len(partial) > 4 * branches:
            return None
        values = np.arange(lower[j], upper[j] + 1)
        size = max(1, BLOCK_ENTRIES // (span * (len(matrix) + k + 1)))
        blocks, count = [], 0
        for start in range(0, len(partial), size):
            if over():
                raise OutOfTimeError
            part = slice(start, start + size)
            grown = activity[part, None, :] + values[None, :, None] * columns[:, k]
            grown = grown.reshape(span * len(activity[part]), len(matrix))
            possible = (grown + rest_low <= rhs).all(axis=1) & ((grown + rest_high >= rhs) | ~equality).all(axis=1)
            both = np.column_stack([np.repeat(partial[part], span, axis=0), np.tile(values, len(partial[part]))])
            for gap, places, factors in tests.get(k, ()):
                sums = both[:, places] @ factors
                possible &= (sums <= parts.low[gap]) | (sums >= parts.high[gap])
            count += int(possible.sum())
            if count > branches:
                return None
            blocks.append((grown[possible], both[possible]))
        activity = np.concatenate([activity[:0], *(grown for grown, _ in blocks)])
        partial = np.concatenate([np.zeros((0, k + 1), np.int64), *(both for _, both in blocks)])
    labels = np.empty_like(partial)
    labels[:, order] = partial
    return labels


def _gap_tests(parts: GapParts, order: IntArray) -> dict[int, list[tuple[int, IntArray, IntArray]]]:
    """Return the parts of gaps about the first k + 1 variables in this order, but not about fewer, for each k.

    Each has its place, the positions of its variables in the order, and their factors.
    """
    position = np.argsort(order)
    tests: dict[int, list[tuple[int, IntArray, IntArray]]] = {}
    for part, (columns, factors) in enumerate(zip(parts.columns, parts.factors, strict=True)):
        places = position[columns[factors != 0]]
        tests.setdefault(int(places.max()), []).append((part, places, factors[factors != 0]))
    return tests


def _variable_order(matrix: IntArray, rhs: IntArray, equality: BoolArray, lower: IntArray, upper: IntArray) -> IntArray:
    """Order variables row by row, the rows that decide most per variable first; variables in no row come last.

    Taking short rows first would let many of them multiply before a long "exactly one of" ties them together.
    """
    freedom = [_freedom(*row, lower, upper) for row in zip(matrix, rhs, equality, strict=True)]
    rank = np.full(matrix.shape[1], len(matrix))
    for position, row in enumerate(np.argsort(freedom, kind="stable")):
        unranked = (matrix[row] != 0) & (rank == len(matrix))
        rank[unranked] = position
    return np.lexsort((np.arange(len(rank)), rank))


def _freedom(row: IntArray, rhs: int, equality: bool, lower: IntArray, upper: IntArray) -> float:
    """Return the logarithm of the number of points that this row alone allows, divided by the variables in it."""
    columns = np.flatnonzero(row)
    spans = (upper - lower)[columns] + 1
    if not columns.size:
        return -np.inf
    share: float | None = None
    if int(spans.sum()) <= budgets.CONVOLVED_REACH:
        uniform = [np.full(span, 1 / span) for span in spans.tolist()]
        share = share_that_obeys(row[columns], rhs, equality, uniform, lower[columns])
    all_points = float(np.log(spans).mean())
    if share is None:
        return all_points
    return all_points + float(np.log(share)) / len(columns) if share > 0 else -np.inf
