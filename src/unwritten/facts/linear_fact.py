"""Linear fact: a sum of number columns that is the same in every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import NumberColumns
from unwritten.facts.units import in_common_unit, number_text
from unwritten.shapes import LARGEST_FLOAT, Within
from unwritten.tables import Schema
from unwritten.tables.column import Column
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows

Tolerance = Annotated[float, Within(0, LARGEST_FLOAT)]


@dataclass(frozen=True, repr=False)
class LinearFact(Fact):
    """Σ coefficient · column = `total`, in the unit of the column with most digits after the point.

    The sum may be off by `tolerance` of these units, which need not be whole: sums of rounded numbers are.

    >>> schema = Schema(tuple(Column(name, "skip", role="decimal", scale=2) for name in ("net", "tax", "gross")))
    >>> LinearFact(("gross", "net", "tax"), (1, -1, -1)).words(schema)
    'gross = net + tax'
    """

    kind = "sum"
    names: NumberColumns
    coefficients: tuple[int, ...]
    total: int = 0
    tolerance: Tolerance = 0

    def __post_init__(self) -> None:
        if len(self.names) != len(self.coefficients) or not all(self.coefficients):
            raise DataError("a sum needs one coefficient for each column: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns with a coefficient."""
        return self.names

    @property
    def identity(self) -> Any:
        """The same whatever the order of the columns."""
        terms = sorted(zip(self.names, self.coefficients, strict=True))
        sign = -1 if terms[0][1] < 0 else 1
        return [[[name, sign * factor] for name, factor in terms], sign * self.total, self.tolerance]

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

    def checker(self) -> Checker:
        """A row breaks it if all numbers are there and their sum is another one."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        total = np.zeros(rows.rows)
        for factor, numbers in zip(self.coefficients, in_common_unit(rows, self.names), strict=True):
            total = total + factor * numbers
        off = np.abs(total - self.total)
        with np.errstate(invalid="ignore"):
            return np.asarray(off > self.tolerance + self.rounding)

    @property
    def rounding(self) -> float:
        """What the computation of a sum may add to its error: little, as sums and whole tolerances are far apart."""
        return 1e-6 if self.tolerance == int(self.tolerance) else 1e-6 * self.tolerance


def _sum_text(terms: list[tuple[str, int]]) -> str:
    return " + ".join(quoted(name) if factor == 1 else f"{factor}·{quoted(name)}" for name, factor in terms)
