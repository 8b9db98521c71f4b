"""Simple rows first: few columns, small coefficients. Each excludes labels that the others do not.

One row is a linear program: the least sum of coefficients that separates one excluded label from all kept ones, solved
again with larger costs for small coefficients until few columns are left. Rows are chosen one by one: the next one is
the row for which excluded labels beyond it stand out most clearly from all other labels, for its price.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.whole_rows import whole_row

REWEIGHTINGS = 3  # linear programs after the first, in which small coefficients cost more
SMALL = 0.05  # coefficients below this share of the largest one count as small
KEPT_ADDED = 40  # kept labels that are added to a linear program at a time
STARTS = 12  # excluded labels that are tried as the start of the next row
DROPS = 3  # places at which simple rows may end and wide ones begin
LARGEST = 30  # largest coefficient of a simple row
GRID = 2.0**24  # coefficients are rounded to its inverse, so that products do not depend on the order of sums
SHORT = 1e-5  # how far a product may fall short of 1
SIDE_NATS = 2.0  # the price of the sign and the right-hand side of a row


def simple_rows(points: Points, most_nats: float) -> tuple[IntArray, list[int]]:
    """Integer rows `[a, b]`, and how many of them were chosen before each of the clearest drops in what a row is worth.

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
            left &= ~points.beyond(best[1][None])[0]
            unknown &= ~points.unknown_beyond(best[1][None])[0]
    chosen = np.array(rows, np.int64).reshape(len(rows), points.width + 1)
    needed_rows = needed(chosen, points)
    places = {int(needed_rows[:place].sum()) for place in _drops(worth)}
    return chosen[needed_rows], sorted(places - {0, int(needed_rows.sum())})


def _drops(worth: list[float]) -> list[int]:
    """The places at which numbers fall most."""
    logs = np.log(np.maximum(np.minimum.accumulate(worth), 1e-9)) if worth else np.zeros(0)
    return [int(place) + 1 for place in np.argsort(logs[1:] - logs[:-1], kind="stable")[:DROPS]]


def row_price(row: IntArray) -> float:
    """What it costs to state a row `[a, b]`, in nats."""
    return chance.price(row[:-1], len(row) - 1) + SIDE_NATS


def simplest_row(points: Points, excluded: IntArray) -> IntArray | None:
    """An integer row `[a, b]` of few columns that keeps all kept labels and excludes this one; None if too complex."""
    least = LeastRow(excluded - points.kept, points.signs)
    costs = np.ones(points.width)
    row = None
    for _ in range(1 + REWEIGHTINGS):
        row = least.row(costs)
        if row is None:
            return None
        costs = 1.0 / (np.abs(row) / np.abs(row).max() + SMALL)
    assert row is not None  # noqa: S101 - there is at least one turn
    whole = whole_row(np.append(row, 0.0), points.kept, excluded[None])
    if whole is None or np.abs(whole[:-1]).max() > LARGEST:
        return None
    whole[-1] = int((points.bordered_kept[:, :-1] @ whole[:-1]).max())
    return whole


class LeastRow:
    """The row a with a·difference ≥ 1 for all differences and the least Σ costs·|a|, as costs change.

    Coefficients have the given signs, or any where it is 0. Differences are added to the linear program as needed.
    """

    def __init__(self, differences: IntArray, signs: IntArray) -> None:
        from unwritten.programs import LoadedProgram  # HiGHS is loaded when it is first needed

        self._differences = differences.astype(np.float64)
        self._width = differences.shape[1]
        most = np.concatenate([np.where(signs < 0, 0.0, np.inf), np.where(signs > 0, 0.0, np.inf)])
        self._program = LoadedProgram(np.zeros(2 * self._width), most)
        self._add(_smallest(np.abs(differences).sum(axis=1), KEPT_ADDED))

    def row(self, costs: FloatArray) -> FloatArray | None:
        """The least row for these costs; None if there is none, or if it takes too many programs."""
        objective = -np.concatenate([costs, costs])
        for _ in range(budgets.LIMIT_LP_ROUNDS):
            solved = self._program.solve(objective)
            if solved.values is None or not solved.optimal:
                return None
            row = np.rint((solved.values[: self._width] - solved.values[self._width :]) * GRID) / GRID
            products = self._differences @ row  # exact: whole numbers times numbers of a grid
            worst = _smallest(products, KEPT_ADDED)
            short = worst[products[worst] < 1 - SHORT]
            if not len(short):
                return row
            self._add(short)
        return None

    def _add(self, which: IntArray) -> None:
        part = self._differences[which]
        self._program.add(np.column_stack([part, -part]), lower=np.ones(len(part)))


def _smallest(numbers: FloatArray | IntArray, count: int) -> IntArray:
    """The places of the smallest numbers in ascending order, the first of equal ones first."""
    if len(numbers) <= count:
        return np.argsort(numbers, kind="stable")
    places = np.flatnonzero(numbers <= np.partition(numbers, count - 1)[count - 1])
    return places[np.argsort(numbers[places], kind="stable")[:count]]


def _contrast(points: Points, row: IntArray, left: BoolArray, unknown: BoolArray) -> float:
    """By how many nats excluded labels are more frequent beyond the row than among all labels that are left."""
    claimed = np.array([left.sum(), (left & points.beyond(row[None])[0]).sum()], np.float64)
    others = np.array([unknown.sum(), (unknown & points.unknown_beyond(row[None])[0]).sum()], np.float64)
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
    excluded = np.ascontiguousarray(points.excluded.T)  # sums over columns are faster along memory
    for label in points.seen[rng.permutation(len(points.seen))[: budgets.LIMIT_NEAR_SEEN]]:
        np.minimum(distance, np.abs(excluded - label[:, None]).sum(axis=0), out=distance)
    order = rng.permutation(len(distance))
    return order[np.argsort(distance[order], kind="stable")]


def needed(rows: IntArray, points: Points) -> BoolArray:
    """Which rows are left without those that exclude nothing alone; the most expensive ones are spared first."""
    excludes = points.beyond(rows)
    stays, often = np.ones(len(rows), bool), excludes.sum(axis=0)
    for k in np.argsort([-row_price(row) for row in rows], kind="stable"):
        stays[k] = bool((excludes[k] & (often == 1)).any())
        if not stays[k]:
            often -= excludes[k]
    return stays
