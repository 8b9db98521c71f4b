"""The writer of gaps: turns values that are ruled out into as few gaps as it can."""

from __future__ import annotations

from dataclasses import replace
from math import log1p

import numpy as np

from unwritten.mining.gaps.cover import Covered, Value, cover
from unwritten.mining.gaps.edges import Pair
from unwritten.mining.gaps.finding import FoundGaps, Ruled
from unwritten.rules import MINED, Evidence, Gap


class GapWriter:
    """Turns values that are ruled out into as few gaps as it can."""

    def __init__(self, ruled_out: FoundGaps, names: list[str], n: int, weight: float) -> None:
        self._found, self._names, self._n, self._weight = ruled_out, names, n, weight
        narrow = [value for value, reason in ruled_out.values.items() if reason.narrow]
        within = [(i, j, v) for (i, j), sides in ruled_out.wide.items() for v in range(sides[0] + 1, sides[1])]
        self._covered = cover(narrow, [*ruled_out.values, *within])

    def gaps(self) -> tuple[Gap, ...]:
        """Sets first, then pairs that are apart, then single values."""
        said = self._in_sets(self._covered)
        wide = {
            pair: sides
            for pair, sides in self._found.wide.items()
            if not said.issuperset((*pair, v) for v in range(sides[0] + 1, sides[1]))
        }
        gaps = [self._set(slope, clique) for slope, clique in self._covered.cliques]
        gaps += [self._apart(pair, *sides) for pair, sides in wide.items()]
        for pair, values in self._covered.rest.items():
            low, high = wide.get(pair, (0, 0))
            gaps += self._single_values(pair, [v for v in values if not low < v < high])
        return tuple(gaps)

    def _in_sets(self, covered: Covered) -> set[Value]:
        """The values that the sets say."""
        return {(a, b, slope * (b - a)) for slope, clique in covered.cliques for a in clique for b in clique if a < b}

    def _set(self, slope: int, clique: tuple[int, ...]) -> Gap:
        gap = Gap.all_different([self._names[c] for c in clique], tuple(slope * c for c in clique))
        pairs = [(a, b, slope * (b - a)) for k, a in enumerate(clique) for b in clique[k + 1 :]]
        return self._with_evidence(gap, pairs)

    def _apart(self, pair: Pair, low: int, high: int) -> Gap:
        gap = Gap.either_or(self._names[pair[0]], self._names[pair[1]], low, high)
        return self._reasoned(gap, [self._found.wide_reasons[pair]])

    def _single_values(self, pair: Pair, values: list[int]) -> list[Gap]:
        """Not equal, and distances; a value that stands alone and is not 0 is more likely luck than a rule."""
        first, second = (self._names[c] for c in pair)
        gaps = []
        if 0 in values:
            gaps.append(self._with_evidence(Gap.not_equal(first, second), [(*pair, 0)]))
        for value in values:
            if value > 0 and -value in values:
                gap = Gap.distance(first, second, value)
                gaps.append(self._with_evidence(gap, [(*pair, value), (*pair, -value)]))
        return gaps

    def _with_evidence(self, gap: Gap, values: list[Value]) -> Gap:
        """The gap with the evidence for the values that it rules out, some of which may be part of a wide gap."""
        wide = self._found.wide_reasons
        return self._reasoned(gap, [self._found.values.get(value) or wide[value[:2]] for value in values])

    def _reasoned(self, gap: Gap, reasons: list[Ruled]) -> Gap:
        return with_reasons(gap, reasons, self._n, self._weight)


def with_reasons(gap: Gap, reasons: list[Ruled], n: int, weight: float) -> Gap:
    """The gap with the number of examples that would break it by chance; its doubt is that of its least sure value."""
    share = sum(log1p(-min(reason.expected / (weight * n), 1 - 1e-9)) for reason in reasons)
    evidence = Evidence(
        n,
        chance=_rounded(float(np.exp(share))),
        price=_rounded(max(reason.price for reason in reasons)),
        doubt=_rounded(max(reason.doubt for reason in reasons)),
        weight=weight,
    )
    return replace(gap, origin=MINED, evidence=evidence)


def _rounded(value: float) -> float:
    """Round to twelve digits, because logarithms and exponentials differ in their last bit between CPUs."""
    return float(f"{value:.12g}")
