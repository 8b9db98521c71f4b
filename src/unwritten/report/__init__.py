"""Report: a model as one HTML page that needs nothing else."""

from unwritten.report.html_page import report

__all__ = ["report"]
