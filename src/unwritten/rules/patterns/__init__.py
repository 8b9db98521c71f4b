"""Patterns: rules that are the same at every place of some axes, found and said once."""

from unwritten.rules.patterns.said_rules import SaidRules, said_rules, with_siblings
from unwritten.rules.patterns.sibling_rows import SiblingRows, sibling_rows

__all__ = ["SaidRules", "SiblingRows", "said_rules", "sibling_rows", "with_siblings"]
