"""Rules in words: patterns said once, all other rules one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unwritten.rules.patterns.pattern import Pattern
from unwritten.rules.patterns.pattern_axes import PatternAxes
from unwritten.rules.patterns.pattern_words import pattern_text
from unwritten.rules.patterns.search import LEAST_RULES, find_patterns
from unwritten.rules.rule import Evidence, RowSense, weakest
from unwritten.rules.words import noise_text

if TYPE_CHECKING:
    from unwritten.rules.ruleset import RuleSet


@dataclass(frozen=True, eq=False)
class SaidRules:
    """What the rules at places `rules` of a rule set say together, with the evidence of the weakest of them."""

    text: str
    kind: str
    origin: str
    evidence: Evidence | None
    rules: tuple[int, ...]
    pattern: Pattern | None = None

    def __str__(self) -> str:
        return self.text


def said_rules(rules: RuleSet) -> Iterator[SaidRules]:
    """Yield what the rules say; a pattern stands where its first rule stood."""
    first = {min(pattern.rules): pattern for pattern in _patterns(rules)}
    in_patterns = {i for pattern in first.values() for i in pattern.rules}
    for i in range(len(rules)):
        if i in first:
            pattern = first[i]
            kind, text = pattern_text(pattern, rules.variables)
            evidence = weakest(rules.evidence[k] for k in pattern.rules)
            places = tuple(sorted(pattern.rules))
            yield SaidRules(text + noise_text(evidence), kind, rules.origins[i], evidence, places, pattern)
        elif i not in in_patterns:
            rule = rules[i]
            yield SaidRules(rule.text, rule.kind, rule.origin, rule.evidence, (i,))


def with_siblings(rules: RuleSet, redundant: RuleSet) -> tuple[RuleSet, RuleSet]:
    """State those redundant rules that complete patterns, if that takes fewer sentences; return both parts anew."""
    if not len(redundant) or not rules.variables.layout.grids:
        return rules, redundant
    both, n = rules + redundant, len(rules)
    complete = [said.rules for said in both.said if said.pattern is not None and said.rules[0] < n]
    siblings = sorted({i for places in complete for i in places if i >= n})
    together = both[[*range(n), *siblings]]
    if not siblings or len(together.said) >= len(rules.said):
        return rules, redundant
    return together, both[[i for i in range(n, len(both)) if i not in set(siblings)]]


def _patterns(rules: RuleSet) -> list[Pattern]:
    """The patterns among the rules. Rules that some examples break are in none; doubtful ones only among themselves."""
    layout = rules.variables.layout if len(rules) >= LEAST_RULES else None
    if layout is None or not layout.grids:
        return []
    senses: list[RowSense] = ["==" if equal else "<=" for equal in rules.equality.tolist()]
    rows = list(zip(rules.matrix, senses, rules.rhs.tolist(), strict=True))
    classes = [
        None if e is not None and e.violations else (origin, e is not None and e.needed > 0)
        for origin, e in zip(rules.origins, rules.evidence, strict=True)
    ]
    return find_patterns(PatternAxes.of(layout, len(rules.variables)), rows, classes)
