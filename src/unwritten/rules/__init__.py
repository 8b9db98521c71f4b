"""Rules: linear constraints with small integer coefficients, in words and as exact rows."""

from unwritten.rules.language import parse_rule
from unwritten.rules.rule import DEFINITION, GIVEN, MINED, Evidence, Rule
from unwritten.rules.ruleset import Comparison, Row, RuleSet
from unwritten.rules.sentence import Sentence
from unwritten.rules.sentences import sentences

__all__ = [
    "DEFINITION",
    "GIVEN",
    "MINED",
    "Comparison",
    "Evidence",
    "Row",
    "Rule",
    "RuleSet",
    "Sentence",
    "parse_rule",
    "sentences",
]
