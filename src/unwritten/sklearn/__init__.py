"""Estimators for scikit-learn: one that mines and decides, one that makes any classifier obey what was mined."""

from unwritten.sklearn.classifier import ConstrainedClassifier
from unwritten.sklearn.miner import ConstraintMiner

__all__ = ["ConstrainedClassifier", "ConstraintMiner"]
