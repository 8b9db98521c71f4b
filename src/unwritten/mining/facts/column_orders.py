"""Orders: pairs of numbers or dates of which one is never above the other.

An order is stated if columns drawn independently would often break it (so it says something), and if the differences
end at 0 instead of fading out before it (`value_ends`). Between columns whose names are related, less is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.facts import LinearFact, Order
from unwritten.mining.facts.related_names import (
    are_ends,
    bound_an_interval,
    is_a_name_of_things,
    share_a_word,
    start_alike,
)
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.value_ends import BEYOND, LEAST_NEAR, ends_at, expected_above, far_bound
from unwritten.mining.facts.weighing import NEAR, evidence_of, price_of, rounded
from unwritten.tables import Column
from unwritten.tables.units import common_factor

ALIKE = 0.8  # an order is compared with candidates that chance would break at least this share of times as often
INFORMATIVE = 0.05  # share of independent pairs that must break an order for it to say anything
LESS_INFORMATIVE = 0.01  # the same between columns whose names are related
ALIKE_NAMES = 3.0  # odds of an order that all rows obey, in place of 1, between columns whose names start alike
SAME_THING = 5.0  # the same between columns whose names share a word
TWO_ENDS = 200.0  # the same between a start and a stop, or a low and a high


There = Callable[[tuple[str, ...]], frozenset[str]]  # the columns that have a value wherever all of these have one


@dataclass(frozen=True)
class _Candidate:
    """A pair of columns; `trials` rows were to be expected in the wrong order, and `broken` are."""

    low: Column
    high: Column
    trials: float
    broken: int
    strict: bool
    chance: float
    rows: int
    odds: float

    def looks_like_none_in(self, trials: float) -> float:
        """Return how likely it is that so many trials show no exception, if exceptions are as common as in this one.

        Let the share of exceptions among trials have a gamma distribution around the one that was seen.
        """
        return float((self.trials / (self.trials + trials)) ** self.broken) if self.trials else 0.0


def find_orders(sample: Sample) -> list[Order]:
    """Return the orders among the number columns and among the time columns."""
    orders: list[Order] = []
    for columns in (sample.numbers[: budgets.FACT_NUMBERS], sample.times):
        candidates = _candidates(sample, columns)
        price = price_of(len(columns) * (len(columns) - 1))
        for c in candidates:
            if c.broken:
                continue
            # orders that say as much as this one show how often such orders have exceptions
            alike = [other for other in candidates if other.chance >= ALIKE * c.chance]
            look_so = sum(other.looks_like_none_in(c.trials) for other in alike if other.broken)
            doubt = min(1.0, look_so / sum(not other.broken for other in alike)) / c.odds
            trials = c.odds * (c.trials + 1) - 1  # better odds are worth further trials without exceptions
            weighed = evidence_of(trials, -c.rows * np.log1p(-c.chance), price, doubt)
            weighed = replace(weighed, examples=c.rows, chance=rounded(1.0 - c.chance))
            orders.append(Order(c.low.name, c.high.name, c.strict, evidence=weighed))
    return orders


def _candidates(sample: Sample, columns: tuple[Column, ...]) -> list[_Candidate]:
    """Return the orders that nearly all rows obey and that independent columns would often break."""
    candidates = []
    for low, high in permutations(columns, 2):
        pair = (low, high)
        a = sample.values(low.name) * common_factor(pair, low.name)
        b = sample.values(high.name) * common_factor(pair, high.name)
        both = ~(np.isnan(a) | np.isnan(b))
        a, b = a[both], b[both]
        broken = int((a > b).sum())
        if len(a) < budgets.FACT_TRIALS or broken > NEAR * len(a):
            continue
        chance = min(_exceedances(a, b), _exceedances(*_without_least(a, b)))
        gaps = (b - a)[(a > b.min()) & (a <= b)]  # rows that could be in the wrong order
        odds = _odds(low.name, high.name)
        if odds < TWO_ENDS and (is_a_name_of_things(low.name) or is_a_name_of_things(high.name)):
            continue
        if chance < (INFORMATIVE if odds == 1.0 else LESS_INFORMATIVE) or not gaps.any():
            continue
        step = 0.0 if "float" in (low.role, high.role) else 1.0
        trials = ends_at(gaps, 0.0, step)
        if step:
            trials = max(trials, expected_above(a[b > b.min()], b[b > b.min()]))
        if far_bound(gaps) > 0 or _far_below(a, b):  # the smallest gap is far from 0
            trials = max(trials, 1 / BEYOND)
        lasts = bound_an_interval(low.name, high.name)
        strict = not (a == b).any() and (lasts or _never_equal(gaps))
        candidates.append(_Candidate(low, high, trials, broken, strict, chance, len(a), odds))
    return candidates


def _exceedances(a: FloatArray, b: FloatArray) -> float:
    """Return how likely a value of `a` is above a value of `b` if they are drawn independently."""
    return float(np.searchsorted(np.sort(b), a, side="left").mean() / len(b)) if len(b) else 0.0


def _odds(low: str, high: str) -> float:
    if are_ends(low, high):
        return TWO_ENDS
    return SAME_THING if share_a_word(low, high) else ALIKE_NAMES if start_alike(low, high) else 1.0


def _far_below(a: FloatArray, b: FloatArray) -> bool:
    """True if positive numbers are so far below others, as shares of them, that none is expected to reach them."""
    positive = (a > 0) & (b > 0)
    return bool(positive.all() and far_bound(np.log(b) - np.log(a)) > 0)


def _never_equal(gaps: FloatArray) -> bool:
    """True if no gap is 0, and either many gaps are as small as the smallest one or all are far from 0."""
    smallest = float(gaps.min())
    return smallest > 0 and (int((gaps == smallest).sum()) >= LEAST_NEAR or far_bound(gaps) > 0)


def _without_least(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rows in which `b` is above its smallest value: rows in which both are 0 do not test an order."""
    rest = b > b.min()
    return a[rest], b[rest]


def follows_from_sum(order: Order, sums: list[LinearFact], positive: frozenset[str], there: There) -> bool:
    """True if the high column is the low one and columns that are never below 0: seats = adults + children."""
    for fact in sums:
        if not there(order.columns).issuperset(fact.names):  # where a number is missing, the sum says nothing
            continue
        factors = dict(zip(fact.names, fact.coefficients, strict=True))
        whole, part = factors.pop(order.high, 0), factors.pop(order.low, 0)
        rest = all(factor * whole < 0 and name in positive for name, factor in factors.items())
        if whole and whole == -part and rest and not fact.total and not fact.tolerance:
            return True
    return False


def without_followers(orders: list[Order], there: There) -> list[Order]:
    """Drop the orders that follow from two others: a ≤ c if a ≤ b and b ≤ c are stated, and b is there with both."""
    strict = {order.columns: order.strict for order in orders}
    above: dict[str, set[str]] = {}
    for low, high in strict:
        above.setdefault(low, set()).add(high)
    independent = []
    for order in orders:
        low, high = order.columns
        middles = [name for name in above[low] & there(order.columns) if high in above.get(name, ())]
        if not any(not order.strict or strict[low, name] or strict[name, high] for name in middles):
            independent.append(order)
    return independent
