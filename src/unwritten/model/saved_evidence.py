"""The evidence of a rule as a list of numbers, as files hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Annotated

from unwritten.errors import FormatError
from unwritten.rules import Evidence
from unwritten.shapes import LARGEST_FLOAT, Between, Count, read

Share = Annotated[float, Between(0, 1)]
LENGTHS = (5, 8, 10)
"""How many numbers files have: doubt, weight and needed are absent in the oldest, the last two in most rules."""


@dataclass(frozen=True)
class _Numbers:
    """What each number may be, in the order of the fields of `Evidence`."""

    examples: Count
    violations: Count
    chance: Share
    price: Annotated[float, Between(0, LARGEST_FLOAT)]
    joint_confidence: Share
    doubt: Share = 0.0
    weight: Annotated[float, Between(1e-300, 1)] = 1.0
    needed: Count = 0
    left_out: Count = 0
    estimate: Annotated[int, Between(0, 1)] = 0


NAMES = tuple(part.name for part in fields(_Numbers))
FLOATS = ("chance", "price", "joint_confidence", "doubt", "weight")


def numbers_of(evidence: Evidence | None) -> list[float] | None:
    """The numbers of the evidence, without the last two if they say nothing."""
    if evidence is None:
        return None
    numbers = [int(number) if isinstance(number, bool) else number for number in astuple(evidence)]
    return numbers if evidence.left_out else numbers[:-2]


def evidence_of(numbers: Sequence[float] | None) -> Evidence | None:
    """The evidence that has these numbers, after checking them."""
    if numbers is None:
        return None
    if len(numbers) not in LENGTHS:
        raise FormatError("the file's evidence for a rule is not whole: save the model again")
    state = dict(zip(NAMES, numbers, strict=False))
    plain = read(_Numbers, state, "the file's evidence for a rule")
    if plain.violations > plain.examples:
        raise FormatError("the file's evidence for a rule has more exceptions than examples: save the model again")
    values = dict(zip(NAMES, astuple(plain), strict=True))
    exact = {name: float(values[name]) for name in FLOATS}
    return Evidence(**{**values, **exact, "estimate": bool(plain.estimate)})
