"""Solving: from a program and weights to checked decisions."""

from tacit.solving.decide import Desk, Settings
from tacit.solving.decision import NO_LABEL, Decision, Decisions, Status
from tacit.solving.program import Program

__all__ = ["NO_LABEL", "Decision", "Decisions", "Desk", "Program", "Settings", "Status"]
