"""Links: which columns appear in a rule together, and in which family of rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from unwritten.report.fields import Fields
from unwritten.report.rule_families import LEGEND, family_of

if TYPE_CHECKING:
    from unwritten.model import Model

WIDEST_RULE = 40  # columns; a wider rule says little about any two of them


@dataclass(frozen=True, eq=False)
class Links:
    """The links between columns: two columns are linked by every rule that uses both.

    `pairs` counts rules by (column, column, family), the smaller column first. `wide` counts the rules that were left
    out because they use more than WIDEST_RULE columns.
    """

    names: tuple[str, ...]
    pairs: Counter[tuple[int, int, str]]
    wide: int

    @classmethod
    def of(cls, model: Model, fields: Fields) -> Links:
        """Count the links in a model's sentences."""
        pairs: Counter[tuple[int, int, str]] = Counter()
        wide = 0
        for sentence, columns in zip(model.sentences, fields.columns, strict=True):
            if len(columns) > WIDEST_RULE:
                wide += 1
                continue
            family = family_of(sentence.kind)
            pairs.update((a, b, family) for a, b in combinations(sorted(set(columns)), 2))
        return cls(fields.names, pairs, wide)

    @cached_property
    def strength(self) -> Counter[int]:
        """The number of links of each linked column."""
        strength: Counter[int] = Counter()
        for (a, b, _), number in self.pairs.items():
            strength[a] += number
            strength[b] += number
        return strength

    @cached_property
    def neighbours(self) -> dict[int, Counter[int]]:
        """For each linked column, the columns it is linked with and the number of links to each."""
        neighbours: dict[int, Counter[int]] = {}
        for (a, b, _), number in self.pairs.items():
            neighbours.setdefault(a, Counter())[b] += number
            neighbours.setdefault(b, Counter())[a] += number
        return neighbours

    def strongest(self, most: int) -> list[int]:
        """Return at most `most` columns with the most links, in the order of the table.

        A column that is linked with none of those chosen before it brings its strongest neighbour along.
        """
        chosen: set[int] = set()
        for c in sorted(self.strength, key=lambda c: (-self.strength[c], c)):
            links = self.neighbours[c]
            added = {c} if chosen & links.keys() else {c, min(links, key=lambda other: (-links[other], other))}
            if len(chosen | added) <= most:
                chosen |= added
        return sorted(chosen)

    def among(self, columns: list[int]) -> dict[tuple[int, int, str], int]:
        """Return the links between these columns, in a fixed order."""
        chosen = set(columns)
        return {link: self.pairs[link] for link in sorted(self.pairs) if link[0] in chosen and link[1] in chosen}

    @cached_property
    def families(self) -> list[str]:
        """The families of the links, in the order of the legend."""
        present = {family for _, _, family in self.pairs}
        return [family for family in LEGEND if family in present]
