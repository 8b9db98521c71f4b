"""Product fact: a number is the product of other ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import Condition, Product, Within
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import NumberColumn, NumberColumns
from unwritten.facts.parts_of_sentences import read_column
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import NUMBERS


@dataclass(frozen=True, repr=False)
class ProductFact(Fact):
    """`name = factors[0] × factors[1] × …`, rounded to the digits that `name` has.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("home", "boolean", ("0", "1")),))
    >>> ProductFact("net", ("quantity", "unit_price")).words(schema)
    'net = quantity × unit_price'
    """

    kind = "product"
    about = ("name", "factors")
    name: NumberColumn
    factors: NumberColumns

    def __post_init__(self) -> None:
        if len(self.factors) < 2:
            raise DataError("a product has two factors or more: mine the table again")

    @property
    def identity(self) -> Any:
        """The same whatever the order of the factors."""
        return [self.name, sorted(self.factors)]

    @classmethod
    def read(cls, reader: Reader) -> ProductFact:
        """Read the sentence."""
        columns, sign = [read_column(reader)], "="
        while reader.try_sign(*(("=",) if sign == "=" else ("×", "*", "·"))):
            columns.append(read_column(reader))
            sign = "×"
        if len(columns) < 3:
            reader.fail(f"a product is missing before {reader.rest}: write “net = quantity × price”")
        if any(column.role not in NUMBERS for column in columns):
            reader.fail("a product is of numbers: name columns of numbers")
        return cls(columns[0].name, tuple(column.name for column in columns[1:]), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`net = quantity × unit_price`."""
        return f"{quoted(self.name)} = {' × '.join(map(quoted, self.factors))}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if all numbers are there and the product is another one, beyond rounding."""
        return Within(((1, self.name), (-1, Product(self.factors))), 0, 0, tolerance=0.5)
