"""The miner of facts: draw a sample, find facts of each kind, and verify them on all rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.conditions.across import Entry, distinct_entries
from unwritten.effort import Effort
from unwritten.facts import Dependency, Fact
from unwritten.mining.facts.believed import believed, without_consequences
from unwritten.mining.facts.row_sample import Sample, drawn, typed_batches
from unwritten.tables import Table
from unwritten.tables.typed_rows import TypedRows


def mine_facts(
    table: Table, confidence: float, sample: Sample | None = None, effort: Effort | None = None
) -> tuple[Fact, ...]:
    """Return the facts that all rows of a table obey, and that are no accidents with this confidence."""
    if table.rows < budgets.FACT_TRIALS:
        return ()
    sample = drawn(table) if sample is None else sample
    facts = believed(sample, confidence, effort or Effort())
    rows: Iterable[TypedRows] = [sample.rows] if sample.whole else typed_batches(table, "verifying facts")
    return tuple(without_consequences(verified_facts(facts, rows), sample))


def verified_facts(facts: list[Fact], batches: Iterable[TypedRows]) -> list[Fact]:
    """Return the facts that no row breaks; dependencies learn all values that they are about."""
    learners = [Learner(fact) if isinstance(fact, Dependency) else None for fact in facts]
    checkers = [fact.checker() for fact in facts]
    holds = [True] * len(facts)
    for rows in batches:
        for k, (learner, checker) in enumerate(zip(learners, checkers, strict=True)):
            if holds[k]:
                holds[k] = learner.add(rows) if learner is not None else not checker(rows).any()
    return [
        fact if learner is None else learner.fact()
        for fact, learner, held in zip(facts, learners, holds, strict=True)
        if held
    ]


def broken_counts(facts: Sequence[Fact], table: Table) -> list[int]:
    """Return how many rows of a table break each fact."""
    counts = np.zeros(len(facts), np.int64)
    checkers = [fact.checker() for fact in facts]
    for rows in typed_batches(table, "checking given facts") if facts else ():
        counts += [int(checker(rows).sum()) for checker in checkers]
    return [int(count) for count in counts]


class Learner:
    """Learns the values of a dependency batch by batch."""

    def __init__(self, fact: Dependency) -> None:
        self._fact = fact
        self._right: dict[Entry, str | None] = {}

    def add(self, rows: TypedRows) -> bool:
        """Take in a batch; False if it contradicts what was seen before."""
        entries, _ = distinct_entries(rows, self._fact.columns)
        return all(self._right.setdefault(entry[:-1], entry[-1]) == entry[-1] for entry in entries)

    def fact(self) -> Dependency:
        """The dependency with the values that were seen: the first of them, if there are very many."""
        entries = [(*left, right) for left, right in self._right.items()][: budgets.FACT_MAPPING]
        return replace(self._fact, mapping=tuple(entries))
