"""CPLEX LP format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from unwritten.conditions import Quantity
from unwritten.exports.comments import comment_lines, comment_text
from unwritten.exports.linear_program import LinearProgram, Terms, program_of
from unwritten.exports.plain_names import plain_names
from unwritten.exports.preamble import preamble

if TYPE_CHECKING:
    from unwritten.model import Model

LINE_CHARACTERS = 100  # some readers refuse lines of more than 560 characters

NO_WEIGHTS = "there is no objective: write weights in place of the zeros"


def write(model: Model, weights: object = None) -> str:
    """Return the model as an LP file; variables keep their names where the format allows it."""
    program = program_of(model, weights)
    names = plain_names(program.names)
    notes = preamble(model, program, names, NO_WEIGHTS)
    lines = comment_lines("\\", notes, ascii_only=True)
    lines.append("Maximize" if program.sense == "max" else "Minimize")
    weighted = {j: value for value, j in program.objective or ()}
    # every variable, because SCIP knows only the variables that some expression names
    objective = tuple((weighted.get(j, 0), j) for j in range(len(names)))
    lines += _wrapped([" obj:", *_words(objective, names)])
    lines.append("Subject To")
    for row in program.rows:
        lines.append(f"\\ {comment_text(row.text, ascii_only=True)}")
        relation = "=" if row.equality else "<="
        lines += _wrapped([f" {row.name}:", *_words(row.terms, names), f"{relation} {row.rhs!r}"])
    lines += [*_domains(program, names), "End"]
    return "\n".join(lines) + "\n"


def _words(terms: Terms, names: list[str]) -> Iterator[str]:
    return (f"{'-' if value < 0 else '+'} {abs(value)!r} {names[j]}" for value, j in terms)


def _domains(program: LinearProgram, names: list[str]) -> Iterator[str]:
    """Yield the sections for bounds, integers and 0/1 variables."""
    domains = list(zip(names, program.variables, strict=True))
    others = [(name, variable) for name, variable in domains if not _is_binary(variable)]
    sections = {"General": [name for name, variable in others if variable.whole]}
    sections["Binary"] = [name for name, variable in domains if _is_binary(variable)]
    if others:
        yield "Bounds"
        yield from (f" {variable.low!r} <= {name} <= {variable.high!r}" for name, variable in others)
    for section, of_section in sections.items():
        if of_section:
            yield section
            yield from _wrapped(of_section)


def _is_binary(variable: Quantity) -> bool:
    return variable.whole and (variable.low, variable.high) == (0, 1)


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    """Yield lines of about `LINE_CHARACTERS` characters; a line that continues another is indented."""
    text = ""
    for word in words:
        if text and len(text) + len(word) >= LINE_CHARACTERS:
            yield text
            text = ""
        text = f"{text} {word}" if text else f"  {word}" if not word.startswith(" ") else word
    if text:
        yield text
