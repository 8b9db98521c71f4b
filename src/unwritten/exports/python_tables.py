"""The data of a Python export: names, bounds, rows and weights as literals. Names are never code."""

from __future__ import annotations

from unwritten.exports.comments import line
from unwritten.exports.program import Program


def tables(program: Program) -> list[str]:
    """The lines that define VARIABLES, ROWS and WEIGHTS."""
    variables = program.variables
    lines = ["VARIABLES = [  # name, least and largest value"]
    for name, low, high in zip(variables.names, variables.lower.tolist(), variables.upper.tolist(), strict=True):
        lines.append(f"    ({name!r}, {low}, {high}),")
    lines += ["]", "ROWS = [  # [(coefficient, place of the variable), ...], relation, right-hand side"]
    for row in program.rows:
        lines.append(f"    # {line(row.text)}")
        lines.append(f"    ({list(row.terms)!r}, {'==' if row.equality else '<='!r}, {row.rhs!r}),")
    lines.append("]")
    weights = "[]  # [(integer, place of the variable), ...]: none, so that any solution will do"
    lines.append(f"WEIGHTS = {weights if program.objective is None else repr(list(program.objective))}")
    return lines
