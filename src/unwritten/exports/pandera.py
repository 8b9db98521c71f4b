"""pandera: a Python file that defines `schema` for pandas data frames, with a check per rule."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.conditions import Known
from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.frame_conditions import FrameConditions
from unwritten.exports.named_statements import Statement, column_statements, left_out, schema_of, statements
from unwritten.tables.column import Column
from unwritten.tables.roles import TIMES

if TYPE_CHECKING:
    from unwritten.model import Model

HEAD = '''"""Rules as a pandera schema: schema.validate(frame, lazy=True) says which rows break which rules."""
'''

IMPORT = """try:
    import pandera.pandas as pa
except ImportError:  # pandera before 0.24
    import pandera as pa

"""

CODE = '''

def known(name, levels):
    """The check that a column holds no other values."""
    return pa.Check(lambda cells: one_of(cells.to_frame(name), name, levels), name="known", error="not a known value")


def number(name):
    """The check that the cells of a column are numbers."""
    return pa.Check(lambda cells: readable(cells.to_frame(name), name), name="number", error="not a number")


def rule(name, meaning, test):
    """A check of whole rows; a row breaks it only if the test is False."""
    return pa.Check(lambda frame: test(frame).fillna(True).astype(bool), name=name, error=meaning, ignore_na=False)


'''

WHOLE = 'pa.Check(lambda cells: cells % 1 == 0, name="whole", error="not a whole number")'


def write(model: Model, weights: object = None) -> str:
    """Return the schema as a Python file; frames must have the columns of the table and may have others."""
    schema = schema_of(model, weights, "pandera")
    stated, domains = list(statements(model, schema)), dict(column_statements(model, schema))
    used = {column.name for column in schema.used} | {name for one in stated for name in one.condition.columns}
    columns = [column for column in schema.columns if column.name in used]
    bins = {c.name: (list(c.edges), [level for level in c.levels if level]) for c in schema.used if c.kind == "bins"}
    writer = FrameConditions(schema)
    checks = [
        f"        rule({one.name!r}, {comment_text(one.text)!r}, lambda frame: {writer.test(one.condition)}),"
        for one in stated
    ]
    lines = [
        HEAD,
        *comment_lines("#", [provenance(model), *left_out(model)]),
        _frame_tests(),
        IMPORT,
        f"BINS = {bins!r}  # edges, and what is between them",
        f"TIMES = {[c.name for c in columns if c.role in TIMES]!r}  # columns of dates and times",
        CODE,
        "schema = pa.DataFrameSchema(",
        "    {",
        *(f"        {column.name!r}: {_column(column, domains.get(column))}," for column in columns),
        "    },",
        "    checks=[",
        *checks,
        "    ],",
        ")",
    ]
    return "\n".join(lines) + "\n"


def _frame_tests() -> str:
    """Return the tests that the checks call, without the docstring of their file."""
    source = files("unwritten.exports").joinpath("frame_tests.py").read_text("utf-8")
    return source[source.index("import datetime") :]


def _column(column: Column, domain: Statement | None) -> str:
    """Return the pandera column that accepts the known values, or any value if new ones are to be expected."""
    if domain is None:
        return "pa.Column(nullable=True)"
    if not isinstance(domain.condition, Known):
        return "pa.Column(nullable=False)"
    if column.kind == "integer":
        checks = f"[pa.Check.in_range({-budgets.LARGEST_LABEL}, {budgets.LARGEST_LABEL}), {WHOLE}]"
    elif column.kind == "bins":
        checks = f"number({column.name!r})"
    else:
        checks = f"known({column.name!r}, {[level for level in column.levels if level is not None]!r})"
    return f"pa.Column(checks={checks}, nullable={None in column.levels})"
