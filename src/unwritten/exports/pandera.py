"""pandera: a Python file that defines `schema` for pandas data frames, with a check per rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.exports.comments import comment_lines, comment_text, fact_texts, provenance
from unwritten.exports.pandera_facts import FACT_CODE, fact_check, known_values
from unwritten.exports.predicates import (
    Apart,
    BothOrNeither,
    ColumnTerm,
    Factors,
    HasLevel,
    NotAll,
    Predicate,
    RulePredicate,
    left_out,
    predicates,
    schema_of,
    signed_sum,
)
from unwritten.facts import Dependency
from unwritten.tables import Schema
from unwritten.tables.column import Column
from unwritten.tables.roles import TIMES

if TYPE_CHECKING:
    from unwritten.model import Model

HEAD = '''"""Rules as a pandera schema: schema.validate(frame, lazy=True) says which rows break which rules."""
'''

IMPORTS = """import datetime
import math
import re

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
    word = str(cell)
    return word.partition(".")[0] if re.fullmatch(r"-?(0|[1-9]\\d{0,17})[.]0+", word) else word


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
    if name in INTEGERS and not pd.api.types.is_numeric_dtype(cells):
        numbers = pd.to_numeric(cells, errors="coerce")
        return numbers.astype(object).where(numbers.notna(), cells.astype(object))
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


def seen(frame, names):
    """Where all of these columns have values that were seen before."""
    return every([has(frame, name, SEEN[name]) for name in names])


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
    facts = model.facts
    used = set(schema.used) | {schema[name] for fact in facts for name in fact.columns}
    columns = [column for column in schema.columns if column in used]
    seen = {c.name: [c.value(level) for level in c.levels] for c in schema.used if not c.closed}
    lines.append(f"BINS = {bins!r}  # edges, and what is between them")
    lines.append(f"TEXTS = {[c.name for c in schema.used if _is_text(c)]!r}  # columns that are compared as text")
    integers = [c.name for c in schema.used if c.dtype == "integer" and c.kind != "integer"]
    lines.append(f"INTEGERS = {integers!r}  # columns that are compared as numbers")
    lines.append(f"TIMES = {[c.name for c in columns if c.role in TIMES]!r}  # columns of dates and times")
    lines.append(f"SEEN = {seen!r}  # values of columns in which new ones are to be expected")
    lines += ["KNOWN = [  # values that decide others", *(f"    {known_values(f)}," for f in _lookups(model)), "]"]
    entries = [f"        {column.name!r}: {_column(column, model.examples)}," for column in columns]
    checks = [*_rules(model, schema), *_facts(model, schema)]
    lines += [CODE, FACT_CODE, "", "schema = pa.DataFrameSchema(", "    {", *entries, "    },", "    checks=[", *checks]
    return "\n".join([*lines, "    ],", ")"]) + "\n"


def _lookups(model: Model) -> list[Dependency]:
    return [fact for fact in model.facts if isinstance(fact, Dependency)]


def _is_text(column: Column) -> bool:
    return column.kind in ("category", "boolean") and column.dtype == "text"


def _column(column: Column, examples: int) -> str:
    """Return the pandera column that accepts the known values, or any value if new ones are to be expected."""
    optional = None in column.levels
    if column.kind == "skip":
        return "pa.Column(nullable=True)"
    if not column.closed:
        return f"pa.Column(nullable={optional or examples < budgets.NEW_VALUE_ROWS})"
    if column.kind == "integer":
        checks = f"[pa.Check.in_range({-budgets.LARGEST_LABEL}, {budgets.LARGEST_LABEL}), {WHOLE}]"
    elif column.kind == "bins":
        checks = f"number({column.name!r})"
    else:
        levels = [column.value(level) for level in column.levels if level is not None]
        checks = f"known({column.name!r}, {levels!r})"
    return f"pa.Column(checks={checks}, nullable={optional})"


def _rules(model: Model, schema: Schema) -> Iterator[str]:
    for rule in predicates(model, schema):
        yield f"        rule({rule.name!r}, {comment_text(rule.text)!r}, lambda frame: {_guarded(rule)}),"


def _guarded(rule: RulePredicate) -> str:
    """Return the test of a rule, which says nothing of rows with values that were never seen."""
    names = [column.name for column in rule.open_columns]
    test = _expression(rule.predicate)
    return f"~seen(frame, {names!r}) | ({test})" if names else test


def _facts(model: Model, schema: Schema) -> Iterator[str]:
    lookups = _lookups(model)
    for k, (fact, text) in enumerate(zip(model.facts, fact_texts(model), strict=True), 1):
        place = lookups.index(fact) if isinstance(fact, Dependency) else 0
        test = fact_check(fact, schema, place)
        if test is not None:
            yield f"        rule('fact_{k}', {comment_text(text)!r}, lambda frame: {test}),"


def _expression(predicate: Predicate) -> str:
    """Return the expression over `frame` that is True for the rows that obey the rule."""
    match predicate:
        case NotAll(tests):
            parts = [_has(test) for test in tests]
            return f"~({' & '.join(parts)})" if len(parts) <= MOST_FLAT else f"~every([{', '.join(parts)}])"
        case BothOrNeither(left, right):
            return f"{_has(left)} == {_has(right)}"
        case Apart(sums):
            parts = [_apart(*each) for each in sums]
            return " & ".join(parts) if len(parts) <= MOST_FLAT else f"every([{', '.join(parts)}])"
        case _:
            terms = ", ".join(part for term in predicate.terms for part in _terms(term))
            constant = "pd.Series(0, index=frame.index)"
            return f"sum([{terms}], {constant}) {'==' if predicate.equality else '<='} {predicate.rhs}"


def _apart(terms: Factors, low: int, high: int) -> str:
    """Return the test that a sum of columns is not between two numbers."""
    total = signed_sum([(f"frame[{column.name!r}]", factor) for column, factor in terms])
    return f"({total} != {low + 1})" if high - low == 2 else f"~({total}).between({low + 1}, {high - 1})"


def _has(test: HasLevel) -> str:
    """Return the test for the levels or, negated, for the others, whichever are fewer."""
    column, other = test.column, test.negated
    shorter = column.closed and len(other.levels) < len(test.levels)  # an open column may have further values
    sign, chosen = ("~", other.levels) if shorter else ("", test.levels)
    return f"{sign}has(frame, {column.name!r}, {[column.value(column.levels[k]) for k in chosen]!r})"


def _terms(term: ColumnTerm) -> list[str]:
    if not term.cases:
        return [f"{term.factor} * numbers(frame, {term.column.name!r})"]
    return [f"{value} * {_has(test)}" for test, value in term.cases]
