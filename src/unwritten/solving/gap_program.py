"""Gap program: a program with gaps, which become rows over further 0/1 variables."""

from __future__ import annotations

from dataclasses import replace

from unwritten.rules import Gaps
from unwritten.rules.gaps import encoded_gaps
from unwritten.solving.program import Program


def with_gaps(program: Program, gaps: Gaps) -> Program:
    """Add gaps over the first entries of the labels of a program that has none yet."""
    if not len(gaps):
        return program
    encoding = encoded_gaps(gaps, program.variables)
    first, lift = len(program.rules), program.lift
    return replace(
        program,
        variables=encoding.variables,
        rules=program.rules.over(encoding.variables) + encoding.rules,
        redundant=program.redundant.over(encoding.variables),
        lift=lambda labels: encoding.lifted(lift(labels)),
        gap_latents=len(encoding.variables) - len(program.variables),
        gap_texts={first + k: text for k, text in enumerate(encoding.texts)},
        gap_parts=gaps.parts,
    )
