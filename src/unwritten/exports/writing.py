"""Writing: an export as a file, or as several files in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unwritten.errors import DataError
from unwritten.exports.export_targets import ExportTarget, export, export_files
from unwritten.formats import write_text, write_texts
from unwritten.formats.atomic import AnyPath

if TYPE_CHECKING:
    from unwritten.model import Model


def write_export(model: Model, to: ExportTarget, path: AnyPath, weights: object = None, *, force: bool = True) -> str:
    """Write an export to a file, or into a folder if it has several files; return its text.

    All files of a folder are written, or none. Unless `force`, none is overwritten.
    """
    text, parts = export(model, to, weights), export_files(model, to, weights)
    if parts is None:
        write_text(path, text)
        return text
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise DataError(f"{path} is a file, and {to} writes several: give a folder")
    old = [part for part in parts if (folder / part).exists()]
    if old and not force:
        raise DataError(f"{folder / old[0]} exists already: overwrite it with --force, or choose another folder")
    write_texts({folder / part: content for part, content in parts.items()})
    return text
