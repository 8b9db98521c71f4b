"""Choices: the parameters of a ConstrainedClassifier that are its own, checked."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np

from unwritten.errors import DataError


@dataclass(frozen=True)
class Choices:
    """What to do besides fitting and mining: make cuts, fit a sigmoid per column, fit a temperature."""

    cuts: bool
    sigmoids: bool
    heat: bool

    @classmethod
    def of(cls, slack: object, calibration: object, temperature: object) -> Choices:
        """The choices that these parameters stand for."""
        if not (slack is None or (isinstance(slack, str) and slack == "auto") or (_number(slack) and slack == 0)):
            raise DataError(f"slack is {slack!r}: use None for rules only, or 'auto' for cuts as well")
        if not (calibration is None or (isinstance(calibration, str) and calibration in ("log-odds", "platt"))):
            raise DataError(f"calibration is {calibration!r}: use None, 'log-odds' or 'platt'")
        fitted = isinstance(temperature, str) and temperature == "fit"
        if not (temperature is None or fitted or (_number(temperature) and 0 < degree(temperature) < np.inf)):
            raise DataError(f"temperature is {temperature!r}: use None, a number above 0, or 'fit'")
        return cls(slack is not None and slack != 0, calibration == "platt", fitted)

    @property
    def cross_fit(self) -> bool:
        """Whether scores of examples are needed that their scorer has not seen."""
        return self.cuts or self.sigmoids or self.heat


def degree(temperature: object) -> float:
    """What weights are divided by where it is not to be fitted."""
    return float(temperature) if isinstance(temperature, Real) else 1.0


def least_margin(abstain: object) -> float:
    """The margin below which a sample is left open."""
    if abstain is None:
        return 0.0
    if not _number(abstain) or not 0 <= float(abstain) <= 1:  # type: ignore[arg-type]
        raise DataError(f"abstain is {abstain!r}: use None, or a share from 0 to 1")
    return float(abstain)  # type: ignore[arg-type]


def _number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
