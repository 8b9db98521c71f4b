"""Solving: from a program and weights to checked decisions."""

from unwritten.solving.beaten import beaten
from unwritten.solving.decision import NO_LABEL, Decision, Decisions, Status
from unwritten.solving.desk import Desk
from unwritten.solving.enumerate import list_labels
from unwritten.solving.gap_program import with_gaps
from unwritten.solving.program import Program
from unwritten.solving.seen_instead import seen_instead
from unwritten.solving.settings import DecideSettings
from unwritten.solving.solver_choices import (
    BackendName,
    EngineName,
    ProofEffort,
    ProofKind,
    backend_name,
    engine_name,
    proof_effort,
)

__all__ = [
    "NO_LABEL",
    "BackendName",
    "DecideSettings",
    "Decision",
    "Decisions",
    "Desk",
    "EngineName",
    "Program",
    "ProofEffort",
    "ProofKind",
    "Status",
    "backend_name",
    "beaten",
    "engine_name",
    "list_labels",
    "proof_effort",
    "seen_instead",
    "with_gaps",
]
