"""FitMetadata: sample weights and other metadata of a fit, checked, and routed to the estimator and the splitter."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import _check_method_params, _num_samples, has_fit_parameter

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError


def _routing_enabled() -> bool:
    import sklearn

    return bool(sklearn.get_config().get("enable_metadata_routing", False))


@dataclass(frozen=True, eq=False)
class FitMetadata:
    """What the estimator's `fit` (or `partial_fit`) gets besides features and labels, and the weight of each sample."""

    sample_weight: FloatArray | None = None
    estimator: dict[str, Any] = field(default_factory=dict)
    splitter: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, owner: Any, method: str, features: Any, sample_weight: Any, given: dict[str, Any]) -> FitMetadata:
        """Check the sample weights, and say what goes to the estimator: by requests if routing is on, else all."""
        weight = checked_sample_weight(sample_weight, _num_samples(features))
        if _routing_enabled():
            routed = process_routing(owner, method, sample_weight=sample_weight, **given)
            estimator = dict(routed.estimator[method])
            if estimator.get("sample_weight") is not None:
                estimator["sample_weight"] = weight
            return cls(weight, estimator, dict(routed.splitter.split) if "splitter" in routed else {})
        if weight is None:
            return cls(None, given)
        if not has_fit_parameter(owner.estimator, "sample_weight"):
            name = type(owner.estimator).__name__
            raise DataError(
                f"{name}.fit takes no sample_weight: wrap a classifier that does in MultiOutputClassifier, or switch "
                "on sklearn.set_config(enable_metadata_routing=True) and use set_fit_request"
            )
        return cls(weight, {"sample_weight": weight, **given})

    def rows(self, features: Any, which: IntArray) -> FitMetadata:
        """The metadata of some samples."""
        return replace(
            self,
            sample_weight=None if self.sample_weight is None else self.sample_weight[which],
            estimator=_check_method_params(features, self.estimator, which),
            splitter=_check_method_params(features, self.splitter, which),
        )

    def average(self, values: Any) -> float:
        """The mean of a value per sample, weighted as the samples are."""
        return float(np.average(values, weights=self.sample_weight))


def checked_sample_weight(sample_weight: Any, n: int) -> FloatArray | None:
    """One finite weight of at least 0 per sample, not all 0; a single number counts for every sample."""
    if sample_weight is None:
        return None
    try:
        weight = np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("sample_weight is not all numbers: give one number of at least 0 per sample") from error
    weight = np.full(n, weight) if weight.ndim == 0 else weight
    if weight.ndim != 1:
        raise DataError(f"Sample weights must be 1D array or scalar, not of shape {weight.shape}: give one per sample")
    if len(weight) != n:
        raise DataError(f"sample_weight has {len(weight)} values but there are {n} samples: give one per sample")
    if not np.isfinite(weight).all():
        raise DataError("sample_weight holds NaN or infinity: give finite weights of at least 0")
    if (weight < 0).any():
        raise DataError("sample_weight holds negative values: give weights of at least 0")
    if n and not weight.any():
        raise DataError("every sample weight is zero: give some samples a weight above 0")
    return weight
