"""Fact sentences: facts in words, beside the sentences of linear rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.followers import without_followers
from unwritten.facts.kinds import FACTS
from unwritten.facts.linear_fact import LinearFact
from unwritten.rules import RuleSet, Sentence
from unwritten.rules.language.sentences import with_short_ids
from unwritten.rules.rule import GIVEN
from unwritten.rules.words import noise_text
from unwritten.tables import Schema
from unwritten.tables.roles import TIMES

LAST_KINDS = ("range", "never-missing", "seen-together")  # they say little, and stand behind all rules
SUMS = ("sum", "equal", "linear")
ABOUT_TWO = ("requires", "excludes", "exactly-when", "go-together")


def fact_sentences(facts: Sequence[Fact], schema: Schema) -> list[Sentence]:
    """One sentence per fact, in the order of their kinds; its id is still the full digest."""
    order = list(FACTS)
    said = [
        Sentence(
            fact.digest,
            fact.words(schema) + noise_text(fact.evidence),
            fact.kind,
            fact.columns,
            (),
            fact.origin,
            0 if fact.evidence is None else fact.evidence.examples,
            fact.evidence,
            facts=(k,),
        )
        for k, fact in enumerate(facts)
    ]
    return sorted(said, key=lambda s: (s.origin != GIVEN, order.index(s.kind), s.facts))


def with_facts(
    sentences: Sequence[Sentence], rules: RuleSet, facts: Sequence[Fact], schema: Schema
) -> tuple[Sentence, ...]:
    """The sentences of rules and facts together: what was given, what facts say, rules, and at last what says little.

    A sum that a rule states, too, is one sentence. Rules about the two columns of a dependency follow from it, rules
    about columns that one time determines follow from the calendar, and what else follows from facts is not said again.
    """
    if not facts:
        return tuple(sentences)
    said = fact_sentences(facts, schema)
    joined, rest = [], list(said)
    for sentence in sentences:
        same = [s for s in rest if isinstance(facts[s.facts[0]], LinearFact) and _same_sum(s, sentence)]
        rest = [s for s in rest if s not in same]
        joined.append(replace(sentence, facts=tuple(k for s in same for k in s.facts)) if same else sentence)
    pairs = [frozenset(fact.columns) for fact in facts if isinstance(fact, Dependency) and len(fact.left) == 1]
    joined = [s for s in joined if s.origin == GIVEN or s.kind not in ABOUT_TWO or frozenset(s.columns) not in pairs]
    joined = [s for s in joined if s.origin == GIVEN or not _of_one_time(s.columns, facts, schema)]
    joined = without_followers(joined, rules, facts, schema)
    given = [s for s in (*joined, *rest) if s.origin == GIVEN]
    first = [s for s in rest if s.origin != GIVEN and s.kind not in LAST_KINDS]
    last = [s for s in rest if s.origin != GIVEN and s.kind in LAST_KINDS]
    return tuple(with_short_ids([*given, *first, *(s for s in joined if s.origin != GIVEN), *last]))


def _of_one_time(names: Sequence[str], facts: Sequence[Fact], schema: Schema) -> bool:
    determined: dict[str, set[str]] = {}
    for fact in facts:
        if isinstance(fact, Dependency) and len(fact.left) == 1 and schema[fact.left[0]].role in TIMES:
            determined.setdefault(fact.left[0], {fact.left[0]}).add(fact.right)
    return len(names) > 1 and any(set(names) <= parts for parts in determined.values())


def _same_sum(fact: Sentence, rule: Sentence) -> bool:
    return rule.kind in SUMS and set(fact.columns) == set(rule.columns)
