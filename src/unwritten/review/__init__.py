"""Review: check a table against a model, explain a row, compare two models."""

from unwritten.review.diff import Difference, diff
from unwritten.review.explain import Explanation, explain
from unwritten.review.findings import Finding, Findings

__all__ = ["Difference", "Explanation", "Finding", "Findings", "diff", "explain"]
