"""Queries for the rows that break a condition, for conditions of single rows and for those that compare rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unwritten.conditions import All, Condition, Decides, Unique, flat
from unwritten.conditions.across import Entry
from unwritten.exports.dialect import Dialect
from unwritten.exports.sql_conditions import SqlConditions
from unwritten.tables import Schema


def of_single_rows(condition: Condition) -> Condition | None:
    """Return the part of a condition that a row can be tested for by itself; None if there is none."""
    parts = tuple(part for part in flat(condition) if not isinstance(part, Unique | Decides))
    return (parts[0] if len(parts) == 1 else All(parts)) if parts else None


def unique_names(condition: Condition) -> list[tuple[str, ...]]:
    """Return the columns that a condition says are unique together."""
    return [part.names for part in flat(condition) if isinstance(part, Unique)]


@dataclass(frozen=True)
class Queries:
    """Queries for the rows of a table: `table` is its name, or a query in brackets."""

    schema: Schema
    dialect: Dialect
    table: str

    @property
    def conditions(self) -> SqlConditions:
        """The conditions of single rows in the same dialect."""
        return SqlConditions(self.schema, self.dialect)

    def rows_without(self, condition: Condition) -> str:
        """Return the query for the rows that break a condition of single rows."""
        return f"SELECT *\nFROM {self.table}\nWHERE NOT ({self.conditions.test(condition)})"

    def broken(self, condition: Condition) -> Iterator[str]:
        """Yield queries that together return what breaks a condition: rows, or values that rows share."""
        single = of_single_rows(condition)
        if single is not None:
            yield self.rows_without(single)
        for names in unique_names(condition):
            keys, present = self.key(names)
            counted = f"SELECT {keys}, COUNT(*) AS copies\nFROM {self.table}\nWHERE {present}"
            yield f"{counted}\nGROUP BY {keys}\nHAVING COUNT(*) > 1"
        decided = [part for part in flat(condition) if isinstance(part, Decides)]
        for part in decided:
            if part.known:
                yield from self.against_known(part, "t.*")
                continue
            left, right = self.sides(part)  # left values that come with several right values
            kinds = f"COUNT(DISTINCT {right}) + MAX(CASE WHEN {right} IS NULL THEN 1 ELSE 0 END)"
            name = f"{self.dialect.string(part.left[0])} AS name, CAST({left} AS VARCHAR) AS cell"
            shown = name if len(decided) > 1 else left  # several of them need one form
            yield f"SELECT {shown}, {kinds} AS kinds\nFROM {self.table}\nGROUP BY {left}\nHAVING {kinds} > 1"

    def key(self, names: tuple[str, ...]) -> tuple[str, str]:
        """Return the columns of a key, and the condition that none of them is missing."""
        quoted = [self.dialect.identifier(name) for name in names]
        return ", ".join(quoted), " AND ".join(f"{name} IS NOT NULL" for name in quoted)

    def sides(self, decides: Decides) -> tuple[str, str]:
        """Return the columns on the left and the one on the right."""
        return ", ".join(map(self.dialect.identifier, decides.left)), self.dialect.identifier(decides.right)

    def against_known(self, decides: Decides, columns: str) -> Iterator[str]:
        """Yield queries for the rows that have known left values and another right value.

        Missing left values are equal to nothing in a join, so they are queries of their own.
        """
        complete = [entry for entry in decides.known if None not in entry[:-1]]
        if complete:
            yield self._join(decides, complete, columns)
        cell, literal = self.conditions.cell, self.conditions.literal
        for *left, right in (entry for entry in decides.known if None in entry[:-1]):
            tests = [
                f"{cell(name)} IS NULL" if text is None else f"{cell(name)} = {literal(name, text)}"
                for name, text in zip(decides.left, left, strict=True)
            ]
            there = cell(decides.right)
            wrong = f"({there} IS NULL OR {there} <> {literal(decides.right, right)})"
            tests.append(f"{there} IS NOT NULL" if right is None else wrong)
            yield f"SELECT {columns}\nFROM {self.table} AS t WHERE {' AND '.join(tests)}"

    def _join(self, decides: Decides, entries: list[Entry], columns: str) -> str:
        cell, names = self.conditions.cell, [f"left_{k}" for k in range(1, len(decides.left) + 1)]
        literals = (map(self.conditions.literal, decides.columns, entry) for entry in entries)
        values = ",\n".join(f"({', '.join(row)})" for row in literals)
        same = " AND ".join(f"{cell(name, 't.')} = known.{k}" for name, k in zip(decides.left, names, strict=True))
        there, known = cell(decides.right, "t."), "known.right_value"
        differs = f"{there} <> {known} OR ({there} IS NULL) <> ({known} IS NULL)"
        return (
            f"WITH known({', '.join([*names, 'right_value'])}) AS (VALUES\n{values}\n)\n"
            f"SELECT {columns}\nFROM {self.table} AS t JOIN known ON {same}\nWHERE {differs}"
        )
