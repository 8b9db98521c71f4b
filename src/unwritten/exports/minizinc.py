"""MiniZinc. Variables are called x1, x2 …; comments give their own names."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.linear_program import Terms, integer_program_of
from unwritten.rules import Gap

if TYPE_CHECKING:
    from unwritten.model import Model


def write(model: Model, weights: object = None) -> str:
    """Return the model as a .mzn file."""
    program = integer_program_of(model, weights, "minizinc", gaps_as_rows=False)
    places = {name: j for j, name in enumerate(program.names, 1)}
    lines = comment_lines("%", [provenance(model), *program.notes], ascii_only=True)
    if any(gap.kind in ("all-different", "all-differences") for gap in program.gaps):
        lines.append('include "alldifferent.mzn";')
    for j, variable in enumerate(program.variables, 1):
        lines.append(f"var {variable.low}..{variable.high}: x{j}; % {comment_text(variable.name, ascii_only=True)}")
    for row in program.rows:
        lines.append(f"% {comment_text(row.text, ascii_only=True)}")
        lines.append(f"constraint {_sum(row.terms)} {'=' if row.equality else '<='} {row.rhs};")
    for gap in program.gaps:
        lines.append(f"% {comment_text(gap.text, ascii_only=True)}")
        lines.append(f"constraint {_gap(gap, [f'x{places[name]}' for name in gap.variables])};")
    if program.objective is None:
        lines.append("solve satisfy;")
    else:
        lines.append(f"solve {'maximize' if program.sense == 'max' else 'minimize'} {_sum(program.objective)};")
    return "\n".join(lines) + "\n"


def _gap(gap: Gap, names: list[str]) -> str:
    """Return a gap over variables of these names."""
    match gap.kind:
        case "either-or":
            low, high = gap.numbers
            return f"{names[0]} - {names[1]} <= {low} \\/ {names[0]} - {names[1]} >= {high}"
        case "distance":
            return f"abs({names[0]} - {names[1]}) != {gap.numbers[0]}"
        case "all-differences":
            return f"alldifferent([{', '.join(f'{y} - {x}' for x, y in combinations(names, 2))}])"
    terms = [f"{name} + {number}" if number else name for name, number in zip(names, gap.numbers, strict=True)]
    return f"{terms[0]} != {terms[1]}" if len(terms) == 2 else f"alldifferent([{', '.join(terms)}])"


def _sum(terms: Terms) -> str:
    return f"sum([{', '.join(f'x{j + 1}' if value == 1 else f'{value}*x{j + 1}' for value, j in terms)}])"
