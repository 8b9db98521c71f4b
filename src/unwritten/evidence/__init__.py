"""Evidence: how likely a rule is an accident of the examples, and how often it may break."""

from unwritten.evidence.holdout import break_bound, critical

__all__ = ["break_bound", "critical"]
