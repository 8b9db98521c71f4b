"""ModelEstimator: what both estimators share: a mined model, its solver settings, and labels of several columns."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils import TargetTags

from unwritten.model import Model
from unwritten.rules import RuleSet

SOLVER_SETTINGS = ("engine", "backend", "mip_gap", "time_limit", "n_jobs")


class ModelEstimator(BaseEstimator):
    """An estimator that mines `model_` when it is fitted and asks it for decisions."""

    model_: Model
    rules_: RuleSet

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags = TargetTags(required=True, two_d_labels=True, multi_output=True, single_output=False)
        return tags

    def _parameters(self, *names: str) -> dict[str, Any]:
        """The values of the named constructor parameters."""
        return {name: getattr(self, name) for name in names}

    def _solver_settings(self) -> dict[str, Any]:
        """The settings for `Model.decide` that this estimator has."""
        return self._parameters(*(name for name in SOLVER_SETTINGS if hasattr(self, name)))
