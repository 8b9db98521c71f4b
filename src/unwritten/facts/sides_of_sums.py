"""Sides of sums: what sentences with = or ≤ between sums of columns have in common."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from unwritten.rules.language.reader import Reader
from unwritten.tables.column import Column
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.roles import NUMBERS, TIMES

DECIMAL = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)", re.ASCII)
FACTOR = re.compile(r"(\d{1,9})\s*[·*]\s*", re.ASCII)
SIGNS = {"≤": "≤", "<=": "≤", "≥": "≥", ">=": "≥", "<": "<", ">": ">", "=": "="}
TURNED = {"≥": "≤", ">": "<"}

Side = tuple[dict[str, int], Decimal]  # factors of columns, and a constant


@dataclass(frozen=True)
class ComparedSums:
    """Two sides with =, ≤ or < between them."""

    left: Side
    sign: str
    right: Side

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the left side, then those of the right one."""
        return *self.left[0], *self.right[0]


def read_comparison(reader: Reader) -> ComparedSums:
    """Read two sides and the sign between them."""
    left = _read_side(reader)
    sign = SIGNS.get(reader.try_sign(*SIGNS) or "")
    if sign is None:
        reader.fail(f"= or ≤ is missing before {reader.rest}: write “gross = net + tax” or “start ≤ stop”")
    right = _read_side(reader)
    return ComparedSums(right, TURNED[sign], left) if sign in TURNED else ComparedSums(left, sign, right)


def read_order(reader: Reader) -> ComparedSums:
    """Read a comparison of plain sums of numbers, or of two times."""
    order = read_comparison(reader)
    if order.sign == "=":
        reader.fail("≤ is missing: write “a ≤ b” or “a + b ≤ c”", 0)
    (low, least), (high, most) = order.left, order.right
    columns = [column_named(reader, name) for name in order.columns]
    roles = [{column.role in TIMES for column in columns}, {column.role in NUMBERS for column in columns}]
    if least or most or not low or not high or set(low) & set(high) or {*low.values(), *high.values()} != {1}:
        reader.fail("an order is between columns, or plain sums of them: write “a ≤ b” or “a + b ≤ c”")
    if roles not in ([{False}, {True}], [{True}, {False}]) or (roles[0] == {True} and len(columns) > 2):
        reader.fail("an order is between numbers, or between two dates: name such columns")
    return order


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
            constant += sign * read_decimal(reader)
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


def read_decimal(reader: Reader) -> Decimal:
    """Read a number without a sign."""
    _ = reader.rest  # skips blanks
    match = DECIMAL.match(reader.text, reader.place)
    if match is None:
        reader.fail(f"a number is missing before {reader.rest}: write one such as 0.01")
    reader.place = match.end()
    return Decimal(match[0])


def column_named(reader: Reader, name: str) -> Column:
    """Return the column of this name."""
    return reader.scope.columns[reader.scope.index[name]]
