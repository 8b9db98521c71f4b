"""The values that parameters of the estimators may have."""

from __future__ import annotations

from typing import Literal

NoiseShare = float | Literal["auto"]

ScoringMethod = Literal["predict_proba", "decision_function"]
ResponseMethod = Literal["auto"] | ScoringMethod
Calibration = Literal["log-odds", "platt"]
Temperature = float | Literal["fit"]
CutSlack = Literal["auto", 0]
DecodeKind = Literal["rules", "seen", "threshold", "probabilities", "seen-average", "blend"]
Decode = Literal["auto"] | DecodeKind
Scoring = Literal["exact-match", "f1", "hamming", "log-loss"]
ProbabilityKind = Literal["matched", "joint", "estimator"]
Probabilities = Literal["auto"] | ProbabilityKind
