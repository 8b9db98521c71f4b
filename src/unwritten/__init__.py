"""Unwritten: mine the unwritten rules in a record of decisions, as integer linear constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unwritten.data import Examples, Variables
from unwritten.forecast import Forecast, forecast
from unwritten.mine import mine
from unwritten.mining import Matroid
from unwritten.model import Check, Model
from unwritten.model.model import load
from unwritten.rules import Evidence, Rule, RuleSet
from unwritten.solving import Decision, Decisions, Status
from unwritten.sources import Checkpoint
from unwritten.tables import Table
from unwritten.tally import interchangeable, relabelled

if TYPE_CHECKING:
    from unwritten.sklearn import ConstrainedClassifier, ConstraintMiner

__version__ = "0.1.0"

__all__ = [
    "Check",
    "Checkpoint",
    "ConstrainedClassifier",
    "ConstraintMiner",
    "Decision",
    "Decisions",
    "Evidence",
    "Examples",
    "Forecast",
    "Matroid",
    "Model",
    "Rule",
    "RuleSet",
    "Status",
    "Table",
    "Variables",
    "__version__",
    "forecast",
    "interchangeable",
    "load",
    "mine",
    "relabelled",
]


def __getattr__(name: str) -> Any:
    """Load the estimators, and scikit-learn with them, only when they are asked for."""
    if name in ("ConstrainedClassifier", "ConstraintMiner"):
        from unwritten import sklearn

        return getattr(sklearn, name)
    raise AttributeError(f"module 'unwritten' has no attribute {name!r}")
