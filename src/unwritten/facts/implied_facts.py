"""Consequences: whether a set of facts says what one fact says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unwritten.facts.date_part import DatePart
from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.key import Key
from unwritten.facts.linear_fact import LinearFact
from unwritten.facts.missing import MissingTogether, NeverMissing
from unwritten.facts.missing_when import MissingWhen
from unwritten.facts.order import Order
from unwritten.facts.range_fact import RangeFact
from unwritten.facts.range_when import RangeWhen
from unwritten.facts.step import Step
from unwritten.facts.sum_order import SumOrder
from unwritten.facts.text_form import TextForm
from unwritten.facts.text_length import TextLength


def facts_imply(facts: Sequence[Fact], fact: Fact) -> bool:
    """True if one of the facts says at least as much as this one.

    A range is implied by any range of the same column, or of the same value and column: its bounds move a little with
    every sample. So are forms and lengths of texts.
    """
    return any(other.digest == fact.digest or _implies(other, fact) for other in facts)


def _implies(other: Fact, fact: Fact) -> bool:
    match other, fact:
        case (RangeFact(), RangeFact()) | (TextForm(), TextForm()) | (TextLength(), TextLength()):
            return other.columns == fact.columns
        case (Order(), Order()) | (DatePart(), DatePart()):
            return other.columns == fact.columns
        case (NeverMissing(), NeverMissing()) | (MissingTogether(), MissingTogether()):
            return set(fact.columns) <= set(other.columns)
        case Key(), Key():
            return set(other.names) <= set(fact.names)
        case Dependency(), Dependency():
            return set(other.left) <= set(fact.left) and other.right == fact.right and not fact.both
    return _implies_condition(other, fact) or _implies_number(other, fact)


def _implies_condition(other: Fact, fact: Fact) -> bool:
    """True if a fact about the values of two columns says as much as another one of its kind."""
    match other, fact:
        case RangeWhen(), RangeWhen():
            return (other.by, other.value, other.name) == (fact.by, fact.value, fact.name)
        case MissingWhen(), MissingWhen():
            known = set(fact.missing) <= set(other.missing) and set(fact.present) <= set(other.present)
            return (other.by, other.name) == (fact.by, fact.name) and known
    return False


def _implies_number(other: Fact, fact: Fact) -> bool:
    """True if a fact about the size of numbers says more than another one of its kind."""
    match other, fact:
        case Step(), Step():
            return other.name == fact.name and other.step % fact.step == 0
        case SumOrder(), SumOrder():
            return set(fact.low) <= set(other.low) and set(fact.high) == set(other.high) and len(fact.high) == 1
        case LinearFact(), LinearFact():
            return replace(other, tolerance=fact.tolerance).digest == fact.digest and other.tolerance <= fact.tolerance
    return False
