"""The model: what is mined, saved and asked."""

from unwritten.model.label_check import Check
from unwritten.model.model import Model, load

__all__ = ["Check", "Model", "load"]
