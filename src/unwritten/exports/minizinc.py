"""MiniZinc. Variables are called x1, x2 …; comments give their own names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.linear_program import Terms, integer_program_of

if TYPE_CHECKING:
    from unwritten.model import Model


def write(model: Model, weights: object = None) -> str:
    """Return the model as a .mzn file."""
    program = integer_program_of(model, weights, "minizinc")
    variables = program.variables
    lines = comment_lines("%", [provenance(model)], ascii_only=True)
    for j, name in enumerate(variables.names):
        lines.append(
            f"var {variables.lower[j]}..{variables.upper[j]}: x{j + 1}; % {comment_text(name, ascii_only=True)}"
        )
    for row in program.rows:
        lines.append(f"% {comment_text(row.text, ascii_only=True)}")
        lines.append(f"constraint {_sum(row.terms)} {'=' if row.equality else '<='} {row.rhs};")
    if program.objective is None:
        lines.append("solve satisfy;")
    else:
        lines.append(f"solve {'maximize' if program.sense == 'max' else 'minimize'} {_sum(program.objective)};")
    return "\n".join(lines) + "\n"


def _sum(terms: Terms) -> str:
    return f"sum([{', '.join(f'x{j + 1}' if value == 1 else f'{value}*x{j + 1}' for value, j in terms)}])"
