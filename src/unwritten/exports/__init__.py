"""Exports: a model as the text of a file that another tool reads. Nothing is run here."""

from unwritten.exports.export_targets import TARGETS, ExportTarget, ExportWriter, export, export_target

__all__ = ["TARGETS", "ExportTarget", "ExportWriter", "export", "export_target"]
