"""The files that commands read and write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.data import FloatArray
    from unwritten.model import Model
    from unwritten.tables import ReadOptions


def require_free(path: Path, force: bool) -> None:
    """Refuse an output path that exists (unless `force`) or whose directory is missing, before any work is done."""
    if path.is_dir():
        raise DataError(f"{path} is a folder: add a file name")
    if path.exists() and not force:
        raise DataError(f"{path} exists already: overwrite it with --force, or choose another name")
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: the directory {path.parent} is missing, create it first")


def load_model(path: Path, habits: bool = False) -> Model:
    """Read the model in a file; with `habits`, its habits are rules."""
    import unwritten

    model = unwritten.load(path)
    return model.with_habits() if habits else model


def source_of(texts: str | list[str]) -> object:
    """Return what the texts name: one or several files, a database, or standard input for `-`."""
    from unwritten.tables import standard_input

    named = [texts] if isinstance(texts, str) else texts
    if "-" in named and len(named) > 1:
        raise DataError("standard input cannot be read together with files: give files only, or - alone")
    return standard_input() if named == ["-"] else named[0] if len(named) == 1 else named


def read_weights(table: str, names: Sequence[str], reading: ReadOptions | None = None) -> FloatArray:
    """Read a table of weights, one column per variable in `names`; variables without a column weigh 0."""
    from unwritten.tables import open_table
    from unwritten.tables.weights import weights_by_name

    return weights_by_name(open_table(source_of(table), **(reading or {})), names)
