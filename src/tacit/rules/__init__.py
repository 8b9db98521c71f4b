"""Rules: linear constraints with small integer coefficients, in words and as exact rows."""

from tacit.rules.language import parse_rule
from tacit.rules.rule import DEFINITION, GIVEN, MINED, Evidence, Rule
from tacit.rules.ruleset import Comparison, Row, RuleSet
from tacit.rules.sentence import Sentence
from tacit.rules.sentences import sentences

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
