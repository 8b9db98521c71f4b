"""Review: check a table against a model, explain one row, compare two models."""

from unwritten.review.difference import Difference, diff
from unwritten.review.explanation import Explanation, explain
from unwritten.review.findings import Finding, Findings
from unwritten.review.repair import Change, Repair
from unwritten.review.table_check import TableCheck, check_table
from unwritten.review.table_repair import TableRepair, repair_table

__all__ = [
    "Change",
    "Difference",
    "Explanation",
    "Finding",
    "Findings",
    "Repair",
    "TableCheck",
    "TableRepair",
    "check_table",
    "diff",
    "explain",
    "repair_table",
]
