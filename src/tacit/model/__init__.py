"""The model: what is mined, saved and asked."""

from tacit.model.check import Check
from tacit.model.model import Model

__all__ = ["Check", "Model"]
