"""Gaps: the gaps of a model, which can be tested on labels, saved and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np

from unwritten.counted import counted
from unwritten.data import BoolArray, IntArray, Variables
from unwritten.data.html import html_table
from unwritten.errors import DataError
from unwritten.rules.gaps.gap import Gap, gap_cells
from unwritten.rules.gaps.parts import GapPart, GapParts, Term
from unwritten.rules.rule import RULE_HEADS
from unwritten.shown import shown

GAPS_SHOWN = 50  # gaps in the table that a notebook shows


@dataclass(frozen=True, eq=False)
class Gaps:
    """Gaps over named variables, in a stable order.

    >>> gaps = Gaps(Variables.named("abc", upper=3), (Gap.not_equal("a", "b"), Gap.distance("b", "c", 2)))
    >>> print(gaps)
    a ≠ b
    |b − c| ≠ 2
    >>> gaps.broken(np.array([[0, 1, 1], [2, 2, 0]]))
    array([[False, False],
           [ True,  True]])
    """

    variables: Variables
    entries: tuple[Gap, ...] = ()

    def __post_init__(self) -> None:
        for gap in self.entries:
            for name in gap.variables:
                if name not in self.variables.index:
                    raise DataError(f"a gap names {name!r}, which is not a variable: use the names of variables")

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Gap]:
        return iter(self.entries)

    @overload
    def __getitem__(self, which: int) -> Gap: ...
    @overload
    def __getitem__(self, which: slice | BoolArray | IntArray | list[int]) -> Gaps: ...
    def __getitem__(self, which: Any) -> Gap | Gaps:
        if isinstance(which, int | np.integer):
            return self.entries[which]
        return replace(self, entries=tuple(self.entries[k] for k in np.arange(len(self))[which].tolist()))

    def __add__(self, other: Gaps) -> Gaps:
        return replace(self, entries=self.entries + other.entries)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Gaps) and self.variables.names == other.variables.names and self.entries == other.entries
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def origins(self) -> tuple[str, ...]:
        """Who says each gap."""
        return tuple(gap.origin for gap in self)

    @cached_property
    def parts(self) -> GapParts:
        """All parts, over the places of variables."""
        return GapParts.of([(part, k) for k, gap in enumerate(self) for part in gap.parts], self.variables)

    def broken(self, labels: IntArray) -> BoolArray:
        """Which label (row) breaks which gap (column), without checks: labels are n × d integers."""
        broken = np.zeros((len(labels), len(self)), bool)
        parts = self.parts
        for part, (low, high, k) in enumerate(zip(parts.low, parts.high, parts.gap.tolist(), strict=True)):
            sums = parts.sums(labels, part)
            broken[:, k] |= (sums > low) & (sums < high)
        return broken

    def imply(self, gap: Gap) -> bool:
        """True if each part of `gap` lies within a part of these gaps."""
        return all(
            any(low <= part.low and part.high <= high for low, high in self._forbidden.get(_key(part), ()))
            for part in gap.parts
        )

    @cached_property
    def _forbidden(self) -> dict[tuple[Term, ...], list[tuple[int, int]]]:
        forbidden: dict[tuple[Term, ...], list[tuple[int, int]]] = {}
        parts: list[GapPart] = [side for gap in self for part in gap.parts for side in (part, part.reversed)]
        for part in parts:
            forbidden.setdefault(_key(part), []).append((part.low, part.high))
        return forbidden

    def with_origin(self, places: Sequence[int], origin: str) -> Gaps:
        """The same gaps; those at these places have another origin."""
        chosen = set(places)
        changed = (replace(gap, origin=origin) if k in chosen else gap for k, gap in enumerate(self))
        return replace(self, entries=tuple(changed))

    def __str__(self) -> str:
        return "\n".join(shown(gap.text) for gap in self) or "no gaps"

    def __repr__(self) -> str:
        return f"Gaps({counted(len(self), 'gap')} over {counted(len(self.variables), 'variable')})"

    def _repr_html_(self) -> str:
        hidden = len(self) - GAPS_SHOWN
        caption = repr(self)[5:-1] + (f": the first {GAPS_SHOWN}" if hidden > 0 else "")
        return html_table(RULE_HEADS, [gap_cells(gap) for gap in self.entries[:GAPS_SHOWN]], caption)


def _key(part: GapPart) -> tuple[Term, ...]:
    """The terms of a part in an order of their own."""
    return tuple(sorted(part.terms))
