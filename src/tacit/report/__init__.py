"""Report: a model as one HTML page that needs nothing else."""

from tacit.report.page import report

__all__ = ["report"]
