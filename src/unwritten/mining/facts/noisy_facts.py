"""Facts despite wrong rows: facts that all but few rows obey, and the rows that break them.

A wrong row hides the facts that it breaks. But a small random part of the rows is often free of the few rows that break
one fact, and then shows it. Rows that break such a fact are set aside, and facts are mined from all others at full
strength. A fact is kept if few rows of the whole table break it, compared with those in which it could have failed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np

from unwritten import budgets
from unwritten.conditions.across import Entry, distinct_entries
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.effort import Effort
from unwritten.facts import Dependency, Fact
from unwritten.mining.facts.believed import believed, without_consequences
from unwritten.mining.facts.row_sample import Sample, drawn, typed_batches
from unwritten.mining.facts.weighing import NEAR
from unwritten.tables import Table
from unwritten.tables.column import Level

PARTS = (2, 2, 4, 4, 4, 8, 8, 8, 8, 16, 16, 16)  # each search takes one row in so many
LIKELY = 0.8  # confidence that a fact of a part of the rows needs to be tried on all
FEW = 0.1  # most exceptions, as a share of the rows in which a fact could have failed
MOST_ASIDE = 0.1  # share of rows set aside, above which they are not errors


@dataclass(frozen=True)
class NoisyFacts:
    """Facts, with how many rows break them; and the places of these rows, those that are most surely wrong first."""

    facts: tuple[Fact, ...]
    suspects: IntArray


def mine_noisy_facts(table: Table, confidence: float, rate: float | None, effort: Effort | None = None) -> NoisyFacts:
    """Return the facts that all but a share `rate` of the rows obey; None leaves the share open."""
    if table.rows < budgets.FACT_TRIALS:
        return NoisyFacts((), np.zeros(0, np.int64))
    sample, effort = drawn(table), effort or Effort()
    share = NEAR if rate is None else rate
    right = sample.at(np.flatnonzero(~_set_aside(sample, share, effort)))
    facts = believed(right, confidence, effort, trim=share)
    stated = without_consequences([fact for fact, _ in _counted(facts, table, share)], right)
    counted = _counted(stated, table, share)
    return NoisyFacts(tuple(fact for fact, _ in counted), _surest_first(counted, table.rows))


def _set_aside(sample: Sample, share: float, effort: Effort) -> BoolArray:
    """Return which rows break a fact that parts of the rows show, and that nearly all rows obey."""
    aside = np.zeros(sample.n, bool)
    rng = np.random.default_rng(0)
    tried: set[str] = set()
    breaking: list[BoolArray] = []
    for part in PARTS:
        size = min(sample.n, max(budgets.NOISY_FACT_FEWEST, min(sample.n // part, budgets.NOISY_FACT_ROWS)))
        few = sample.at(np.sort(rng.choice(sample.n, size, replace=False)))
        for fact in believed(few, LIKELY, effort, ranges=False):
            if fact.digest in tried:
                continue
            tried.add(fact.digest)
            wrong = _learned(fact, sample).checker()(sample.rows)
            if 0 < int(wrong.sum()) <= max(1.0, share * sample.n):
                breaking.append(np.asarray(wrong))
    for wrong in sorted(breaking, key=lambda each: int(each.sum())):
        if float((aside | wrong).mean()) <= MOST_ASIDE:
            aside |= wrong
    return aside


def _learned(fact: Fact, sample: Sample) -> Fact:
    if not isinstance(fact, Dependency):
        return fact
    learner = _MajorityLearner(fact)
    learner.add(*distinct_entries(sample.rows, fact.columns))
    return learner.fact()


class _MajorityLearner:
    """Counts the values of a dependency: the right value of left values is the one that came most often."""

    def __init__(self, fact: Dependency) -> None:
        self._fact = fact
        self._counts: dict[Entry, dict[Level, int]] = {}

    def add(self, entries: list[Entry], places: IntArray) -> None:
        """Count the rows of a batch, which are given as by `distinct_entries`."""
        for entry, count in zip(entries, np.bincount(places, minlength=len(entries)).tolist(), strict=True):
            rights = self._counts.setdefault(entry[:-1], {})
            rights[entry[-1]] = rights.get(entry[-1], 0) + count

    def fact(self) -> Dependency:
        """Return the dependency with these values; left values that came with two equally often are left out."""
        entries = []
        for left, rights in self._counts.items():
            best = max(rights.values())
            if sum(count == best for count in rights.values()) == 1:
                entries.append((*left, next(right for right, count in rights.items() if count == best)))
        return replace(self._fact, mapping=tuple(entries[: budgets.FACT_MAPPING]))


def _counted(candidates: list[Fact], table: Table, share: float) -> list[tuple[Fact, IntArray]]:
    """Return the facts that few rows break, with their exceptions counted, and the places of these rows."""
    learners = {k: _MajorityLearner(fact) for k, fact in enumerate(candidates) if isinstance(fact, Dependency)}
    if learners:
        for rows in typed_batches(table, "learning values"):
            for k, learner in learners.items():
                learner.add(*distinct_entries(rows, candidates[k].columns))
    facts = [learners[k].fact() if k in learners else fact for k, fact in enumerate(candidates)]
    checkers = [fact.checker() for fact in facts]
    wrong: list[list[IntArray]] = [[] for _ in facts]
    start = 0
    for rows in typed_batches(table, "verifying facts"):
        for k, checker in enumerate(checkers):
            wrong[k].append(start + np.flatnonzero(checker(rows)))
        start += rows.rows
    counted = []
    for fact, parts in zip(facts, wrong, strict=True):
        places = np.concatenate(parts)
        most = min(share * table.rows, FEW * _trials(fact))
        if not len(places):
            counted.append((fact, places))
        elif len(places) <= max(1.0, most) and fact.evidence is not None:
            examples = max(fact.evidence.examples, len(places))
            evidence = replace(fact.evidence, examples=examples, violations=len(places))
            counted.append((replace(fact, evidence=evidence), places))
    return counted


def _trials(fact: Fact) -> float:
    """Return in how many rows a fact could have failed, computed back from its doubt."""
    doubt = 1.0 if fact.evidence is None else fact.evidence.doubt
    return max(0.0, 1.0 / max(doubt, 1e-9) - 2.0)


def _surest_first(counted: list[tuple[Fact, IntArray]], rows: int) -> IntArray:
    """Return the places of the rows that break a fact: those that break many facts with few exceptions come first."""
    against: FloatArray = np.zeros(rows)
    for fact, places in counted:
        against[places] += log(1.0 + _trials(fact) / max(1, len(places)))
    suspects = np.flatnonzero(against > 0)
    return np.asarray(suspects[np.lexsort((suspects, -np.round(against[suspects], 9)))], np.int64)
