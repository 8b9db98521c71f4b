"""Missing values: columns that have a value in every row, and columns that are missing in the same rows."""

from __future__ import annotations

from collections import defaultdict
from math import log

from unwritten import budgets
from unwritten.facts import MissingTogether, NeverMissing
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of


def find_missing(sample: Sample) -> list[NeverMissing | MissingTogether]:
    """Return the columns that are missing in the same rows, and those without variables that are never missing."""
    if sample.n < budgets.FACT_TRIALS:
        return []
    groups: dict[bytes, list[str]] = defaultdict(list)
    never: list[str] = []
    gaps: dict[bytes, int] = {}
    whole = rarely = 0
    for column in sample.columns:
        missing = sample.rows.missing(column.name)
        count = int(missing.sum())
        whole += count == 0
        rarely += 0 < count <= NEAR * sample.n
        if count == 0 and not column.width:
            never.append(column.name)
        elif budgets.FACT_TRIALS <= count <= sample.n - budgets.FACT_TRIALS:
            groups[missing.tobytes()].append(column.name)
            gaps[missing.tobytes()] = count
    facts: list[NeverMissing | MissingTogether] = []
    price = price_of(len(sample.columns) ** 2)
    for mask, names in groups.items():
        if len(names) > 1:
            trials = min(gaps[mask], sample.n - gaps[mask])
            facts.append(MissingTogether(tuple(names), evidence=evidence_of(trials, trials * log(2.0), price)))
    if never:
        doubt = doubt_of_kind(rarely, whole, sample.n) * len(never)  # each of them may be missing in a later row
        facts.append(NeverMissing(tuple(never), evidence=evidence_of(sample.n, sample.n * log(2.0), 0.0, doubt)))
    return facts
