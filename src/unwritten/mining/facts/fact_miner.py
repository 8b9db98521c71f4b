"""The miner of facts: draw a sample, find facts of each kind, and verify them on all rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unwritten import budgets
from unwritten.facts import Dependency, Fact, LinearFact, Order
from unwritten.facts.dependency import Entry, distinct_entries
from unwritten.mining.facts.conditions import find_conditions
from unwritten.mining.facts.dependencies import find_dependencies, without_implied
from unwritten.mining.facts.keys import find_keys
from unwritten.mining.facts.missing_conditions import find_missing_conditions
from unwritten.mining.facts.missing_values import find_missing
from unwritten.mining.facts.orders import find_orders, follows_from_sum, without_followers
from unwritten.mining.facts.ranges import find_ranges
from unwritten.mining.facts.sample import Sample, drawn, typed_batches
from unwritten.mining.facts.sums import find_sums
from unwritten.tables import Table
from unwritten.tables.typed_rows import TypedRows


def mine_facts(table: Table, confidence: float, sample: Sample | None = None) -> tuple[Fact, ...]:
    """Return the facts that all rows of a table obey, and that are no accidents with this confidence."""
    if table.rows < budgets.FACT_TRIALS:
        return ()
    sample = drawn(table) if sample is None else sample
    found = believed(sample, confidence)
    rows: Iterable[TypedRows] = [sample.rows] if sample.whole else typed_batches(table, "verifying facts")
    positive = frozenset(column.name for column in sample.numbers if not (sample.values(column.name) < 0).any())
    return tuple(without_consequences(verified_facts(found, rows), positive))


def without_consequences(facts: list[Fact], positive: frozenset[str]) -> list[Fact]:
    """Return the facts without those that follow from others; `positive` are columns that are never below 0."""
    sums = [fact for fact in facts if isinstance(fact, LinearFact)]
    orders = [fact for fact in facts if isinstance(fact, Order) and not follows_from_sum(fact, sums, positive)]
    orders = without_followers(orders)
    dependencies = without_implied([fact for fact in facts if isinstance(fact, Dependency)], sums)
    rest = [fact for fact in facts if not isinstance(fact, LinearFact | Order | Dependency)]
    return [*sums, *orders, *dependencies, *rest]


def believed(sample: Sample, confidence: float) -> list[Fact]:
    """Return the facts of all kinds that the rows of a sample show with this confidence."""
    found: list[Fact] = [
        *find_sums(sample),
        *find_orders(sample),
        *find_keys(sample),
        *find_dependencies(sample),
        *find_missing(sample),
        *find_missing_conditions(sample),
        *find_conditions(sample),
        *find_ranges(sample),
    ]
    return [fact for fact in found if fact.evidence is not None and fact.evidence.confidence >= confidence]


def verified_facts(found: list[Fact], batches: Iterable[TypedRows]) -> list[Fact]:
    """Return the facts that no row breaks; dependencies learn all values that they are about."""
    learners = [Learner(fact) if isinstance(fact, Dependency) else None for fact in found]
    checkers = [fact.checker() for fact in found]
    holds = [True] * len(found)
    for rows in batches:
        for k, (learner, checker) in enumerate(zip(learners, checkers, strict=True)):
            if holds[k]:
                holds[k] = learner.add(rows) if learner is not None else not checker(rows).any()
    return [
        fact if learner is None else learner.fact()
        for fact, learner, held in zip(found, learners, holds, strict=True)
        if held
    ]


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
