"""Atomic writes: a file is written beside its place and swapped in, whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from unwritten.errors import FormatError

AnyPath = str | os.PathLike[str]


@contextmanager
def replacing(path: AnyPath) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` on leaving; on any failure the old file stays as it was."""
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise FormatError(f"cannot write {path}: the directory {target.parent} is missing, create it first")
        if target.is_dir():
            raise FormatError(f"cannot write {path}: it is a directory, add a file name")
        if target.exists() and not target.is_file():
            raise FormatError(f"cannot write {path}: it is not an ordinary file, choose another name")
        beside = target.with_name(f".{secrets.token_hex(8)}.rules.tmp")
        try:
            with open(beside, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, target)
        finally:  # also on Ctrl-C; after the swap there is nothing left to remove
            beside.unlink(missing_ok=True)
    except FormatError:
        raise
    except (OSError, ValueError, TypeError) as error:  # the latter two: what no system accepts as a path
        raise FormatError(f"cannot write {path} ({reason(error)}): make room or choose another place") from error


def write_text(path: AnyPath, text: str) -> None:
    """Write a text file as UTF-8."""
    with replacing(path) as file:
        file.write(text.encode())


def reason(error: BaseException) -> str:
    """One line of why, without the machine's path."""
    text = (error.strerror or "") if isinstance(error, OSError) else str(error)
    return " ".join(text.split())[:200] or type(error).__name__
