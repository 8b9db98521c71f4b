"""Python programs: the file that the CPMpy and CP-SAT exports have in common.

Names, bounds, rows and weights are written as literals, so that no name is ever run as code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.linear_program import LinearProgram, integer_program_of

if TYPE_CHECKING:
    from unwritten.model import Model

MAIN = """

if __name__ == "__main__":
{setup}    if {solved}:
        for name, variable in variables.items():
            print(f"{{name!r}} = {{{value}}}")
    else:
        print("no solution: some rules clash")
"""


def python_program(model: Model, weights: object, target: str, *, docstring: str, imports: str, code: str) -> str:
    """Return a Python file: the model's data as literals, then `code`, in which SENSE becomes the method to call."""
    program = integer_program_of(model, weights, target)
    sense = "maximize" if program.sense == "max" else "minimize"
    head = [f'"""{docstring}"""', "", *comment_lines("#", [provenance(model)]), imports, ""]
    return "\n".join([*head, *_data_lines(program)]) + "\n" + code.replace("SENSE", sense)


def main_block(setup: str, solved: str, value: str) -> str:
    """Return the end of the file, which prints a solution when the file is run.

    `setup` are statements, `solved` is an expression that is true if there is a solution, and `value` an expression for
    the value of `variable`.
    """
    return MAIN.format(setup=setup, solved=solved, value=value)


def _data_lines(program: LinearProgram) -> list[str]:
    """Return the lines that define VARIABLES, ROWS and WEIGHTS."""
    variables = program.variables
    lines = ["VARIABLES = [  # name, least and largest value"]
    for name, low, high in zip(variables.names, variables.lower.tolist(), variables.upper.tolist(), strict=True):
        lines.append(f"    ({name!r}, {low}, {high}),")
    lines += ["]", "ROWS = [  # [(coefficient, place of the variable), ...], relation, right-hand side"]
    for row in program.rows:
        lines.append(f"    # {comment_text(row.text)}")
        lines.append(f"    ({list(row.terms)!r}, {'==' if row.equality else '<='!r}, {row.rhs!r}),")
    lines.append("]")
    no_weights = "[]  # [(integer, place of the variable), ...]: none, so that any solution will do"
    lines.append(f"WEIGHTS = {no_weights if program.objective is None else repr(list(program.objective))}")
    return lines
