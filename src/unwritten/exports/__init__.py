"""Exports: a model as the text of a file that another tool reads. Nothing is run here."""

from unwritten.exports.export_targets import TARGETS, ExportTarget, ExportWriter, export, export_files, export_target
from unwritten.exports.writing import write_export

__all__ = ["TARGETS", "ExportTarget", "ExportWriter", "export", "export_files", "export_target", "write_export"]
