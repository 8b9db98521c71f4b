"""Sentence: one readable statement that one or more rules of a rule set make together."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.rules.rule import Evidence
from unwritten.shown import shown

#: The kinds of sentences over columns. Without a table the kinds are those of single rows (`rules.words`).
KINDS = (
    "always",  # a column has one of these values
    "never",  # a column has none of these values
    "requires",
    "excludes",
    "exactly-when",
    "exactly",  # a fixed number of the literals is true
    "at-most",
    "at-least",
    "all-different",
    "go-together",  # each value of one column comes with one value of the other
    "equal",  # two numbers are equal
    "sum",  # a sum of numbers is fixed
    "linear",
    "not-equal",
    "distance",  # two numbers are never this far apart
    "either-or",  # one number is well before the other
)


@dataclass(frozen=True, repr=False)
class Sentence:
    """The meaning of the rules at places `rules` of a rule set, in words that `facts.read_written` reads back.

    `id` depends only on the meaning, not on the order of variables or rules. `support` is the number of examples that
    meet the sentence's condition (all of them if it has none). `evidence` is that of its weakest rule. A sentence that
    no linear rule can say has no `rules`, but the places of `gaps` or of `facts`.
    """

    id: str
    text: str
    kind: str
    columns: tuple[str, ...]
    rules: tuple[int, ...]
    origin: str
    support: int
    evidence: Evidence | None
    gaps: tuple[int, ...] = ()
    facts: tuple[int, ...] = ()

    @property
    def confidence(self) -> float | None:
        """How sure the weakest rule is; None if no examples were counted, as for rules that were given."""
        return None if self.evidence is None else self.evidence.confidence

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        mark = "" if self.origin == "mined" else f", {self.origin}"
        return f"Sentence({self.id}{mark}: {shown(self.text)})"
