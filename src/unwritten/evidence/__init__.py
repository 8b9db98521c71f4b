"""Evidence: how likely a rule is an accident of the examples, and how often it may break."""

from unwritten.evidence.holdout import break_bound, critical
from unwritten.evidence.model_evidence import ModelEvidence
from unwritten.evidence.scorer import EvidenceScorer

__all__ = ["EvidenceScorer", "ModelEvidence", "break_bound", "critical"]
