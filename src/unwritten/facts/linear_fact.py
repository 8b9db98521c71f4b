"""Linear fact: a sum of number columns that is the same in every row."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from unwritten.conditions import Condition, Within
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import NumberColumns
from unwritten.facts.sides_of_sums import column_named, read_comparison, read_decimal
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.shapes import LARGEST_FLOAT, Between
from unwritten.tables import Schema
from unwritten.tables.column import Column
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import NUMBERS
from unwritten.tables.units import number_text

Tolerance = Annotated[float, Between(0, LARGEST_FLOAT)]


@dataclass(frozen=True, repr=False)
class LinearFact(Fact):
    """Σ coefficient · column = `total`, in the unit of the column with most digits after the point.

    The sum may be off by `tolerance` of these units, which need not be whole: sums of rounded numbers are.

    >>> schema = Schema(tuple(Column(name, "skip", role="decimal", scale=2) for name in ("net", "tax", "gross")))
    >>> LinearFact(("gross", "net", "tax"), (1, -1, -1)).words(schema)
    'gross = net + tax'
    """

    kind = "sum"
    about = ("names",)
    names: NumberColumns
    coefficients: tuple[int, ...]
    total: int = 0
    tolerance: Tolerance = 0

    def __post_init__(self) -> None:
        if len(self.names) != len(self.coefficients) or not all(self.coefficients):
            raise DataError("a sum needs one coefficient for each column: mine the table again")

    @property
    def identity(self) -> Any:
        """The same whatever the order of the columns."""
        terms = sorted(zip(self.names, self.coefficients, strict=True))
        sign = -1 if terms[0][1] < 0 else 1
        return [[[name, sign * factor] for name, factor in terms], sign * self.total, self.tolerance]

    @classmethod
    def read(cls, reader: Reader) -> LinearFact:
        """Read the sentence."""
        sides = read_comparison(reader)
        if sides.sign != "=":
            reader.fail("= is missing: write “gross = net + tax”", 0)
        factors = dict(sides.left[0])
        for name, factor in sides.right[0].items():
            factors[name] = factors.get(name, 0) - factor
        factors = {name: factor for name, factor in factors.items() if factor}
        columns = [column_named(reader, name) for name in factors]
        if len(columns) < 2 or any(column.role not in NUMBERS for column in columns):
            reader.fail("a sum needs at least two columns of numbers: write one such as “gross = net + tax”")
        unit = 10 ** max(column.scale for column in columns)
        total = (sides.right[1] - sides.left[1]) * unit
        if total != int(total):
            reader.fail("a sum has a constant with more digits than its columns: write fewer digits")
        tolerance = read_decimal(reader) * unit if reader.try_words("within") else Decimal(0)
        plain = int(tolerance) if tolerance == int(tolerance) else float(tolerance)
        return cls(tuple(factors), tuple(factors.values()), int(total), plain, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """The terms of one sign on the left, the others on the right, and the tolerance."""
        unit = Column("", "skip", role="decimal", scale=max(schema[name].scale for name in self.names))
        terms = list(zip(self.names, self.coefficients, strict=True))
        left = [(name, factor) for name, factor in terms if factor > 0]
        right = [(name, -factor) for name, factor in terms if factor < 0]
        total = self.total
        if not left or len(left) > len(right) > 0:
            left, right, total = right, left, -total
        constant = number_text(abs(total), unit)
        sides = [_sum_text(left), _sum_text(right)]
        if total > 0:
            sides[1] = f"{sides[1]} + {constant}" if right else constant
        elif total < 0:
            sides[1 if not right else 0] += f" + {constant}" if right else f"−{constant}"
        sides[1] = sides[1] or "0"
        within = f" within {self.tolerance / 10**unit.scale:.6g}" if self.tolerance else ""
        return f"{sides[0]} = {sides[1]}{within}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if all numbers are there and their sum is another one."""
        terms = tuple(zip(self.coefficients, self.names, strict=True))
        return Within(terms, self.total, self.total, self.tolerance)


def _sum_text(terms: list[tuple[str, int]]) -> str:
    return " + ".join(quoted(name) if factor == 1 else f"{factor}·{quoted(name)}" for name, factor in terms)
