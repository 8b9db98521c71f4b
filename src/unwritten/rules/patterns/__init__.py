"""Patterns: rules that are the same at every place of some axes, found and said once."""

from unwritten.rules.patterns.said_rules import SaidRules, said_rules, with_siblings

__all__ = ["SaidRules", "said_rules", "with_siblings"]
