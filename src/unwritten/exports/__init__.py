"""Exports: a model as the text of a file that another tool reads and runs. Nothing is executed here."""

from unwritten.exports.export import TARGETS, Target, export

__all__ = ["TARGETS", "Target", "export"]
