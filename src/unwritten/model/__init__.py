"""The model: the result of mining, which answers queries, checks labels, and is saved and compared."""

from unwritten.model.label_check import Check
from unwritten.model.model import Model, load

__all__ = ["Check", "Model", "load"]
