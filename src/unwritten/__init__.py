"""Unwritten: mine the unwritten rules in a record of decisions, as integer linear constraints."""

from __future__ import annotations

from unwritten.lazy_names import TYPE_CHECKING, load_lazily

if TYPE_CHECKING:
    from unwritten.data import Examples, Variables
    from unwritten.forecast import Forecast, forecast
    from unwritten.mine import mine
    from unwritten.mining import Matroid
    from unwritten.model import Check, Model, load
    from unwritten.options import Settings
    from unwritten.rules import Evidence, Rule, RuleSet
    from unwritten.sklearn import ConstrainedClassifier, ConstraintMiner
    from unwritten.solving import Decision, Decisions, Status
    from unwritten.sources import Checkpoint
    from unwritten.tables import Table
    from unwritten.tally import interchangeable, relabelled

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
    "Settings",
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

MODULES = {
    "data": ("Examples", "Variables"),
    "forecast": ("Forecast", "forecast"),
    "mine": ("mine",),
    "mining": ("Matroid",),
    "model": ("Check", "Model", "load"),
    "options": ("Settings",),
    "rules": ("Evidence", "Rule", "RuleSet"),
    "sklearn": ("ConstrainedClassifier", "ConstraintMiner"),
    "solving": ("Decision", "Decisions", "Status"),
    "sources": ("Checkpoint",),
    "tables": ("Table",),
    "tally": ("interchangeable", "relabelled"),
}

load_lazily("unwritten", {name: f"unwritten.{module}" for module, names in MODULES.items() for name in names})
