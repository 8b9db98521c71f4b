"""Links: which columns are in a rule together, and by what family of rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from unwritten.model import Model
from unwritten.report.fields import Fields
from unwritten.report.kinds import LEGEND, family_of

WIDEST = 40  # a rule over more columns links none of them to another in particular


@dataclass(frozen=True, eq=False)
class Links:
    """`pairs` counts rules by (column, column, family), columns in order; `wide` rules were too wide to draw."""

    names: tuple[str, ...]
    pairs: Counter[tuple[int, int, str]]
    wide: int

    @classmethod
    def of(cls, model: Model, fields: Fields) -> Links:
        """The links of a model's sentences."""
        pairs: Counter[tuple[int, int, str]] = Counter()
        wide = 0
        for sentence, columns in zip(model.sentences, fields.columns, strict=True):
            if len(columns) > WIDEST:
                wide += 1
                continue
            family = family_of(sentence.kind)
            pairs.update((a, b, family) for a, b in combinations(sorted(set(columns)), 2))
        return cls(fields.names, pairs, wide)

    @cached_property
    def strength(self) -> Counter[int]:
        """How many links each linked column has."""
        found: Counter[int] = Counter()
        for (a, b, _), number in self.pairs.items():
            found[a] += number
            found[b] += number
        return found

    @cached_property
    def neighbours(self) -> dict[int, Counter[int]]:
        """For each linked column, the others and how many links lead there."""
        found: dict[int, Counter[int]] = {}
        for (a, b, _), number in self.pairs.items():
            found.setdefault(a, Counter())[b] += number
            found.setdefault(b, Counter())[a] += number
        return found

    def strongest(self, most: int) -> list[int]:
        """The columns with most links, each with the one it is linked with most, in the order of the table."""
        chosen: set[int] = set()
        for c in sorted(self.strength, key=lambda c: (-self.strength[c], c)):
            near = self.neighbours[c]
            pair = {c} if chosen & near.keys() else {c, min(near, key=lambda other: (-near[other], other))}
            if len(chosen | pair) <= most:
                chosen |= pair
        return sorted(chosen)

    def among(self, columns: list[int]) -> dict[tuple[int, int, str], int]:
        """The links between these columns, in a fixed order."""
        chosen = set(columns)
        return {link: self.pairs[link] for link in sorted(self.pairs) if link[0] in chosen and link[1] in chosen}

    @cached_property
    def families(self) -> list[str]:
        """The families that link something, in the order of the legend."""
        present = {family for _, _, family in self.pairs}
        return [family for family in LEGEND if family in present]
