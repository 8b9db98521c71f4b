"""Limits: the few inequalities behind optimal decisions."""

from unwritten.options import Rules

RULES: Rules = ["limits"]
"""What the experiments of this folder mine by default."""
