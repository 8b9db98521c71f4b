"""Consequences: whether a set of facts says what one fact says."""

from __future__ import annotations

from collections.abc import Sequence

from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.key import Key
from unwritten.facts.missing import MissingTogether, NeverMissing
from unwritten.facts.missing_when import MissingWhen
from unwritten.facts.order import Order
from unwritten.facts.range_fact import RangeFact
from unwritten.facts.range_when import RangeWhen


def facts_imply(facts: Sequence[Fact], fact: Fact) -> bool:
    """True if one of the facts says at least as much as this one.

    A range is implied by any range of the same column, or of the same value and column: its bounds move a little with
    every sample.
    """
    return any(other.digest == fact.digest or _implies(other, fact) for other in facts)


def _implies(other: Fact, fact: Fact) -> bool:
    match other, fact:
        case RangeFact(), RangeFact():
            return other.name == fact.name
        case RangeWhen(), RangeWhen():
            return (other.by, other.value, other.name) == (fact.by, fact.value, fact.name)
        case MissingWhen(), MissingWhen():
            known = set(fact.missing) <= set(other.missing) and set(fact.present) <= set(other.present)
            return (other.by, other.name) == (fact.by, fact.name) and known
        case NeverMissing() | MissingTogether(), NeverMissing() | MissingTogether():
            return other.kind == fact.kind and set(fact.names) <= set(other.names)
        case Key(), Key():
            return set(other.names) <= set(fact.names)
        case Order(), Order():
            return other.columns == fact.columns
        case Dependency(), Dependency():
            return set(other.left) <= set(fact.left) and other.right == fact.right and not fact.both
    return False
