"""SQL expressions for values and predicates that both SQLite and DuckDB run, and dbt in most databases.

A CHECK passes if it is NULL, and a comparison with a missing value is NULL. A column that may be missing is therefore
tested with IS NULL or IS NOT NULL first, so that the expression is always true or false.
"""

from __future__ import annotations

from dataclasses import dataclass

from unwritten import budgets
from unwritten.exports.dialect import Dialect
from unwritten.exports.predicates import (
    Apart,
    BothOrNeither,
    ColumnSum,
    ColumnTerm,
    Factors,
    HasLevel,
    NotAll,
    Predicate,
    RulePredicate,
    signed_sum,
)
from unwritten.tables.column import Column, Level
from unwritten.tables.roles import NUMBERS

FLAT_TERMS = 256  # in one flat expression: SQLite limits the depth of an expression to 1,000


def type_of(column: Column) -> str:
    """Return the SQL type of a column's values."""
    if column.kind == "bins":
        return "DOUBLE"
    if column.kind == "skip" and column.role in NUMBERS:
        return "BIGINT" if column.role == "integer" else "DOUBLE"
    by_role = {"date": "DATE", "timestamp": "TIMESTAMP"}.get(column.role, "TEXT")
    return {"integer": "BIGINT", "boolean": "BOOLEAN"}.get(column.dtype, by_role)


@dataclass(frozen=True)
class SqlExpressions:
    """Conditions on the columns of a table, in one dialect."""

    dialect: Dialect

    def known_value(self, column: Column) -> str:
        """Return the test that a cell holds a value that the column knows; it is never NULL."""
        name = self.dialect.identifier(column.name)
        optional = None in column.levels
        if column.kind == "integer":
            most = budgets.LARGEST_LABEL
            test = f"{name} BETWEEN {-most} AND {most} AND {name} = CAST({name} AS BIGINT)"
        elif column.kind == "bins":
            test = f"{name} = CAST({name} AS DOUBLE)"
        else:
            values = [self._literal(column, level) for level in column.levels if level is not None]
            test = f"{name} IN ({', '.join(values)})" if values else "FALSE"
        return f"{name} IS NULL OR {test}" if optional else f"{name} IS NOT NULL AND {test}"

    def rule(self, rule: RulePredicate) -> str:
        """Return a rule as SQL; it is true where an open column has a value that was never seen."""
        unknown = [f"NOT ({self.known_value(column)})" for column in rule.open_columns]
        condition = self.predicate(rule.predicate)
        return " OR ".join([*unknown, f"({condition})"]) if unknown else condition

    def predicate(self, predicate: Predicate) -> str:
        """Return a predicate as SQL; it is NULL only if a cell is NULL that must not be."""
        match predicate:
            case NotAll(tests):
                return f"NOT ({joined([self.has_level(test) for test in tests], ' AND ')})"
            case BothOrNeither(left, right):
                return f"({self.has_level(left)}) = ({self.has_level(right)})"
            case Apart(sums):
                return joined([self._apart(*each) for each in sums], " AND ")
            case _:
                return self._sum(predicate)

    def has_level(self, test: HasLevel) -> str:
        """Return the test that a column has one of the given levels."""
        column, name = test.column, self.dialect.identifier(test.column.name)
        present = [k for k, level in enumerate(column.levels) if level is not None]
        chosen = [k for k in present if k in test.levels]
        may_be_missing = any(column.levels[k] is None for k in test.levels)
        if not column.closed:  # a value that was never seen is none of these levels
            among = self._among(column, name, chosen, chosen) if chosen else "FALSE"
            return f"({name} IS NULL OR {among})" if may_be_missing else f"({name} IS NOT NULL AND {among})"
        if len(present) == len(column.levels):
            return self._among(column, name, chosen, present)
        if chosen == present:
            return "TRUE" if may_be_missing else f"{name} IS NOT NULL"
        if not chosen:
            return f"{name} IS NULL" if may_be_missing else "FALSE"
        among = self._among(column, name, chosen, present)
        return f"({name} IS NULL OR {among})" if may_be_missing else f"({name} IS NOT NULL AND {among})"

    def _among(self, column: Column, name: str, chosen: list[int], present: list[int]) -> str:
        """Return the test for a cell that is not missing; it names the chosen levels or the others, if fewer."""
        if column.kind == "bins":
            return _ranges(column, name, chosen)
        others = [k for k in present if k not in chosen]
        if column.closed and (not others or not chosen):
            return "FALSE" if others else "TRUE"
        fewer, one, several = (
            (others, "<>", "NOT IN") if 0 < len(others) < len(chosen) and column.width > 1 else (chosen, "=", "IN")
        )
        values = [self._literal(column, column.levels[k]) for k in fewer]
        return f"{name} {one} {values[0]}" if len(values) == 1 else f"{name} {several} ({', '.join(values)})"

    def _sum(self, total: ColumnSum) -> str:
        """Return a sum: of numbers with the negative terms on the other side, else with all terms on the left."""
        sign = "=" if total.equality else "<="
        if total.terms and not any(term.cases for term in total.terms):
            factors = [(self.dialect.identifier(term.column.name), term.factor) for term in total.terms]
            return two_sided(factors, sign, total.rhs)
        left = joined([self._term(term) for term in total.terms], " + ") or "0"
        return f"{left} {sign} {total.rhs}"

    def _term(self, term: ColumnTerm) -> str:
        if not term.cases:
            return ("" if term.factor == 1 else f"{term.factor} * ") + self.dialect.identifier(term.column.name)
        cases = " ".join(f"WHEN {self.has_level(test)} THEN {value}" for test, value in term.cases)
        return f"CASE {cases} ELSE 0 END"

    def _apart(self, terms: Factors, low: int, high: int) -> str:
        """Return the test that a sum of columns is not between two numbers."""
        named = [(self.dialect.identifier(column.name), factor) for column, factor in terms]
        if high - low == 2:
            return two_sided(named, "<>", low + 1)
        total = signed_sum(named)
        return f"({total} <= {low} OR {total} >= {high})"

    def _literal(self, column: Column, level: Level) -> str:
        """Return the value of a level as an SQL literal."""
        value = column.value(level)
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        return str(value) if isinstance(value, int) else self.dialect.string(str(value))


def two_sided(terms: list[tuple[str, int]], sign: str, rhs: int | str) -> str:
    """Return a comparison of a sum with a number; negative terms stand on the right.

    >>> two_sided([("gross", 1), ("net", -1), ("tax", -1)], "=", 0)
    'gross = net + tax'
    """
    left = [(name, factor) for name, factor in terms if factor > 0]
    right = [(name, -factor) for name, factor in terms if factor < 0]
    if not left:
        return f"{signed_sum(terms)} {sign} {rhs}"
    constant = str(rhs)
    if not right:
        return f"{_nested_sum(left)} {sign} {constant}"
    ahead = "" if constant == "0" else f" - {constant[1:]}" if constant.startswith("-") else f" + {constant}"
    return f"{_nested_sum(left)} {sign} {_nested_sum(right)}{ahead}"


def _nested_sum(terms: list[tuple[str, int]]) -> str:
    return joined([name if factor == 1 else f"{factor}*{name}" for name, factor in terms], " + ")


def _ranges(column: Column, name: str, chosen: list[int]) -> str:
    """Return bins as ranges of the number; neighbouring bins are one range."""
    # the exponent makes a number a double and not a decimal
    edges = [repr(edge) if "e" in repr(edge) else f"{edge!r}e0" for edge in column.edges]
    parts = []
    for k in chosen:
        if k and k - 1 in chosen:
            continue
        end = next(m for m in range(k, len(edges) + 1) if m + 1 not in chosen)
        sides = [f"{name} >= {edges[k - 1]}"] if k else []
        sides += [f"{name} < {edges[end]}"] if end < len(edges) else []
        parts.append(" AND ".join(sides) or "TRUE")
    return parts[0] if len(parts) == 1 and " AND " not in parts[0] else f"({' OR '.join(f'({p})' for p in parts)})"


def joined(parts: list[str], sign: str) -> str:
    """Join the parts with a sign; more than FLAT_TERMS parts are put into nested brackets."""
    if len(parts) <= FLAT_TERMS:
        return sign.join(parts)
    groups = [parts[start : start + FLAT_TERMS] for start in range(0, len(parts), FLAT_TERMS)]
    return joined([f"({sign.join(group)})" for group in groups], sign)
