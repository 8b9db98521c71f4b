"""Reading: what people write, in the words of the sentences that models print.

A sentence over variables becomes rows; else it is a gap; else one of the facts, whose kinds read their own sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from unwritten.data import Variables
from unwritten.facts.fact import Fact
from unwritten.facts.kinds import FACTS
from unwritten.facts.linear_fact import LinearFact
from unwritten.facts.order import Order
from unwritten.facts.product_fact import ProductFact
from unwritten.facts.sum_order import SumOrder
from unwritten.facts.unequal import Unequal
from unwritten.rules import Gap, parse_rule
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.grammar import read_first
from unwritten.rules.language.read_gaps import parse_gap
from unwritten.rules.language.reader import Reader, UnreadableError
from unwritten.rules.words import without_remark
from unwritten.tables import Schema

SUMS = (
    LinearFact,
    ProductFact,
    Order,
    SumOrder,
    Unequal,
)  # any sentence may begin like them, so their complaints come last


@dataclass(frozen=True)
class Written:
    """What a person wrote: rows as triples, gaps and facts."""

    rows: tuple[Any, ...]
    gaps: tuple[Gap, ...]
    facts: tuple[Fact, ...]


def parse_fact(text: str, schema: Schema) -> Fact:
    """Read the sentence of a fact; raise if it is none.

    >>> from unwritten.tables import Column
    >>> parse_fact("price from 0 to 9.5", Schema((Column("price", "skip", role="decimal", scale=2),))).highest
    950.0
    """
    text = without_remark(text.strip())
    columns = schema.columns
    scope = Scope(columns, (0,) * len(columns), schema.variables, len(columns))
    return read_first(
        lambda: Reader(text, scope), [kind.read for kind in sorted(FACTS.values(), key=SUMS.__contains__)]
    )


def read_written(
    rows: Iterable[Any], variables: Variables, schema: Schema | None, known: Iterable[Fact] = ()
) -> Written:
    """Read sentences; whatever is no sentence is a row, and stays as it is.

    A sentence that could be a row or a fact, such as `a ≤ b` about integers, is a row unless the fact is `known`.
    """
    rows = list(rows)
    if len(rows) == 3 and isinstance(rows[1], str) and not isinstance(rows[0], str):
        return Written(tuple(rows), (), ())  # one row instead of a list of rows: RuleSet.of refuses it with the cure
    said: list[Any] = []
    digests = {fact.digest for fact in known}
    for row in rows:
        said += _read(row, variables, schema, digests) if isinstance(row, str) else [row]
    return Written(
        tuple(one for one in said if not isinstance(one, Gap | Fact)),
        tuple(one for one in said if isinstance(one, Gap)),
        tuple(one for one in said if isinstance(one, Fact)),
    )


def _read(text: str, variables: Variables, schema: Schema | None, known: Collection[str]) -> list[Any]:
    gap = parse_gap(text, variables, schema)
    if gap is not None:
        return [gap]
    if schema is not None and known:
        with suppress(UnreadableError):
            fact = parse_fact(text, schema)
            if fact.digest in known:
                return [fact]
    try:
        return list(parse_rule(text, variables, schema))
    except UnreadableError as failure:
        if schema is None:
            raise
        try:
            return [parse_fact(text, schema)]
        except UnreadableError as other:
            raise (failure if failure.place >= other.place else other) from None
