"""Rules: linear constraints with small integer coefficients, in words and as exact rows."""

from unwritten.rules.gaps import Gap, Gaps
from unwritten.rules.language.parse_rule import parse_rule
from unwritten.rules.language.sentence import Sentence
from unwritten.rules.language.sentences import sentences
from unwritten.rules.language.table_rules import TableRules
from unwritten.rules.rule import DEFINITION, GIVEN, HABIT, MINED, Evidence, Rule
from unwritten.rules.ruleset import Comparison, RuleSet
from unwritten.rules.triples import Row

__all__ = [
    "DEFINITION",
    "GIVEN",
    "HABIT",
    "MINED",
    "Comparison",
    "Evidence",
    "Gap",
    "Gaps",
    "Row",
    "Rule",
    "RuleSet",
    "Sentence",
    "TableRules",
    "parse_rule",
    "sentences",
]
