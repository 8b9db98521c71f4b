"""Rounded sums: linear equalities between numbers that hold up to the rounding of these numbers.

A linear combination of columns whose values hardly vary is nearly such a sum. These combinations are brought to echelon
form, and their factors to small integers. Whether a sum holds is then tested row by row, within half a unit of the last
digit of every number in it; and as rounding goes both ways, so must its errors.
"""

from __future__ import annotations

from math import comb, floor, log, log10

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.facts import LinearFact
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.steps import common_divisor
from unwritten.mining.facts.sums import MOST_TERMS, complete_parts
from unwritten.mining.facts.weighing import evidence_of
from unwritten.tables import Column
from unwritten.tables.units import common_factor

LARGEST_FACTOR = 10
NEAR_WHOLE = 0.02  # how far a factor may be from an integer before it is rounded to it
SPREADS = (1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)  # spreads, relative to the columns, up to which a sum hardly varies
SINGLE, DOUBLE = 2.0**-23, 2.0**-50  # relative errors of numbers of single precision, and of sums of double precision
LEAST_GAIN = 100.0  # spread of every column over the tolerance, below which a sum says little
COARSE = 5.0  # if units differ by this factor, the finer numbers may be exact
BOTH_WAYS = 0.1  # share of the errors that must go each way
DECIMALS = 12


def find_rounded_sums(sample: Sample, exact: list[LinearFact]) -> list[LinearFact]:
    """Return the sums that hold within the rounding of their numbers, but not exactly."""
    columns = tuple(sample.numbers[: budgets.FACT_NUMBERS])
    if len(columns) < 2:
        return []
    factors = [common_factor(columns, c.name) for c in columns]
    values = np.column_stack([sample.values(c.name) * f for c, f in zip(columns, factors, strict=True)])
    units = np.array([_unit(c, sample.values(c.name)) * f for c, f in zip(columns, factors, strict=True)])
    known = [set(fact.names) for fact in exact]
    facts: dict[str, LinearFact] = {}
    for chosen, rows in complete_parts(values):
        part = values[np.ix_(rows, chosen)]
        for combination in _nearly_constant(part):
            terms = np.flatnonzero(combination)
            picked = chosen[terms]
            fact = _weighed(combination[terms], picked, values, units, columns)
            if fact is not None and set(fact.names) not in known:
                facts.setdefault(fact.digest, fact)
    return sorted(facts.values(), key=lambda fact: (len(fact.names), fact.names))


def _unit(column: Column, values: FloatArray) -> float:
    """Return the unit that the numbers of a column are rounded to."""
    present = values[~np.isnan(values)]
    largest = float(np.abs(present).max(initial=0.0))
    if column.role != "float":
        whole = bool((present == np.rint(present)).all())
        return float(max(1, common_divisor(np.unique(np.abs(present)).astype(np.int64)))) if whole else 1.0
    for digits in range(DECIMALS):
        scaled = present * 10.0**digits
        if np.abs(scaled - np.rint(scaled)).max(initial=0.0) <= 1e-15 * largest * 10.0**digits + 1e-9:
            return max(10.0**-digits, _single_precision(present, largest))
    return max(largest * DOUBLE, _single_precision(present, largest))


def _single_precision(values: FloatArray, largest: float) -> float:
    """Return the error of numbers of single precision; 0 if these have more digits."""
    some = values[:1_000]
    written = all(float(f"{value:.9g}") == value for value in some.tolist())
    return largest * SINGLE if written or bool((some == some.astype(np.float32)).all()) else 0.0


def _nearly_constant(values: FloatArray) -> list[IntArray]:
    """Return small integer factors of columns whose sums hardly vary."""
    spread = values.std(axis=0)
    varying = np.flatnonzero(spread > 0)
    if len(varying) < 2:
        return []
    scaled = (values[:, varying] - values[:, varying].mean(axis=0)) / spread[varying]
    sizes, vectors = np.linalg.eigh(scaled.T @ scaled / len(scaled))  # too coarse below 1e-8: rows are tested anyway
    rows: dict[bytes, IntArray] = {}
    for limit in SPREADS:
        flat = vectors[:, sizes <= max(limit**2, 1e-15)].T
        for row in _echelon(flat):
            factors = _whole_factors(row / spread[varying])
            if factors is not None:
                out = np.zeros(values.shape[1], np.int64)
                out[varying] = factors
                rows.setdefault(out.tobytes(), out)
    return list(rows.values())


def _echelon(rows: FloatArray) -> FloatArray:
    """Return the rows after elimination: each has a column of its own, in which the others are 0."""
    rows = rows.copy()
    for k in range(len(rows)):
        i, j = np.unravel_index(int(np.argmax(np.abs(rows[k:]))), rows[k:].shape)
        if abs(rows[k + i, j]) < 1e-9:
            return rows[:k]
        rows[[k, k + int(i)]] = rows[[k + int(i), k]]
        rows[k] /= rows[k, j]
        others = np.arange(len(rows)) != k
        rows[others] -= np.outer(rows[others, j], rows[k])
    return rows


def _whole_factors(row: FloatArray) -> IntArray | None:
    """Return a row divided by its smallest entry of weight, if it then has few, small and whole factors."""
    size = np.abs(row)
    for k in np.argsort(-size).tolist()[:MOST_TERMS]:
        if not size[k]:
            break
        divided = row / row[k]
        whole = np.rint(divided)
        terms = int((whole != 0).sum())
        if (
            2 <= terms <= MOST_TERMS
            and np.abs(whole).max() <= LARGEST_FACTOR
            and np.abs(divided - whole).max() <= NEAR_WHOLE
        ):
            return np.asarray(whole.astype(np.int64))
    return None


def _weighed(
    factors: IntArray, picked: IntArray, values: FloatArray, units: FloatArray, columns: tuple[Column, ...]
) -> LinearFact | None:
    """Return the sum with its tolerance and evidence, if all rows obey it and its errors are those of rounding."""
    part = values[:, picked]
    part = part[~np.isnan(part).any(axis=1)]
    if len(part) < budgets.FACT_TRIALS:
        return None
    sums = part @ factors
    total = float(np.rint(np.median(sums)))
    errors = sums - total
    trivial = DOUBLE * float(np.abs(part).max()) * len(picked)
    tolerance = _tolerance(factors, units[picked], max(float(np.abs(errors).max()), trivial))
    spreads = np.percentile(part, 95, axis=0) - np.percentile(part, 5, axis=0)
    if tolerance is None or float((spreads / tolerance).min()) < LEAST_GAIN:
        return None
    off = errors[np.abs(errors) > trivial]
    if len(off) < budgets.FACT_TRIALS or min((off > 0).mean(), (off < 0).mean()) < BOTH_WAYS:
        return None
    trials = min(len(part) - int(np.unique(column, return_counts=True)[1].max()) for column in part.T)
    price = log(comb(len(columns), len(picked))) + len(picked) * log(2 * int(np.abs(factors).max()) + 1)
    evidence = evidence_of(trials, trials * log(LEAST_GAIN), price)
    names = tuple(columns[k].name for k in picked.tolist())
    return LinearFact(names, tuple(factors.tolist()), int(total), _plain(tolerance), evidence=evidence)


def _tolerance(factors: IntArray, units: FloatArray, largest_error: float) -> float | None:
    """Return how far rounding can move a sum; None if an error is larger.

    That is half a unit for each number. Numbers that are rounded to the same unit are off by whole units. If one unit
    is far coarser than the others, the finer numbers may be exact: then only the coarse unit counts, if that is enough.
    """
    moves = np.abs(factors) * units / 2
    unit = float(units.min())
    coarse = units >= COARSE * unit
    bounds = [float(moves[coarse].sum())] if coarse.any() else []
    for bound in [*bounds, float(moves.sum())]:
        whole = bool(np.abs(units / unit - np.rint(units / unit)).max() < 1e-9)
        size = 10.0 ** floor(log10(bound))
        steps = (step * size for step in (1.0, 2.0, 5.0, 10.0))
        tolerance = unit * floor(bound / unit + 1e-9) if whole else next(s for s in steps if s >= bound * (1 - 1e-9))
        if tolerance > 0 and largest_error <= tolerance * (1 + 1e-6):
            return float(tolerance)
    return None


def _plain(tolerance: float) -> float:
    """Return the tolerance as it is saved and said."""
    return int(tolerance) if tolerance == int(tolerance) else float(f"{tolerance:.6g}")
