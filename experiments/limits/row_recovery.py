"""How much of a hidden program the stated rules say, decided exactly: each question is one integer program."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from experiments.limits.exact_program import ExactProgram
from experiments.limits.hidden_programs import HiddenProgram
from unwritten.data import BoolArray
from unwritten.rules import RuleSet

Entries = list[Fraction]
Row = tuple[int, ...]


@dataclass(frozen=True)
class Recovery:
    """Numbers of rows. Only stated rules that are true count as saying something.

    Parameters
    ----------
    exact
        True rows that are stated: as a row of the same whole numbers, up to stated equalities.
    implied
        True rows that every label obeys which obeys the stated rules.
    false
        Stated rules that an allowed label breaks.
    """

    true: int
    stated: int
    exact: int
    implied: int
    false: int

    @property
    def same(self) -> bool:
        """True if the stated rules allow exactly the labels that are allowed."""
        return self.implied == self.true and not self.false


def recovery(problem: HiddenProgram, stated: RuleSet) -> Recovery:
    """Compare stated rules with the true rows of a problem."""
    true, variables = problem.rules, problem.rules.variables
    sound = stated[holding(problem.program, stated)]
    implied = holding(ExactProgram(variables, sound), true)
    reduced = Reduced(sound.equalities)
    rows = {reduced.row(rule.coefficients, rule.rhs) for rule in sound.inequalities}
    exact = sum(
        sound.implies(rule.coefficients, rule.rhs, "==")
        if rule.sense == "=="
        else reduced.row(rule.coefficients, rule.rhs) in rows
        for rule in true
    )
    return Recovery(len(true), len(stated), exact, int(implied.sum()), len(stated) - len(sound))


def holding(program: ExactProgram, rules: RuleSet) -> BoolArray:
    """Which rules every label of a program obeys."""
    return np.array(
        [
            program.most(a) <= b and (not equal or program.most(-a) <= -b)
            for a, b, equal in zip(rules.matrix, rules.rhs.tolist(), rules.equality, strict=True)
        ],
        bool,
    )


class Reduced:
    """Rows a·y ≤ b in one form for all that are the same up to a positive factor and multiples of equalities.

    >>> from unwritten.data import Variables
    >>> reduced = Reduced(RuleSet.of(Variables.named("abc"), [([1, 1, 1], "==", 2)]))
    >>> reduced.row(np.array([2, 0, 0]), 1), reduced.row(np.array([0, -1, -1]), -2)  # a ≤ 0, as b + c ≥ 2
    ((0, -1, -1, 2), (0, -1, -1, 2))
    """

    def __init__(self, equalities: RuleSet) -> None:
        self._echelon: list[tuple[int, Entries]] = []
        for rule in equalities:
            row = self._eliminated([*map(Fraction, rule.coefficients.tolist()), Fraction(-rule.rhs)])
            pivot = next((j for j, entry in enumerate(row[:-1]) if entry), None)
            if pivot is None:
                continue
            row = [entry / row[pivot] for entry in row]
            self._echelon = [(j, _without(other, pivot, row)) for j, other in self._echelon] + [(pivot, row)]

    def row(self, coefficients: object, rhs: int) -> Row:
        """The form [a, −b] of a·y ≤ b, with whole a without a common factor, and with the largest whole −b."""
        entries = self._eliminated([*map(Fraction, np.asarray(coefficients).tolist()), Fraction(-rhs)])
        scale = lcm(*(entry.denominator for entry in entries[:-1]))
        whole = [int(entry * scale) for entry in entries[:-1]]
        factor = gcd(*whole) or 1
        bound = -entries[-1] * scale / factor
        return (*(entry // factor for entry in whole), -(bound.numerator // bound.denominator))

    def _eliminated(self, row: Entries) -> Entries:
        for pivot, other in self._echelon:
            row = _without(row, pivot, other)
        return row


def _without(row: Entries, pivot: int, other: Entries) -> Entries:
    """The row less the multiple of another row that makes its entry in column `pivot` zero."""
    times = row[pivot]
    return [a - times * b for a, b in zip(row, other, strict=True)] if times else row
