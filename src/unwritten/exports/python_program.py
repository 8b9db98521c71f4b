"""Python programs: the file that the CPMpy and CP-SAT exports have in common.

Names, bounds, rows and weights are written as literals, so that no name is ever run as code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.linear_program import LinearProgram, integer_program_of

if TYPE_CHECKING:
    from unwritten.model import Model

GAPS = "# GAPS\n"  # the line of a program where gaps are stated

MAIN = """

if __name__ == "__main__":
{setup}    if {solved}:
        for name, variable in variables.items():
            print(f"{{name!r}} = {{{value}}}")
    else:
        print("no solution: some rules clash")
"""


def python_program(
    model: Model, weights: object, target: str, *, docstring: str, imports: str, code: str, gap_code: str
) -> str:
    """Return a Python file: the model's data as literals, then `code`.

    In the code, SENSE becomes the method to call, and the line GAPS becomes `gap_code` if the model has gaps.
    """
    program = integer_program_of(model, weights, target, gaps_as_rows=False)
    sense = "maximize" if program.sense == "max" else "minimize"
    head = [f'"""{docstring}"""', "", *comment_lines("#", [provenance(model), *program.notes]), imports, ""]
    code = code.replace("SENSE", sense).replace(GAPS, gap_code if len(program.gaps) else "")
    return "\n".join([*head, *_data_lines(program)]) + "\n" + code


def main_block(setup: str, solved: str, value: str) -> str:
    """Return the end of the file, which prints a solution when the file is run.

    `setup` are statements, `solved` is an expression that is true if there is a solution, and `value` an expression for
    the value of `variable`.
    """
    return MAIN.format(setup=setup, solved=solved, value=value)


def _data_lines(program: LinearProgram) -> list[str]:
    """Return the lines that define VARIABLES, ROWS and WEIGHTS."""
    lines = ["VARIABLES = [  # name, least and largest value"]
    lines += [f"    ({variable.name!r}, {variable.low}, {variable.high})," for variable in program.variables]
    lines += ["]", "ROWS = [  # [(coefficient, place of the variable), ...], relation, right-hand side"]
    for row in program.rows:
        lines.append(f"    # {comment_text(row.text)}")
        lines.append(f"    ({list(row.terms)!r}, {'==' if row.equality else '<='!r}, {row.rhs!r}),")
    lines += ["]", *_gap_lines(program)]
    no_weights = "[]  # [(integer, place of the variable), ...]: none, so that any solution will do"
    lines.append(f"WEIGHTS = {no_weights if program.objective is None else repr(list(program.objective))}")
    return lines


def _gap_lines(program: LinearProgram) -> list[str]:
    """Return the lines that define DIFFERENT, DISTANCES, EITHER_OR and DIFFERENCES; none if there are no gaps."""
    if not len(program.gaps):
        return []
    at = {name: j for j, name in enumerate(program.names)}
    different, distances, either, differences = (list[str]() for _ in range(4))
    for gap in program.gaps:
        places = [at[name] for name in gap.variables]
        comment = f"    # {comment_text(gap.text)}"
        match gap.kind:
            case "either-or":
                either += [comment, f"    {(*places, *gap.numbers)!r},"]
            case "distance":
                distances += [comment, f"    {(*places, *gap.numbers)!r},"]
            case "all-differences":
                differences += [comment, f"    {places!r},"]
            case _:
                different += [comment, f"    {list(zip(places, gap.numbers, strict=True))!r},"]
    return [
        "DIFFERENT = [  # [(place of the variable, number added to it), ...]: these sums differ pairwise",
        *different,
        "]",
        "DISTANCES = [  # (place, place, number): the variables are never this far apart",
        *distances,
        "]",
        "EITHER_OR = [  # (place, place, low, high): the first minus the second is at most low or at least high",
        *either,
        "]",
        "DIFFERENCES = [  # [place of a variable, ...]: the differences of these, each less one before it, differ",
        *differences,
        "]",
    ]
