"""Estimators for scikit-learn: one mines rules and decides by them, one makes any classifier obey the mined rules."""

from unwritten.sklearn.constrained_classifier import ConstrainedClassifier
from unwritten.sklearn.constraint_miner import ConstraintMiner

__all__ = ["ConstrainedClassifier", "ConstraintMiner"]
