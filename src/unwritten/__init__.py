"""Unwritten: mine the unwritten rules in a record of decisions, as integer linear constraints."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from unwritten.data import Examples, Variables
from unwritten.forecast import Forecast, forecast
from unwritten.mine import mine
from unwritten.mining import Matroid
from unwritten.model import Check, Model, load
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

LAZY_NAMES = {"ConstrainedClassifier": "sklearn", "ConstraintMiner": "sklearn"}
LAZY_PACKAGES = ("exports", "report", "review", "samples", "sklearn", "torch")


def __getattr__(name: str) -> Any:
    """Load packages that few callers need, and what they depend on, when they are first asked for."""
    if name in LAZY_NAMES:
        return getattr(import_module(f"unwritten.{LAZY_NAMES[name]}"), name)
    if name in LAZY_PACKAGES:
        return import_module(f"unwritten.{name}")
    raise AttributeError(f"module 'unwritten' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LAZY_NAMES, *LAZY_PACKAGES})
