"""Pseudo-Boolean constraints (OPB). An integer is its lower bound plus 0/1 variables times powers of two: exact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from unwritten.conditions import Quantity
from unwritten.exports.comments import comment_lines, provenance
from unwritten.exports.linear_program import LinearProgram, integer_program_of

if TYPE_CHECKING:
    from unwritten.model import Model

Bits = dict[int, int]  # coefficients by the number of the 0/1 variable; the first is 1


@dataclass(frozen=True)
class BinaryEncoding:
    """How integers are written: variable j is `lower[j]` + Σ 2^k · (0/1 variable number `first[j]` + k)."""

    lower: list[int]
    spans: list[int]
    first: list[int]
    widths: list[int]

    @classmethod
    def of(cls, variables: Sequence[Quantity]) -> BinaryEncoding:
        """Use as few 0/1 variables as the bounds allow, and at least one for each variable."""
        lower = [int(variable.low) for variable in variables]
        spans = [int(variable.high) - low for variable, low in zip(variables, lower, strict=True)]
        widths = [max(1, span.bit_length()) for span in spans]
        return cls(lower, spans, list(accumulate(widths[:-1], initial=1)), widths)

    def sum(self, terms: Iterable[tuple[int | float, int]]) -> tuple[Bits, int]:
        """Return a sum over variables as a sum over 0/1 variables plus a constant."""
        bits: Bits = {}
        constant = 0
        for number, j in terms:
            value = int(number)
            constant += value * self.lower[j]
            bits |= {self.first[j] + k: value << k for k in range(self.widths[j])}
        return bits, constant


def write(model: Model, weights: object = None) -> str:
    """Return the model as an OPB file.

    The format only minimises, so a comment says how to compute the value of the weights from the objective.
    """
    program = integer_program_of(model, weights, "opb")
    encoding = BinaryEncoding.of(program.variables)
    notes = [provenance(model), *program.notes, *_variable_notes(program, encoding)]
    objective: list[str] = []
    if program.objective is not None:
        sign = -1 if program.sense == "max" else 1
        bits, constant = encoding.sum(program.objective)
        word = "minus" if sign < 0 else "plus"
        notes.append(f"{program.sense} of the weights: {constant} {word} the objective below")
        objective = [f"min: {_text({x: sign * value for x, value in bits.items()})} ;"]
    bounds = _bound_rows(encoding)
    first_line = f"* #variable= {sum(encoding.widths)} #constraint= {len(bounds) + len(program.rows)}"
    rows = [line for row in _rule_rows(program, encoding) for line in row]
    return "\n".join([first_line, *comment_lines("*", notes, ascii_only=True), *objective, *bounds, *rows]) + "\n"


def _variable_notes(program: LinearProgram, encoding: BinaryEncoding) -> list[str]:
    """Return how each variable is made of 0/1 variables."""
    notes = []
    variables = zip(program.names, encoding.lower, encoding.first, encoding.widths, strict=True)
    for name, low, first, width in variables:
        bits = " + ".join(f"{2**k} x{first + k}" if k else f"x{first}" for k in range(width))
        notes.append(f"{f'{low} + {bits}' if low else bits}: {name}")
    return notes


def _bound_rows(encoding: BinaryEncoding) -> list[str]:
    """Return a row for each variable whose 0/1 variables could exceed its upper bound."""
    return [
        f"{_text({first + k: -(1 << k) for k in range(width)})} >= {-span} ;"
        for first, span, width in zip(encoding.first, encoding.spans, encoding.widths, strict=True)
        if span < 2**width - 1
    ]


def _rule_rows(program: LinearProgram, encoding: BinaryEncoding) -> Iterable[list[str]]:
    """Yield for each row of the program a comment and the constraint."""
    for row in program.rows:
        bits, constant = encoding.sum(row.terms)
        rhs = int(row.rhs) - constant
        comments = comment_lines("*", [f"{row.name}: {row.text}"], ascii_only=True)
        if row.equality:
            yield [*comments, f"{_text(bits)} = {rhs} ;"]
        else:
            yield [*comments, f"{_text({x: -value for x, value in bits.items()})} >= {-rhs} ;"]


def _text(bits: Bits) -> str:
    return " ".join(f"{value:+d} x{number}" for number, value in bits.items())
