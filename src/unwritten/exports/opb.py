"""Pseudo-Boolean constraints (OPB). An integer is its lower bound plus 0/1 variables times powers of two: exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from unwritten.data import Variables
from unwritten.exports.comments import block, header
from unwritten.exports.program import integer_program_of
from unwritten.model import Model

Bits = dict[int, int]  # coefficients by number of the 0/1 variable, from 1


@dataclass(frozen=True)
class Binary:
    """How variables are written: variable j is `lower[j]` + Σ 2^k · (0/1 variable `first[j]` + k)."""

    lower: list[int]
    spans: list[int]
    first: list[int]
    widths: list[int]

    @classmethod
    def of(cls, variables: Variables) -> Binary:
        """As few 0/1 variables as the bounds allow, and at least one each."""
        lower, upper = variables.lower.tolist(), variables.upper.tolist()
        spans = [high - low for low, high in zip(lower, upper, strict=True)]
        widths = [max(1, span.bit_length()) for span in spans]
        return cls(lower, spans, list(accumulate(widths[:-1], initial=1)), widths)

    def sum(self, terms: Iterable[tuple[int, int]]) -> tuple[Bits, int]:
        """A sum over variables as one over 0/1 variables, and what is constant in it."""
        bits: Bits = {}
        constant = 0
        for value, j in terms:
            constant += value * self.lower[j]
            bits |= {self.first[j] + k: value << k for k in range(self.widths[j])}
        return bits, constant


def write(model: Model, weights: object = None) -> str:
    """The model as an OPB file. Its objective is minimised, as the format has it; a comment says what to add."""
    program = integer_program_of(model, weights, "opb")
    binary = Binary.of(program.variables)
    notes, objective = [header(model)], ""
    for name, low, first, width in zip(program.variables.names, binary.lower, binary.first, binary.widths, strict=True):
        bits = " + ".join(f"{2**k} x{first + k}" if k else f"x{first}" for k in range(width))
        notes.append(f"{f'{low} + {bits}' if low else bits}: {name}")
    if program.objective is not None:
        sign = -1 if program.sense == "max" else 1
        bits_of, constant = binary.sum(_whole(program.objective))
        word = "minus" if sign < 0 else "plus"
        notes.append(f"{program.sense} of the weights: {constant} {word} the objective below")
        objective = f"min: {_text({x: sign * value for x, value in bits_of.items()})} ;"
    rows: list[str] = []
    count = 0
    for j, (span, width) in enumerate(zip(binary.spans, binary.widths, strict=True)):
        if span < 2**width - 1:
            rows.append(f"{_text({binary.first[j] + k: -(1 << k) for k in range(width)})} >= {-span} ;")
            count += 1
    for row in program.rows:
        terms, constant = binary.sum(_whole(row.terms))
        rhs = int(row.rhs) - constant
        rows += block("*", [f"{row.name}: {row.text}"], ascii_only=True)
        if row.equality:
            rows.append(f"{_text(terms)} = {rhs} ;")
        else:
            rows.append(f"{_text({x: -value for x, value in terms.items()})} >= {-rhs} ;")
        count += 1
    first_line = f"* #variable= {sum(binary.widths)} #constraint= {count}"
    lines = [first_line, *block("*", notes, ascii_only=True), *([objective] if objective else []), *rows]
    return "\n".join(lines) + "\n"


def _whole(terms: Iterable[tuple[int | float, int]]) -> list[tuple[int, int]]:
    return [(int(value), j) for value, j in terms]


def _text(bits: Bits) -> str:
    return " ".join(f"{value:+d} x{number}" for number, value in bits.items())
