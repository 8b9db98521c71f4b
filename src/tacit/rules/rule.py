"""One rule, and the evidence it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from math import e
from typing import Literal

from tacit.data import IntArray

RowSense = Literal["==", "<="]

MINED, GIVEN, DEFINITION = "mined", "given", "definition"


@dataclass(frozen=True)
class Evidence:
    """How many examples a rule was tested on, and how many of them break it."""

    examples: int
    violations: int = 0

    @property
    def lemma2(self) -> float:
        """The paper's Lemma 2: chance that an equality mined from M examples fails on a fresh query, < 1/(e·M).

        It averages over the draw of the examples for one fixed equality; it says nothing of all rules together.
        """
        return 1.0 if self.examples == 0 or self.violations else min(1.0, 1.0 / (e * self.examples))


@dataclass(frozen=True, eq=False)
class Rule:
    """`coefficients · y  sense  rhs`, with its kind, its origin (mined, given or definition) and its text."""

    coefficients: IntArray
    sense: RowSense
    rhs: int
    kind: str
    text: str
    origin: str
    evidence: Evidence | None

    def __str__(self) -> str:
        return self.text
