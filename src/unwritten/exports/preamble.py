"""Preamble: the comments at the top of LP and MPS files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.comments import provenance
from unwritten.exports.linear_program import LinearProgram

if TYPE_CHECKING:
    from unwritten.model import Model

ABOUT_CUTS = (
    "cuts are floats: a solver lets labels past them by its own tolerance, often 1e-6, and may drop tiny coefficients"
)


def preamble(model: Model, program: LinearProgram, names: list[str], no_weights: str) -> list[str]:
    """Return the origin of the file, notes on its contents, and the variables whose names had to change.

    `no_weights` is the note for a program without an objective.
    """
    notes = [provenance(model)]
    notes += [no_weights] if program.objective is None else []
    notes += [ABOUT_CUTS] if len(model.cuts) else []
    notes += program.notes
    return notes + [f"{name}: {own}" for name, own in zip(names, program.names, strict=True) if name != own]
