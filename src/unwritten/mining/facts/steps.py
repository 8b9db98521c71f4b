"""Steps: numbers that are all multiples of one number, such as prices in quarters.

Each different value is a multiple by chance with probability 1/step.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd, log

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.facts import Step
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of

FINEST = 100_000  # steps in a typical value, above which a step says little
USUAL = (2, 5, 10, 25, 50, 100)  # steps tried as near-rules: most values are multiples of them


def find_steps(sample: Sample) -> list[Step]:
    """Return the steps of exact numbers whose values are not all known."""
    weighed: list[tuple[Step, int, float]] = []
    near = 0
    columns = [c for c in sample.numbers if c.role != "float" and not (c.one_hot and c.closed)]
    for column in columns:
        values = sample.values(column.name)
        values = values[~np.isnan(values)]
        if len(values) < budgets.FACT_TRIALS or (values != np.rint(values)).any():
            continue
        numbers = values.astype(np.int64)
        distinct = np.unique(np.abs(numbers[numbers != 0]))
        step = common_divisor(distinct)
        telling = step * FINEST >= float(np.median(distinct)) if len(distinct) else False
        if step > 1 and telling and len(distinct) >= budgets.FACT_TRIALS:
            weighed.append((Step(column.name, step), len(distinct), len(distinct) * log(step)))
        near += step == 1 and any(0 < (numbers % usual != 0).mean() <= NEAR for usual in USUAL)
    doubt, price = doubt_of_kind(near, len(weighed), sample.n), price_of(len(columns))
    return [replace(fact, evidence=evidence_of(trials, nats, price, doubt)) for fact, trials, nats in weighed]


def common_divisor(numbers: IntArray) -> int:
    """Return the largest number that divides all of these; 0 without any."""
    divisor = 0
    for number in numbers.tolist():
        divisor = gcd(divisor, number)
        if divisor == 1:
            break
    return divisor
