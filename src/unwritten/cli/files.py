"""The files that commands read and write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.data import FloatArray
    from unwritten.model import Model
    from unwritten.tables import ReadOptions


def require_free(path: Path, force: bool, *inputs: object) -> None:
    """Refuse an output path that is an input, that exists (unless `force`) or whose directory is missing.

    Commands call this before they do any work. `inputs` are paths, or lists of paths and patterns, or None.
    """
    require_apart(path, *inputs)
    if path.is_dir():
        raise DataError(f"{path} is a folder: add a file name")
    if path.exists() and not force:
        raise DataError(f"{path} exists already: overwrite it with --force, or choose another name")
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: the directory {path.parent} is missing, create it first")


def require_apart(output: Path, *inputs: object) -> None:
    """Refuse to write over a file that is read, under whatever name, even with --force."""
    if not output.exists():
        return
    for path in _files_of(inputs):
        if path.exists() and path.samefile(output):
            raise DataError(f"{output} is an input of this command, and would be lost: choose another name")


def _files_of(sources: object) -> Iterator[Path]:
    """Yield the files that paths, patterns, connection strings and lists of them name; None names no file."""
    from unwritten.tables.joined_files import paths_of

    if isinstance(sources, str) and "://" in sources:
        yield Path(unquote(sources.partition("://")[2].partition("?")[0]).removeprefix("/"))
    elif parts := sources if isinstance(sources, list | tuple) else paths_of(sources):
        for part in parts:
            yield from _files_of(part)
    elif isinstance(sources, str | Path):
        yield Path(sources)


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
