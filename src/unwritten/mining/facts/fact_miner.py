"""The miner of facts: draw a sample, find facts of each kind, and verify them on all rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.facts import DatePart, Dependency, Fact, LinearFact, Order, StartsWith, SumOrder
from unwritten.facts.dependency import Entry, distinct_entries
from unwritten.mining.facts.date_parts import explains_order, find_date_parts, part_ways
from unwritten.mining.facts.dependencies import find_dependencies, without_implied
from unwritten.mining.facts.keys import find_keys
from unwritten.mining.facts.missing_values import find_missing
from unwritten.mining.facts.orders import find_orders, follows_from_sum, without_followers
from unwritten.mining.facts.prefixes import find_prefixes, prefix_ways
from unwritten.mining.facts.ranges import find_ranges
from unwritten.mining.facts.rounded_sums import find_rounded_sums
from unwritten.mining.facts.sample import Sample, drawn, typed_batches
from unwritten.mining.facts.steps import find_steps
from unwritten.mining.facts.sum_orders import find_sum_orders, without_implied_orders
from unwritten.mining.facts.sums import find_sums
from unwritten.mining.facts.text_forms import find_text_forms
from unwritten.tables import Table
from unwritten.tables.typed_rows import TypedRows


def mine_facts(table: Table, confidence: float) -> tuple[Fact, ...]:
    """Return the facts that all rows of a table obey, and that are no accidents with this confidence."""
    if table.rows < budgets.FACT_TRIALS:
        return ()
    sample = drawn(table)
    found = believed(sample, confidence)
    rows: Iterable[TypedRows] = [sample.rows] if sample.whole else typed_batches(table, "verifying facts")
    return tuple(without_consequences(verified_facts(found, rows), sample))


def without_consequences(facts: list[Fact], sample: Sample) -> list[Fact]:
    """Return the facts without those that follow from others."""
    positive = frozenset(column.name for column in sample.numbers if not (sample.values(column.name) < 0).any())
    sums = [fact for fact in facts if isinstance(fact, LinearFact)]
    parts = [fact for fact in facts if isinstance(fact, DatePart)]
    prefixes = [fact for fact in facts if isinstance(fact, StartsWith)]
    orders = [fact for fact in facts if isinstance(fact, Order) and not follows_from_sum(fact, sums, positive)]
    orders = without_followers([order for order in orders if not explains_order(order, parts)])
    sum_orders = [fact for fact in facts if isinstance(fact, SumOrder)]
    orders, sum_orders = without_implied_orders(orders, sum_orders, sums, positive)
    known = [*part_ways(parts), *prefix_ways(sample, prefixes)]
    dependencies = without_implied([fact for fact in facts if isinstance(fact, Dependency)], sums, known)
    rest = [fact for fact in facts if not isinstance(fact, LinearFact | Order | SumOrder | Dependency)]
    return [*sums, *orders, *sum_orders, *dependencies, *rest]


def believed(sample: Sample, confidence: float) -> list[Fact]:
    """Return the facts of all kinds that the rows of a sample show with this confidence."""
    sums = find_sums(sample)
    found: list[Fact] = [
        *sums,
        *find_rounded_sums(sample, sums),
        *find_orders(sample),
        *find_sum_orders(sample),
        *find_keys(sample),
        *find_dependencies(sample),
        *find_date_parts(sample),
        *find_prefixes(sample),
        *find_missing(sample),
        *find_text_forms(sample),
        *find_steps(sample),
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
