"""Believed facts: what the finders of all kinds show in a sample, and what of it does not follow from the rest."""

from __future__ import annotations

from functools import cache, partial

from unwritten.effort import Effort
from unwritten.facts import DatePart, Dependency, Fact, Key, LinearFact, Order, StartsWith, SumOrder
from unwritten.mining.facts.column_orders import find_orders, follows_from_sum, without_followers
from unwritten.mining.facts.date_parts import explains_order, find_date_parts, part_ways
from unwritten.mining.facts.dependencies import find_dependencies, without_implied, without_implied_keys
from unwritten.mining.facts.entities import entities
from unwritten.mining.facts.keys import find_keys
from unwritten.mining.facts.missing_conditions import find_missing_conditions
from unwritten.mining.facts.missing_values import find_missing
from unwritten.mining.facts.prefixes import find_prefixes, prefix_ways
from unwritten.mining.facts.range_conditions import find_conditions
from unwritten.mining.facts.ranges import find_ranges
from unwritten.mining.facts.rounded_sums import find_rounded_sums
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.steps import find_steps
from unwritten.mining.facts.sum_orders import find_sum_orders, without_implied_orders
from unwritten.mining.facts.sums import find_sums
from unwritten.mining.facts.text_forms import find_text_forms


def believed(
    sample: Sample, confidence: float, effort: Effort, *, ranges: bool = True, trim: float = 0.0
) -> list[Fact]:
    """Return the facts of all kinds that the rows of a sample show with this confidence.

    Without `ranges`, no ranges are searched for; `trim` is the share of values that they leave out at each end. Kinds
    for which the effort does not suffice are left out.
    """
    searched = partial(sample.searched, effort)
    sums, dependencies = searched("sums", find_sums), searched("dependencies", find_dependencies)
    sure = [fact for fact in dependencies if fact.evidence is not None and fact.evidence.confidence >= confidence]
    things = entities(sample, {(fact.left[0], fact.right) for fact in sure if len(fact.left) == 1})
    facts: list[Fact] = [
        *sums,
        *searched("rounded sums", lambda rows: find_rounded_sums(rows, list(sums))),
        *searched("orders", find_orders),
        *searched("orders of sums", find_sum_orders),
        *searched("keys", find_keys),
        *dependencies,
        *searched("parts of dates", find_date_parts),
        *searched("prefixes", find_prefixes),
        *searched("missing values", find_missing),
        *searched("conditions on missing values", find_missing_conditions),
        *searched("conditions", lambda rows: find_conditions(rows, things)),
        *searched("forms of texts", find_text_forms),
        *searched("steps", find_steps),
        *(searched("ranges", lambda rows: find_ranges(rows, trim)) if ranges else ()),
    ]
    return [fact for fact in facts if fact.evidence is not None and fact.evidence.confidence >= confidence]


def without_consequences(facts: list[Fact], sample: Sample) -> list[Fact]:
    """Return the facts without those that follow from others."""
    there = cache(sample.there_with)
    positive = frozenset(column.name for column in sample.numbers if not (sample.values(column.name) < 0).any())
    sums = [fact for fact in facts if isinstance(fact, LinearFact)]
    parts = [fact for fact in facts if isinstance(fact, DatePart)]
    prefixes = [fact for fact in facts if isinstance(fact, StartsWith)]
    orders = [fact for fact in facts if isinstance(fact, Order) and not follows_from_sum(fact, sums, positive, there)]
    orders = without_followers([order for order in orders if not explains_order(order, parts)], there)
    sum_orders = [fact for fact in facts if isinstance(fact, SumOrder)]
    orders, sum_orders = without_implied_orders(orders, sum_orders, sums, positive, there)
    known = [*part_ways(parts), *prefix_ways(sample, prefixes)]
    dependencies = without_implied([fact for fact in facts if isinstance(fact, Dependency)], sums, known)
    keys = without_implied_keys([fact for fact in facts if isinstance(fact, Key)], dependencies)
    rest = [fact for fact in facts if not isinstance(fact, LinearFact | Order | SumOrder | Dependency | Key)]
    return [*sums, *orders, *sum_orders, *keys, *dependencies, *rest]
