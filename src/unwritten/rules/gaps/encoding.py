"""Encoding: gaps as linear rows over further 0/1 variables, for solvers and files that know nothing but rows.

A variable x with few values gets a 0/1 variable [x = v] for each value; x ≠ y is [x = v] + [y = v] ≤ 1 for each v, and
all different is Σ [x = v] ≤ 1: far fewer labels with fractions obey these rows than the rows below. Any other gap
`s ≤ low or s ≥ high`, where s is a difference x − y or another small sum, gets one 0/1 variable h = [s ≥ high] and two
rows, in which the bounds of the variables say how far s can be:

    s − (max − low)·h ≤ low,    −s + (high − min)·h ≤ −min.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray, Variables
from unwritten.rules.gaps.gap import Gap
from unwritten.rules.gaps.gaps import Gaps
from unwritten.rules.gaps.parts import GapPart, GapParts
from unwritten.rules.rule import DEFINITION
from unwritten.rules.ruleset import RuleSet

Entries = dict[int, int]  # coefficients by the place of the variable


@dataclass(frozen=True, eq=False)
class GapEncoding:
    """Rows over the variables that were given, followed by 0/1 variables.

    `texts` says each row in words; it is empty for rows that only define a variable, and `gaps` has the place of the
    gap that each row belongs to (−1 for a definition). `values` are the pairs (variable, value) of the first 0/1
    variables, and `sides` the parts of those behind them, which are 1 if the sum of the part is at least its `high`.
    """

    variables: Variables
    rules: RuleSet
    texts: tuple[str, ...]
    gaps: tuple[int, ...]
    values: IntArray
    sides: GapParts

    def lifted(self, labels: IntArray) -> IntArray:
        """The labels (n × variables given) with the values of the 0/1 variables as further columns."""
        given = labels[:, self.values[:, 0]] == self.values[:, 1]
        beyond = [self.sides.sums(labels, k) >= high for k, high in enumerate(self.sides.high.tolist())]
        return np.column_stack([labels, given, *beyond]).astype(np.int64)


def encoded_gaps(gaps: Gaps, variables: Variables) -> GapEncoding:
    """Encode gaps over variables that have the names of theirs, and perhaps other bounds and further variables."""
    return _Encoder(gaps, variables).encoding()


class _Encoder:
    def __init__(self, gaps: Gaps, variables: Variables) -> None:
        self._gaps, self._variables = gaps, variables
        self._rows: list[tuple[Entries, bool, int, int]] = []  # entries, equality, right-hand side, place of the gap
        self._values: dict[tuple[int, int], int] = {}  # the place of [x = v]
        self._sides: list[tuple[GapPart, int]] = []
        self._taken = set(variables.names)

    def encoding(self) -> GapEncoding:
        by_value = [k for k, gap in enumerate(self._gaps) if self._has_few_values(gap)]
        places = sorted({self._variables.index[name] for k in by_value for name in self._gaps[k].variables})
        names = [self._value_name(j, v) for j in places for v in self._domain(j)]
        for j in places:
            self._define(j)
        for k, gap in enumerate(self._gaps):
            if k in set(by_value):
                self._state_by_values(gap, k)
            else:
                for part in gap.parts:
                    self._state_by_side(part, k)
        names += [self._fresh(f"[{_sum_text(part)} ≥ {part.high}]") for part, _ in self._sides]
        return self._assembled(names)

    def _assembled(self, names: list[str]) -> GapEncoding:
        latents = Variables.named(names) if names else None
        extended = self._variables if latents is None else self._variables + latents
        matrix = np.zeros((len(self._rows), len(extended)), np.int64)
        for row, (entries, _, _, _) in zip(matrix, self._rows, strict=True):
            for j, value in entries.items():
                row[j] += value
        owners = tuple(k for _, _, _, k in self._rows)
        rules = RuleSet(
            extended,
            matrix,
            np.array([equality for _, equality, _, _ in self._rows], bool),
            np.array([rhs for _, _, rhs, _ in self._rows], np.int64),
            tuple(DEFINITION if k < 0 else self._gaps[k].origin for k in owners),
            tuple(None if k < 0 else self._gaps[k].evidence for k in owners),
        )
        return GapEncoding(
            extended,
            rules,
            tuple("" if k < 0 else self._gaps[k].text for k in owners),
            owners,
            np.array(list(self._values), np.int64).reshape(-1, 2),
            GapParts.of(self._sides, self._variables),
        )

    def _name(self, j: int) -> str:
        return self._variables.names[j]

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "′"
        self._taken.add(name)
        return name

    def _value_name(self, j: int, value: int) -> str:
        self._values[j, value] = len(self._variables) + len(self._values)
        return self._fresh(f"[{self._name(j)} = {value}]")

    def _domain(self, j: int) -> range:
        return range(int(self._variables.lower[j]), int(self._variables.upper[j]) + 1)

    def _has_few_values(self, gap: Gap) -> bool:
        narrow = all(len(self._domain(self._variables.index[name])) <= budgets.GAP_VALUES for name in gap.variables)
        return narrow and gap.kind not in ("either-or", "all-differences")

    def _define(self, j: int) -> None:
        """x has exactly one value, and is that value."""
        places = {v: self._values[j, v] for v in self._domain(j)}
        self._rows.append((dict.fromkeys(places.values(), 1), True, 1, -1))
        entries = {place: v for v, place in places.items() if v}
        self._rows.append((entries | {j: -1}, True, 0, -1))

    def _state_by_values(self, gap: Gap, k: int) -> None:
        """At most one of the values that are equal after the numbers of the gap are added."""
        places = [self._variables.index[name] for name in gap.variables]
        numbers = [(0, -gap.numbers[0]), (0, gap.numbers[0])] if gap.kind == "distance" else [gap.numbers]
        for added in numbers:
            equal: dict[int, list[int]] = defaultdict(list)
            for j, number in zip(places, added, strict=True):
                for v in self._domain(j):
                    equal[v + number].append(self._values[j, v])
            self._rows += [(dict.fromkeys(them, 1), False, 1, k) for them in equal.values() if len(them) > 1]

    def _state_by_side(self, part: GapPart, k: int) -> None:
        terms = {self._variables.index[name]: factor for name, factor in part.terms}
        lower, upper = self._variables.lower.tolist(), self._variables.upper.tolist()
        ends = [sorted((factor * lower[j], factor * upper[j])) for j, factor in terms.items()]
        least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
        if most <= part.low or least >= part.high:
            return  # within these bounds the sum is never in the gap
        h = len(self._variables) + len(self._values) + len(self._sides)
        self._sides.append((part, k))
        self._rows.append((terms | {h: part.low - most}, False, part.low, k))
        self._rows.append(({j: -factor for j, factor in terms.items()} | {h: part.high - least}, False, -least, k))


def _sum_text(part: GapPart) -> str:
    """The sum of a part, such as "x − y" or "a − 2·b + c"; its first factor is positive."""
    signed = [f"{'−' if f < 0 else '+'} {'' if abs(f) == 1 else f'{abs(f)}·'}{name}" for name, f in part.terms]
    return " ".join(signed).removeprefix("+ ")
