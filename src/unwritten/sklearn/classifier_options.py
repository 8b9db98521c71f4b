"""ClassifierOptions: the parameters of a ConstrainedClassifier that no other part checks, checked here."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeGuard, get_args

import numpy as np

from unwritten.errors import DataError
from unwritten.sklearn.parameter_types import Calibration


@dataclass(frozen=True)
class ClassifierOptions:
    """What to fit besides the classifier and the rules: cuts, a sigmoid per column, a temperature."""

    make_cuts: bool
    fit_sigmoids: bool
    fit_temperature: bool

    @classmethod
    def of(cls, slack: object, calibration: object, temperature: object) -> ClassifierOptions:
        """Check the parameters of these names, and say what they ask for."""
        if not (slack is None or (isinstance(slack, str) and slack == "auto") or (_is_number(slack) and slack == 0)):
            raise DataError(f"slack is {slack!r}: use None for rules only, or 'auto' for cuts as well")
        if not (calibration is None or (isinstance(calibration, str) and calibration in get_args(Calibration))):
            raise DataError(f"calibration is {calibration!r}: use None, 'log-odds' or 'platt'")
        fit_temperature = isinstance(temperature, str) and temperature == "fit"
        positive = _is_number(temperature) and 0 < float(temperature) < np.inf
        if not (temperature is None or fit_temperature or positive):
            raise DataError(f"temperature is {temperature!r}: use None, a number above 0, or 'fit'")
        return cls(slack is not None and slack != 0, calibration == "platt", fit_temperature)

    @property
    def cross_fit(self) -> bool:
        """True if every example needs a score from a scorer that was not fitted on it."""
        return self.make_cuts or self.fit_sigmoids or self.fit_temperature


def checked_choice(value: object, choices: Any, name: str) -> None:
    """Refuse a parameter that is not one of the texts of a Literal type (or of a union of two)."""
    texts = [text for part in get_args(choices) for text in (get_args(part) or (part,))]
    if not (isinstance(value, str) and value in texts):
        raise DataError(f"{name} is {value!r}: use {', '.join(map(repr, texts[:-1]))} or {texts[-1]!r}")


def given_temperature(temperature: object) -> float:
    """The temperature that the parameter gives; 1 if it gives none, or asks to fit one."""
    return float(temperature) if isinstance(temperature, Real) else 1.0


def least_margin(abstain: object) -> float:
    """The margin below which a sample is not answered."""
    if abstain is None:
        return 0.0
    if not _is_number(abstain) or not 0 <= float(abstain) <= 1:
        raise DataError(f"abstain is {abstain!r}: use None, or a share from 0 to 1")
    return float(abstain)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)
