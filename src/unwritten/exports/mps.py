"""Free MPS format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING

from unwritten.conditions import Number
from unwritten.exports.comments import comment_lines
from unwritten.exports.linear_program import LinearProgram, program_of
from unwritten.exports.plain_names import plain_names
from unwritten.exports.preamble import preamble

if TYPE_CHECKING:
    from unwritten.model import Model

NO_WEIGHTS = "there is no objective: write weights as the entries of obj in COLUMNS"


def write(model: Model, weights: object = None) -> str:
    """Return the model as an MPS file; variables that are not integers come last."""
    program = program_of(model, weights)
    names = plain_names(program.names)
    notes = preamble(model, program, names, NO_WEIGHTS)
    notes += [f"{row.name}: {row.text}" for row in program.rows]
    lines = comment_lines("*", notes, ascii_only=True)
    lines += ["NAME unwritten", "OBJSENSE", f"    {program.sense.upper()}", "ROWS", " N obj"]
    lines += [f" {'E' if row.equality else 'L'} {row.name}" for row in program.rows]
    lines += ["COLUMNS", *_columns(program, names), "RHS"]
    lines += [f" RHS {row.name} {row.rhs!r}" for row in program.rows if row.rhs]
    lines += ["BOUNDS", *_bounds(program, names), "ENDATA"]
    return "\n".join(lines) + "\n"


def _columns(program: LinearProgram, names: list[str]) -> Iterator[str]:
    entries: dict[int, list[tuple[str, Number]]] = defaultdict(list)
    for value, j in program.objective or ():
        entries[j].append(("obj", value))
    for row in program.rows:
        for value, j in row.terms:
            entries[j].append((row.name, value))
    parts: dict[bool, list[str]] = {True: [], False: []}
    for j, name in enumerate(names):
        parts[program.variables[j].whole] += [
            f" {name} {row_name} {value!r}" for row_name, value in entries[j] or [("obj", 0)]
        ]
    yield from (" MARKER 'MARKER' 'INTORG'", *parts[True], " MARKER 'MARKER' 'INTEND'", *parts[False])


def _bounds(program: LinearProgram, names: list[str]) -> Iterator[str]:
    for name, variable in zip(names, program.variables, strict=True):
        low, high = variable.low, variable.high
        if low == high:
            yield f" FX BND {name} {low!r}"
        else:
            yield f" LO BND {name} {low!r}" if isfinite(low) else f" MI BND {name}"
            yield f" UP BND {name} {high!r}" if isfinite(high) else f" PL BND {name}"
