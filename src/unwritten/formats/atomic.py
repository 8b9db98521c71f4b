"""Atomic writes: a new file is written beside the old one and replaces it only when it is complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from unwritten.errors import FormatError
from unwritten.temporary import temporary_path

AnyPath = str | os.PathLike[str]


@contextmanager
def replacing(path: AnyPath) -> Iterator[IO[bytes]]:
    """Open a new file that replaces `path` when the block ends; on any failure the old file stays as it was."""
    if not isinstance(path, str | os.PathLike):
        raise FormatError(f"{path!r} is not a path: give a file name")
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise FormatError(f"cannot write {path}: the folder {target.parent} does not exist, create it first")
        if target.is_dir():
            raise FormatError(f"cannot write {path}: it is a folder, add a file name")
        if target.exists() and not target.is_file():
            raise FormatError(f"cannot write {path}: it is not an ordinary file, choose another name")
        with temporary_path(target.with_name(f".{secrets.token_hex(8)}.rules.tmp")) as temporary:
            with open(temporary, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
    except FormatError:
        raise
    except (OSError, ValueError, TypeError) as error:  # the last two come from values that are no path at all
        raise FormatError(f"cannot write {path} ({reason(error)}): make room or choose another place") from error


def write_text(path: AnyPath, text: str) -> None:
    """Write a text file as UTF-8."""
    with replacing(path) as file:
        file.write(text.encode())


def reason(error: BaseException) -> str:
    """Return an error's message in one line of at most 200 characters, without the path that the system adds."""
    text = (error.strerror or "") if isinstance(error, OSError) else str(error)
    return " ".join(text.split())[:200] or type(error).__name__
