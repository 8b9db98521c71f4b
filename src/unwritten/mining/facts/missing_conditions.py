"""Missing conditions: columns whose values say whether another one is missing.

Neighbouring rows that are alike count once. A value says something if the other column would have been missing, or not,
in many of its rows if they were like all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from unwritten import budgets
from unwritten.facts import MissingWhen
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import evidence_of, price_of
from unwritten.tables import Column
from unwritten.tables.column import Level, plain_integer

TELLING = 100.0  # rows with a value that would be missing (or not) the other way round if they were like all rows
RARE = 5.0  # such rows that count as one row of evidence: few of the many values that are tried decide


@dataclass(frozen=True)
class _Found:
    fact: MissingWhen
    rows: int  # that it is about


def find_missing_conditions(sample: Sample) -> list[MissingWhen]:
    """Return, for each column without variables that is sometimes missing, the condition that says most about when."""
    deciding = [c for c in sample.columns if int(sample.codes(c.name).max(initial=0)) < budgets.FACT_FEW_LEVELS]
    facts, masks = [], set()
    price = price_of(len(deciding) * len(sample.columns))
    for column in sample.columns:
        gone = sample.rows.missing(column.name)
        few = min(int(gone.sum()), int((~gone).sum())) < budgets.FACT_TRIALS
        if column.one_hot or few or gone.tobytes() in masks:
            continue
        masks.add(gone.tobytes())  # columns that are missing in the same rows need only one such fact
        candidates = [_decided(sample, by, column, price) for by in deciding if by is not column]
        telling = [each for each in candidates if each is not None]
        if telling:
            facts.append(max(telling, key=lambda each: (each.fact.exactly, each.rows)).fact)
    return facts


def _decided(sample: Sample, by: Column, name: Column, price: float) -> _Found | None:
    codes, gone = sample.codes(by.name)[sample.distinct], sample.rows.missing(name.name)[sample.distinct]
    new = np.ones(len(codes), bool)
    new[1:] = (codes[1:] != codes[:-1]) | (gone[1:] != gone[:-1])
    counts, lost = np.bincount(codes), np.bincount(codes, weights=gone)
    runs, lost_runs = np.bincount(codes[new], minlength=len(counts)), np.bincount(codes[new], weights=gone[new])
    share = float(gone.mean())
    always, never = lost == counts, lost == 0
    exactly = bool((always | never).all())
    telling = np.where(always, runs * (1 - share), runs * share)
    said = (always | never) & ((telling >= TELLING) | exactly)
    missing, present = _levels(sample, by, always & said), _levels(sample, by, never & said)
    if not missing or (exactly and missing == (None,)):  # both columns are missing in the same rows
        return None
    both = min(lost_runs.sum(), runs.sum() - lost_runs.sum())
    trials = float(both if exactly else telling[said].min() / RARE)
    rows = int(counts[said].sum())
    nats = rows * -log(max(share, 1 - share))
    return _Found(
        MissingWhen(name.name, by.name, missing, present, exactly, evidence=evidence_of(trials, nats, price)), rows
    )


def _levels(sample: Sample, by: Column, chosen: np.ndarray) -> tuple[Level, ...]:
    """Return the values whose codes are chosen."""
    texts, index = sample.rows.texts(by.name)
    codes = sample.codes(by.name)
    first = np.unique(codes, return_index=True)[1]
    levels = [texts[int(index[first[code]])] for code in np.flatnonzero(chosen).tolist()]
    return tuple(None if text is None else plain_integer(text) for text in levels)
