"""pandera: a Python file that defines `schema` for pandas data frames, with a check per rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.predicates import (
    Apart,
    BothOrNeither,
    ColumnTerm,
    HasLevel,
    NotAll,
    Predicate,
    left_out,
    predicates,
    schema_of,
)
from unwritten.tables import Schema
from unwritten.tables.column import Column

if TYPE_CHECKING:
    from unwritten.model import Model

HEAD = '''"""Rules as a pandera schema: schema.validate(frame, lazy=True) says which rows break which rules."""
'''

IMPORTS = """import math

import numpy as np
import pandas as pd

try:
    import pandera.pandas as pa
except ImportError:  # pandera before 0.24
    import pandera as pa
"""

CODE = '''

def text(cell):
    """A value as text: whole numbers without a fraction, truth as true and false."""
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, (float, np.floating)):
        return str(int(cell)) if math.isfinite(cell) and cell == int(cell) else repr(float(cell))
    return str(cell)


def values(name, cells):
    """The cells of a column as they are compared: the names of bins, text, or themselves."""
    if name in BINS:
        edges, bins = BINS[name]
        numbers = pd.to_numeric(cells, errors="coerce").to_numpy(float, na_value=np.nan)
        places = np.searchsorted(edges, numbers, side="right")
        found = [None if math.isnan(x) else bins[k] for x, k in zip(numbers, places)]
        return pd.Series(found, index=cells.index, dtype=object)
    if name in TEXTS and pd.api.types.infer_dtype(cells, skipna=True) != "string":
        return cells.astype(object).map(text, na_action="ignore")
    return cells


def has(frame, name, levels):
    """Where a column has one of these values; None is a missing one."""
    cells = values(name, frame[name])
    found = cells.isin([level for level in levels if level is not None])
    return found | cells.isna() if None in levels else found


def every(tests):
    """Where all of many tests are true."""
    return pd.Series(np.logical_and.reduce(tests), index=tests[0].index)


def known(name, levels):
    """The check that a column holds no other values."""
    return pa.Check(lambda cells: values(name, cells).isin(levels), name="known", error="not a known value")


def number(name):
    """The check that cells of a column of bins are numbers."""
    return pa.Check(lambda cells: values(name, cells).notna(), name="number", error="not a number")


def rule(name, meaning, test):
    """A check of whole rows; rows with missing values are checked as well."""
    return pa.Check(test, name=name, error=meaning, ignore_na=False)

'''

MOST_FLAT = 100  # tests in one flat expression: Python parses a long one as deeply nested
WHOLE = 'pa.Check(lambda cells: cells % 1 == 0, name="whole", error="not a whole number")'


def write(model: Model, weights: object = None) -> str:
    """Return the schema as a Python file; frames must have the columns of the table and may have others."""
    schema = schema_of(model, weights, "pandera")
    lines = [HEAD, *comment_lines("#", [provenance(model), *left_out(model)]), IMPORTS]
    bins = {c.name: (list(c.edges), [level for level in c.levels if level]) for c in schema.used if c.kind == "bins"}
    lines.append(f"BINS = {bins!r}  # edges, and what is between them")
    lines.append(f"TEXTS = {[c.name for c in schema.used if _is_text(c)]!r}  # columns that are compared as text")
    columns = [f"        {column.name!r}: {_column(column)}," for column in schema.used]
    rules = list(_rules(model, schema))
    lines += [CODE, "schema = pa.DataFrameSchema(", "    {", *columns, "    },", "    checks=[", *rules, "    ],", ")"]
    return "\n".join(lines) + "\n"


def _is_text(column: Column) -> bool:
    return column.kind in ("category", "boolean") and column.dtype == "text"


def _column(column: Column) -> str:
    """Return the pandera column that accepts the known values."""
    optional = None in column.levels
    if column.kind == "integer":
        checks = f"[pa.Check.in_range({-budgets.LARGEST_LABEL}, {budgets.LARGEST_LABEL}), {WHOLE}]"
    elif column.kind == "bins":
        checks = f"number({column.name!r})"
    else:
        levels = [column.value(level) for level in column.levels if level is not None]
        checks = f"known({column.name!r}, {levels!r})" if _is_text(column) else f"pa.Check.isin({levels!r})"
    return f"pa.Column(checks={checks}, nullable={optional})"


def _rules(model: Model, schema: Schema) -> Iterator[str]:
    for name, text, predicate in predicates(model, schema):
        yield f"        rule({name!r}, {comment_text(text)!r}, lambda frame: {_expression(predicate)}),"


def _expression(predicate: Predicate) -> str:
    """Return the expression over `frame` that is True for the rows that obey the rule."""
    match predicate:
        case NotAll(tests):
            parts = [_has(test) for test in tests]
            return f"~({' & '.join(parts)})" if len(parts) <= MOST_FLAT else f"~every([{', '.join(parts)}])"
        case BothOrNeither(left, right):
            return f"{_has(left)} == {_has(right)}"
        case Apart(pairs):
            parts = [_apart(*pair) for pair in pairs]
            return " & ".join(parts) if len(parts) <= MOST_FLAT else f"every([{', '.join(parts)}])"
        case _:
            terms = ", ".join(part for term in predicate.terms for part in _terms(term))
            constant = "pd.Series(0, index=frame.index)"
            return f"sum([{terms}], {constant}) {'==' if predicate.equality else '<='} {predicate.rhs}"


def _apart(left: Column, right: Column, low: int, high: int) -> str:
    """Return the test that the difference of two columns is not between two numbers."""
    difference = f"frame[{left.name!r}] - frame[{right.name!r}]"
    return f"({difference} != {low + 1})" if high - low == 2 else f"~({difference}).between({low + 1}, {high - 1})"


def _has(test: HasLevel) -> str:
    """Return the test for the levels or, negated, for the others, whichever are fewer."""
    column, other = test.column, test.negated
    sign, chosen = ("~", other.levels) if len(other.levels) < len(test.levels) else ("", test.levels)
    return f"{sign}has(frame, {column.name!r}, {[column.value(column.levels[k]) for k in chosen]!r})"


def _terms(term: ColumnTerm) -> list[str]:
    if not term.cases:
        return [f"{term.factor} * frame[{term.column.name!r}]"]
    return [f"{value} * {_has(test)}" for test, value in term.cases]
