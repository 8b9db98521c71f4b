"""Values: rules that count how many integers have a value, such as "at most three of the exams are in slot 2"."""

from unwritten.mining.value_lift import Values
from unwritten.mining.value_rules import ValueRules

__all__ = ["ValueRules", "Values"]
