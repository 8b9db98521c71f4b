"""Review: check a table against a model, explain a row, compare two models."""

from tacit.review.diff import Difference, diff
from tacit.review.explain import Explanation, explain
from tacit.review.findings import Finding, Findings

__all__ = ["Difference", "Explanation", "Finding", "Findings", "diff", "explain"]
