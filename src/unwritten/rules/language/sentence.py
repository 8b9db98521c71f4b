"""Sentence: one readable statement that one or more rows of a rule set make together."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.rules.rule import Evidence

#: What sentences over columns can be. Without a table the kinds are those of single rows (`words.kind_of`).
KINDS = (
    "always",  # a column keeps to these values
    "never",  # a column has none of these values
    "requires",
    "excludes",
    "exactly-when",
    "exactly",  # so many of the literals are true
    "at-most",
    "at-least",
    "all-different",
    "go-together",  # each value of one column comes with one of the other
    "equal",  # two numbers are the same
    "sum",  # a sum of numbers is fixed
    "linear",
)


@dataclass(frozen=True)
class Sentence:
    """What the rules at places `rules` say, in words that `parse_rule` reads back.

    `id` depends on what is said alone, not on the order of variables or rules. `support` counts the examples that the
    sentence has something to say about, `evidence` is that of its weakest row.
    """

    id: str
    text: str
    kind: str
    columns: tuple[str, ...]
    rules: tuple[int, ...]
    origin: str
    support: int
    evidence: Evidence | None

    @property
    def confidence(self) -> float | None:
        """How sure the weakest row is; None where nothing was counted, as for rules that were given."""
        return None if self.evidence is None else self.evidence.confidence

    def __str__(self) -> str:
        return self.text
