"""Sum orders: parts that never exceed a whole together (a + b ≤ c), and wholes that parts cover (a ≤ b + c).

They are weighed as orders of two columns are: the differences must end at 0 instead of fading out before it. Each term
must matter: if it comes from another row in which the whole is about as large, many rows must break the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray
from unwritten.facts import LinearFact, Order, SumOrder
from unwritten.mining.facts.column_orders import There
from unwritten.mining.facts.related_names import is_a_name_of_things
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.value_ends import ends_at
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of, rounded
from unwritten.tables.units import common_factor

MOST_PARTS = 4
FEW = 0.1  # fewer exceptions than this share of those expected make an order a near-rule
FIRST_ROWS = 400  # pairs of columns are tried on so many rows first
LEAST_EXPECTED = 5.0  # rows that a term taken from a row like it would put in the wrong order
NEARLY = 0.3  # give an order up if more than this share of the rows expected to break it do
SHIFTS = (1, 2, 3, 5, 8)  # how far a term is moved among rows in which the whole is about as large

Places = tuple[int, ...]
Sides = tuple[Places, Places]  # the columns of the smaller and of the larger sum


@dataclass(frozen=True)
class _Weighed:
    """An order of sums: `trials` rows were to be expected in the wrong order, `least` by one term, and `broken` are."""

    sides: Sides
    trials: float
    broken: int
    chance: float
    rows: int
    least: float


class _Numbers:
    """Columns that are never below 0, in one unit."""

    def __init__(self, sample: Sample) -> None:
        sizes = [column for column in sample.numbers if not is_a_name_of_things(column.name)]
        columns = [column for column in sizes if _is_amount(sample.values(column.name))]
        chosen = tuple(columns[: budgets.FACT_SUM_ORDER_COLUMNS])
        factors = [common_factor(chosen, column.name) for column in chosen]
        self.names = tuple(column.name for column in chosen)
        self.values = np.column_stack(
            [
                np.zeros((sample.n, 0)),
                *(sample.values(c.name) * f for c, f in zip(chosen, factors, strict=True)),
            ]
        )
        self.steps = [0.0 if c.role == "float" else float(f) for c, f in zip(chosen, factors, strict=True)]

    def candidates(self) -> list[Sides]:
        """Return the pairs of parts of a whole, and the pairs that cover one, that nearly all of a few rows obey."""
        few = _spread(self.values, FIRST_ROWS)
        sides: list[Sides] = []
        for whole in range(len(self.names)):
            rest = few[:, [whole]] - few  # what is left of the whole without each column
            below, above = _seldom(rest < 0), _seldom(rest > 0)
            for a in range(len(self.names)):
                if a == whole:
                    continue
                room = rest[:, [a]] - few  # what is left without two columns
                if below[a] and not above[a]:
                    fits = _seldom(room < 0)
                    sides += [((a, b), (whole,)) for b in _after(a, whole, fits & below & ~above)]
                elif not above[a]:
                    covers = _seldom(room > 0)
                    sides += [((whole,), (a, b)) for b in _after(a, whole, covers & ~above & ~below)]
        return sides

    def weighed(self, sides: Sides) -> _Weighed | None:
        """Return the order with its evidence; None if many rows break it or a term does not matter."""
        few = self._weighed(sides, _spread(self.values, budgets.FACT_SUM_ORDER_ROWS), 0.0)
        if few is None or len(self.values) <= budgets.FACT_SUM_ORDER_ROWS:
            return few if few is None or few.least >= LEAST_EXPECTED else None
        return self._weighed(sides, self.values, LEAST_EXPECTED)

    def _weighed(self, sides: Sides, values: FloatArray, least: float) -> _Weighed | None:
        low, high = sides
        values = values[:, [*low, *high]]
        values = values[~np.isnan(values).any(axis=1)]
        if len(values) < budgets.FACT_TRIALS:
            return None
        smaller, larger = values[:, : len(low)].sum(axis=1), values[:, len(low) :].sum(axis=1)
        broken = int((smaller > larger).sum())
        able = (smaller > larger.min()) & (smaller <= larger)  # rows that could be in the wrong order
        if int(able.sum()) < budgets.FACT_TRIALS or broken > NEAR * len(values) or not (larger > smaller).any():
            return None
        expected = _expected(values, len(low))
        if min(expected) < least or broken > max(1.0, NEARLY * sum(expected)):
            return None
        steps = [self.steps[k] for k in (*low, *high)]
        ended = ends_at((larger - smaller)[able], 0.0, min(steps) if all(steps) else 0.0)
        chance = min(0.999, sum(expected) / len(values))
        return _Weighed(sides, min(ended, sum(expected)), broken, chance, len(values), min(expected))


def _spread(values: FloatArray, most: int) -> FloatArray:
    """Return at most so many rows, spread over all."""
    return values[np.linspace(0, len(values) - 1, min(len(values), most)).astype(np.int64)]


def _is_amount(values: FloatArray) -> bool:
    present = values[~np.isnan(values)]
    return len(present) >= budgets.FACT_TRIALS and bool(present.min() >= 0 and np.ptp(present) > 0)


def _seldom(wrong: BoolArray) -> BoolArray:
    return np.asarray(wrong.mean(axis=0) <= NEAR)


def _after(a: int, whole: int, fits: BoolArray) -> list[int]:
    return [b for b in np.flatnonzero(fits).tolist() if b > a and b != whole]


def find_sum_orders(sample: Sample) -> list[SumOrder]:
    """Return the orders of sums that hold in all rows of the sample."""
    numbers = _Numbers(sample)
    if len(numbers.names) < 3:
        return []
    pairs = [w for sides in numbers.candidates() if (w := numbers.weighed(sides)) is not None]
    weighed = [*(w for w in pairs if len(w.sides[1]) > 1), *_grown(numbers, [w for w in pairs if len(w.sides[1]) == 1])]
    held = [w for w in weighed if not w.broken]
    near = sum(0 < w.broken <= FEW * w.trials for w in weighed)
    price = price_of(len(numbers.names) ** 3)
    facts = []
    for w in held:
        evidence = evidence_of(w.trials, -w.rows * np.log1p(-w.chance), price, doubt_of_kind(near, len(held), w.rows))
        evidence = replace(evidence, examples=w.rows, chance=rounded(1.0 - w.chance))
        low, high = (tuple(numbers.names[k] for k in side) for side in w.sides)
        facts.append(SumOrder(low, high, evidence=evidence))
    return facts


def _grown(numbers: _Numbers, pairs: list[_Weighed]) -> list[_Weighed]:
    """Return the sets of parts to which no further part can be added."""
    known = {w.sides for w in pairs if not w.broken}
    largest = [w for w in pairs if w.broken]
    current = [w for w in pairs if not w.broken]
    while current:
        larger: list[_Weighed] = []
        for (low, high), k in ((w.sides, k) for w in current for k in range(w.sides[0][-1] + 1, len(numbers.names))):
            if len(low) < MOST_PARTS and all(((a, k), high) in known for a in low):
                more = numbers.weighed(((*low, k), high))
                larger += [more] if more is not None and not more.broken else []
        sets = [(set(w.sides[0]), w.sides[1]) for w in larger]
        largest += [w for w in current if not any(set(w.sides[0]) < low and w.sides[1] == high for low, high in sets)]
        current = larger
    return largest


def _expected(values: FloatArray, parts: int) -> list[float]:
    """Return, for each term but the whole, how many rows break the order if it is taken from a row with a like whole.

    `values` are the terms of the smaller sum, of which there are `parts`, and then those of the larger one. A part that
    helps to cover a whole matters at most as often as the other parts alone do not cover it.
    """
    signs = np.array([-1.0] * parts + [1.0] * (values.shape[1] - parts))
    whole = parts if parts > 1 else 0
    values = values[np.argsort(values[:, whole], kind="stable")]
    gaps = values @ signs
    expected = []
    for k in np.flatnonzero(np.arange(len(signs)) != whole).tolist():
        moved = [gaps + signs[k] * (np.roll(values[:, k], shift) - values[:, k]) for shift in SHIFTS]
        wrong = float(np.mean([int((other < 0).sum()) for other in moved]))
        expected.append(min(wrong, float((gaps - values[:, k] < 0).sum())) if signs[k] > 0 else wrong)
    return expected


def without_implied_orders(
    orders: list[Order], sum_orders: list[SumOrder], sums: list[LinearFact], positive: frozenset[str], there: There
) -> tuple[list[Order], list[SumOrder]]:
    """Drop the orders of sums that follow from the others, and then the orders of two columns that follow from them."""
    if not sum_orders:
        return orders, []
    exact = [_row(fact.names, fact.coefficients) for fact in sums if not fact.total and not fact.tolerance]
    known = [_row(order.columns, (1, -1)) for order in orders]
    independent = [fact for fact in sum_orders if not _follows(_row_of(fact), known, exact, positive, there)]
    for fact in sorted(independent, key=lambda fact: (len(fact.columns), fact.columns)):
        others = [_row_of(other) for other in independent if other is not fact]
        if _follows(_row_of(fact), known + others, exact, positive, there):
            independent.remove(fact)
    rows = [_row_of(fact) for fact in independent]
    left = [o for o in orders if o.strict or not _follows(_row(o.columns, (1, -1)), rows, exact, positive, there)]
    return left, independent


Row = dict[str, float]


def _row(names: Sequence[str], factors: Sequence[int]) -> Row:
    return dict(zip(names, map(float, factors), strict=True))


def _row_of(fact: SumOrder) -> Row:
    return _row(fact.columns, [1] * len(fact.low) + [-1] * len(fact.high))


def _follows(target: Row, orders: list[Row], sums: list[Row], positive: frozenset[str], there: There) -> bool:
    """True if a row is a sum of multiples of the others: of orders and numbers above 0 not negative ones (Farkas).

    Rows say nothing where one of their numbers is missing: only those count that are there with all of the target.
    """
    from scipy.optimize import linprog

    known = there(tuple(target))
    orders, sums = ([row for row in rows if known.issuperset(row)] for rows in (orders, sums))
    names = sorted({name for row in (target, *orders, *sums) for name in row})
    signs: list[Row] = [{name: -1.0} for name in names if name in positive]
    columns = [*orders, *signs, *sums]
    if not columns:
        return False
    matrix = np.array([[row.get(name, 0.0) for row in columns] for name in names])
    bounds = [(0.0, None)] * (len(orders) + len(signs)) + [(None, None)] * len(sums)
    wanted = np.array([target.get(name, 0.0) for name in names])
    return bool(linprog(np.zeros(len(columns)), A_eq=matrix, b_eq=wanted, bounds=bounds, method="highs").status == 0)
