"""Read sums: equalities, with or without a tolerance, and orders between sums of number columns."""

from __future__ import annotations

import re
from decimal import Decimal

from unwritten.facts.fact import Fact
from unwritten.facts.linear_fact import LinearFact
from unwritten.facts.order import Order
from unwritten.facts.sum_order import SumOrder
from unwritten.rules import GIVEN
from unwritten.rules.language.reader import Reader
from unwritten.tables.column import Column
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.roles import NUMBERS, TIMES

DECIMAL = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)", re.ASCII)
FACTOR = re.compile(r"(\d{1,9})\s*[·*]\s*", re.ASCII)
EQUAL, AT_MOST, BELOW, AT_LEAST, ABOVE = ("=",), ("≤", "<="), ("<",), ("≥", ">="), (">",)

Side = tuple[dict[str, int], Decimal]  # factors of columns, and a constant


def read_sums(reader: Reader) -> Fact:
    """Read a sum, an order of two columns, or an order of sums."""
    left = _read_side(reader)
    sign = reader.try_sign(*AT_MOST, *AT_LEAST, *BELOW, *ABOVE, *EQUAL)
    if sign is None:
        reader.fail(f"= or ≤ is missing before {reader.rest}: write “gross = net + tax” or “start ≤ stop”")
    right = _read_side(reader)
    if sign in (*AT_LEAST, *ABOVE):
        left, right = right, left
    if sign in EQUAL:
        return _sum(reader, left, right)
    return _order(reader, left[0], right[0], sign in (*BELOW, *ABOVE), left[1] != 0 or right[1] != 0)


def _sum(reader: Reader, left: Side, right: Side) -> LinearFact:
    factors = dict(left[0])
    for name, factor in right[0].items():
        factors[name] = factors.get(name, 0) - factor
    factors = {name: factor for name, factor in factors.items() if factor}
    columns = [_column(reader, name) for name in factors]
    if len(columns) < 2 or any(column.role not in NUMBERS for column in columns):
        reader.fail("a sum needs at least two columns of numbers: write one such as “gross = net + tax”")
    unit = 10 ** max(column.scale for column in columns)
    total = (right[1] - left[1]) * unit
    if total != int(total):
        reader.fail("a sum has a constant with more digits than its columns: write fewer digits")
    tolerance = Decimal(0)
    if reader.try_words("within"):
        tolerance = _read_decimal(reader) * unit
    plain = int(tolerance) if tolerance == int(tolerance) else float(tolerance)
    return LinearFact(tuple(factors), tuple(factors.values()), int(total), plain, origin=GIVEN)


def _order(reader: Reader, low: dict[str, int], high: dict[str, int], strict: bool, constant: bool) -> Fact:
    columns = [_column(reader, name) for name in (*low, *high)]
    roles = [{column.role in TIMES for column in columns}, {column.role in NUMBERS for column in columns}]
    single = len(low) == len(high) == 1
    if constant or not low or not high or set(low) & set(high) or {*low.values(), *high.values()} != {1}:
        reader.fail("an order is between columns, or plain sums of them: write “a ≤ b” or “a + b ≤ c”")
    if roles not in ([{False}, {True}], [{True}, {False}]) or (roles[0] == {True} and not single):
        reader.fail("an order is between numbers, or between two dates: name such columns")
    if single:
        return Order(next(iter(low)), next(iter(high)), strict, origin=GIVEN)
    if strict:
        reader.fail("an order of sums has ≤: write “a + b ≤ c”")
    return SumOrder(tuple(low), tuple(high), origin=GIVEN)


def _read_side(reader: Reader) -> Side:
    """Read a sum of columns, with factors, and of a number."""
    factors: dict[str, int] = {}
    constant = Decimal(0)
    sign = -1 if reader.try_sign("−", "-") else 1
    while True:
        _ = reader.rest  # skips blanks
        match = FACTOR.match(reader.text, reader.place)
        number = None if match else DECIMAL.match(reader.text, reader.place)
        if number is not None:
            constant += sign * _read_decimal(reader)
        else:
            factor = int(match[1]) if match else 1
            reader.place = match.end() if match else reader.place
            name = reader.scope.columns[reader.read_column()].name
            if name in factors:
                reader.fail(f"{shown(quoted(name))} is named twice in a sum: name it once")
            factors[name] = sign * factor
        more = reader.try_sign("+", "−", "-")
        if more is None:
            return factors, constant
        sign = 1 if more == "+" else -1


def _read_decimal(reader: Reader) -> Decimal:
    _ = reader.rest  # skips blanks
    match = DECIMAL.match(reader.text, reader.place)
    if match is None:
        reader.fail(f"a number is missing before {reader.rest}: write one such as 0.01")
    reader.place = match.end()
    return Decimal(match[0])


def _column(reader: Reader, name: str) -> Column:
    return reader.scope.columns[reader.scope.index[name]]
