"""Solving: from a program and weights to checked decisions."""

from unwritten.solving.decide import Desk, Settings
from unwritten.solving.decision import NO_LABEL, Decision, Decisions, Status
from unwritten.solving.program import Program

__all__ = ["NO_LABEL", "Decision", "Decisions", "Desk", "Program", "Settings", "Status"]
