"""Rules: linear constraints with small integer coefficients, in words and as exact rows."""

from tacit.rules.rule import DEFINITION, GIVEN, MINED, Evidence, Rule
from tacit.rules.ruleset import Comparison, RuleSet

__all__ = ["DEFINITION", "GIVEN", "MINED", "Comparison", "Evidence", "Rule", "RuleSet"]
