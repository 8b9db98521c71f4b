"""What LP and MPS files say before their rows."""

from __future__ import annotations

from unwritten.exports.comments import header
from unwritten.exports.program import Program
from unwritten.model import Model

CUTS = (
    "cuts are floats: a solver lets labels past them by its own tolerance, often 1e-6, and may drop tiny coefficients"
)


def preamble(model: Model, program: Program, names: list[str], no_weights: str) -> list[str]:
    """Where the file is from, what to know of it, and the variables whose names had to change."""
    notes = [header(model)]
    notes += [no_weights] if program.objective is None else []
    notes += [CUTS] if len(model.cuts) else []
    return notes + [f"{name}: {own}" for name, own in zip(names, program.variables.names, strict=True) if name != own]
