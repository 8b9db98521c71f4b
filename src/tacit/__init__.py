"""Tacit: mine the unwritten rules in a record of decisions, as integer linear constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.assembly import mine_stream
from tacit.data import Examples, Variables
from tacit.forecast import Forecast, forecast
from tacit.mine import mine
from tacit.mining import Matroid, interchangeable, relabelled
from tacit.model import Check, Model
from tacit.model.model import load
from tacit.rules import Evidence, Rule, RuleSet
from tacit.solving import Decision, Decisions, Status
from tacit.tables import Table

if TYPE_CHECKING:
    from tacit.estimators import ConstrainedClassifier, ConstraintMiner

__version__ = "0.1.0"

__all__ = [
    "Check",
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
    "mine_stream",
    "relabelled",
]


def __getattr__(name: str) -> Any:
    """Load the estimators, and scikit-learn with them, only when they are asked for."""
    if name in ("ConstrainedClassifier", "ConstraintMiner"):
        from tacit import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")
