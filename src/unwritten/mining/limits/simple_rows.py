"""Simple rows first: few columns, small coefficients. Each excludes labels that the others do not.

One row is a linear program: the least sum of coefficients that separates one excluded label from all kept ones, solved
again with larger costs for small coefficients until few columns are left. Rows are chosen one by one: the next one is
that whose labels are claimed not to be allowed most clearly more often than other labels are, for its price.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.whole_rows import whole_row

REWEIGHTINGS = 3  # linear programs after the first, in which small coefficients cost more
SMALL = 0.05  # share of the largest coefficient from which on a coefficient is not small
KEPT_ADDED = 40  # kept labels that are added to a linear program at a time
STARTS = 12  # excluded labels that are tried as the start of the next row
LARGEST = 30  # coefficient of a simple row
SIDE_NATS = 2.0  # the price of the sign and the right-hand side of a row


def simple_rows(points: Points, most_nats: float) -> tuple[IntArray, int]:
    """Integer rows `[a, b]`, and how many of them were chosen before the clearest drop in what a row is worth.

    Their prices sum up to about `most_nats` at most.
    """
    rng = np.random.default_rng(0)
    order = _nearest_first(points, rng)
    left, unknown = np.ones(len(points.excluded), bool), np.ones(len(points.unknown), bool)
    hopeless = np.zeros(len(left), bool)
    rows: list[IntArray] = []
    worth: list[float] = []
    nats = 0.0
    while nats < most_nats:
        starts = order[(left & ~hopeless)[order]][:STARTS]
        if not len(starts):
            break
        best: tuple[float, IntArray] | None = None
        for start in starts:
            if best is not None and points.excluded[start] @ best[1][:-1] > best[1][-1]:
                continue  # the best row so far excludes it, too
            row = simplest_row(points, points.excluded[start])
            if row is None:
                hopeless[start] = True
                continue
            clarity = _contrast(points, row, left, unknown) / row_price(row)
            if best is None or clarity > best[0]:
                best = clarity, row
        if best is not None:
            rows.append(best[1])
            worth.append(best[0])
            nats += row_price(best[1])
            left &= points.excluded @ best[1][:-1] <= best[1][-1]
            unknown &= points.unknown @ best[1][:-1] <= best[1][-1]
    found = np.array(rows, np.int64).reshape(len(rows), points.width + 1)
    needed = _needed(found, points)
    return found[needed], int(needed[: _drop(worth)].sum())


def _drop(worth: list[float]) -> int:
    """The place before which numbers are clearly larger than after it."""
    if len(worth) < 2:
        return 0
    logs = np.log(np.maximum(np.minimum.accumulate(worth), 1e-9))
    return int((logs[:-1] - logs[1:]).argmax()) + 1


def row_price(row: IntArray) -> float:
    """What it costs to state a row `[a, b]`, in nats."""
    return chance.price(row[:-1], len(row) - 1) + SIDE_NATS


def simplest_row(points: Points, excluded: IntArray) -> IntArray | None:
    """An integer row `[a, b]` of few columns that keeps all kept labels and excludes this one; None if too complex."""
    differences = (excluded - points.kept).astype(np.float64)
    costs = np.ones(points.width)
    active = np.abs(differences).sum(axis=1).argsort(kind="stable")[:KEPT_ADDED]
    row = None
    for _ in range(1 + REWEIGHTINGS):
        row, active = _least_row(differences, costs, active, points.signs)
        if row is None:
            return None
        costs = 1.0 / (np.abs(row) / np.abs(row).max() + SMALL)
    assert row is not None  # noqa: S101 - there is at least one turn
    whole = whole_row(np.append(row, 0.0), points.kept, excluded[None])
    if whole is None or np.abs(whole[:-1]).max() > LARGEST:
        return None
    whole[-1] = (points.kept @ whole[:-1]).max()
    return whole


def _least_row(
    differences: FloatArray, costs: FloatArray, active: IntArray, signs: IntArray
) -> tuple[FloatArray | None, IntArray]:
    """The row a with a·difference ≥ 1 for all differences and the least Σ costs·|a|, and the differences that shape it.

    Coefficients have the given signs, or any where it is 0.
    """
    from unwritten.programs import LoadedProgram  # HiGHS is loaded when it is first needed

    width = differences.shape[1]
    most = np.concatenate([np.where(signs < 0, 0.0, np.inf), np.where(signs > 0, 0.0, np.inf)])
    program = LoadedProgram(np.zeros(2 * width), most)
    objective = -np.concatenate([costs, costs])
    new, added = active, active
    for _ in range(budgets.LIMIT_LP_ROUNDS):
        program.add(np.column_stack([differences[new], -differences[new]]), lower=np.ones(len(new)))
        solved = program.solve(objective)
        if solved.values is None or not solved.optimal:
            return None, added
        row = solved.values[:width] - solved.values[width:]
        products = differences @ row
        worst = np.argsort(products, kind="stable")[:KEPT_ADDED]
        new = worst[products[worst] < 1 - 1e-6]
        if not len(new):
            tight = added[products[added] < 1 + 1e-6]
            return np.where(np.abs(row) > 1e-7 * np.abs(row).max(), row, 0.0), tight
        added = np.concatenate([added, new])
    return None, added


def _contrast(points: Points, row: IntArray, left: BoolArray, unknown: BoolArray) -> float:
    """How much more often labels beyond the row are claimed not to be allowed than all that are left, in nats."""
    claimed = np.array([left.sum(), (left & (points.excluded @ row[:-1] > row[-1])).sum()], np.float64)
    others = np.array([unknown.sum(), (unknown & (points.unknown @ row[:-1] > row[-1])).sum()], np.float64)
    total = claimed + others
    if not claimed[1] or not others[0]:
        return float(claimed[1])
    base, share = claimed / total
    if share <= base:
        return 0.0
    rest = others[1] * np.log((1 - share) / (1 - base)) if others[1] else 0.0
    return float(claimed[1] * np.log(share / base) + rest)


def _nearest_first(points: Points, rng: np.random.Generator) -> IntArray:
    """The excluded labels in the order of their distance to the seen ones, at random where equal."""
    distance = np.full(len(points.excluded), np.iinfo(np.int64).max)
    for label in points.seen[rng.permutation(len(points.seen))[: budgets.LIMIT_NEAR_SEEN]]:
        np.minimum(distance, np.abs(points.excluded - label).sum(axis=1), out=distance)
    order = rng.permutation(len(distance))
    return order[np.argsort(distance[order], kind="stable")]


def _needed(rows: IntArray, points: Points) -> BoolArray:
    """Which rows are left without those that exclude nothing alone; the most expensive ones are spared first."""
    excludes = points.excluded @ rows[:, :-1].T > rows[:, -1]
    kept = np.ones(len(rows), bool)
    for k in np.argsort([-row_price(row) for row in rows], kind="stable"):
        kept[k] = bool((excludes[:, k] & (excludes[:, kept].sum(axis=1) == 1)).any())
    return kept
