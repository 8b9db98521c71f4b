"""The table of all kinds of facts, and their state in a file."""

from __future__ import annotations

from typing import Any

from unwritten.errors import DataError
from unwritten.facts.date_part import DatePart
from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.key import Key
from unwritten.facts.linear_fact import LinearFact
from unwritten.facts.missing import MissingTogether, NeverMissing
from unwritten.facts.missing_when import MissingWhen
from unwritten.facts.order import Order
from unwritten.facts.product_fact import ProductFact
from unwritten.facts.range_by import RangeBy
from unwritten.facts.range_fact import RangeFact
from unwritten.facts.range_when import RangeWhen
from unwritten.facts.seen_together import SeenTogether
from unwritten.facts.starts_with import StartsWith
from unwritten.facts.step import Step
from unwritten.facts.sum_order import SumOrder
from unwritten.facts.text_form import TextForm
from unwritten.facts.text_length import TextLength
from unwritten.facts.unequal import Unequal
from unwritten.rules.rule import GIVEN, MINED, Evidence
from unwritten.shapes import read
from unwritten.tables import Schema

FACTS: dict[str, type[Fact]] = {
    fact.kind: fact
    for fact in (
        LinearFact,
        ProductFact,
        Order,
        SumOrder,
        Unequal,
        Key,
        Dependency,
        DatePart,
        StartsWith,
        MissingTogether,
        MissingWhen,
        RangeWhen,
        RangeBy,
        TextForm,
        TextLength,
        Step,
        RangeFact,
        NeverMissing,
        SeenTogether,
    )
}
"""The kinds of facts, those that say most first."""


def restored(kind: str, meaning: dict[str, Any], origin: str, evidence: Evidence | None, schema: Schema) -> Fact:
    """Return the fact with this meaning, after checking it against the columns of a table."""
    if kind not in FACTS or origin not in (MINED, GIVEN):
        raise DataError(f"there is no fact of kind {kind!r} and origin {origin!r}: save the model again")
    fact: Fact = read(FACTS[kind], meaning, f"the file's {kind}", schema, origin=origin, evidence=evidence)
    if len(set(fact.columns)) < len(fact.columns):
        raise DataError("a fact names a column twice: save the model again")
    try:
        fact.require(schema)
    except (ValueError, OverflowError) as error:
        raise DataError(f"a fact has numbers that its columns cannot have ({error}): save the model again") from error
    return fact
