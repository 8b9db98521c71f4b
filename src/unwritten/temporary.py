"""Temporary files: no way of ending a command leaves one behind, and none takes all of the disk."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from unwritten import budgets
from unwritten.errors import DataError

OWN_FILES = Path("/proc/self/fd")  # Linux lists here what the process has open, with or without a name

_paths: set[Path] = set()
_listener: int | None = None  # the descriptor of a pipe


@contextmanager
def temporary_path(path: Path) -> Iterator[Path]:
    """Remove the file at `path` when the block ends, whatever ends it; a file that was moved away stays."""
    _add(path)  # before there is a file: what interrupts the block may come at any moment
    try:
        yield path
    finally:
        _remove(path)


def tell(listener: int) -> None:
    """From now on, write to a pipe which files come and go: to a process that removes them if this one is killed."""
    global _listener  # noqa: PLW0603 there is one process, and one that supervises it
    _listener = listener


def _add(path: Path) -> None:
    _paths.add(path)
    _tell(b"+", path)


def removed(path: Path) -> bool:
    """Remove a file, if there is one, and return whether it has gone; what fails once may be a virus scanner."""
    for _ in range(2):
        with suppress(OSError):
            path.unlink(missing_ok=True)
            return True
    return False


def _remove(path: Path) -> None:
    removed(path)
    _paths.discard(path)
    _tell(b"-", path)


def _tell(change: bytes, path: Path) -> None:
    if _listener is not None:
        with suppress(OSError):  # it has gone
            os.write(_listener, change + os.fsencode(path.absolute()) + b"\0")


class Spool:
    """A file that is written once, and then read by its `path` as long as the spool is referred to.

    On Linux it has no name in any folder, so that not even a killed process leaves it behind. Elsewhere it is removed
    with the spool. It takes at most budgets.SPOOL_BYTES, and at most half of the free disk; `what` it holds and the
    `cure` are said if that is too little.
    """

    closed = False  # Arrow asks before it writes

    def __init__(self, what: str, cure: str) -> None:
        self._what, self._cure, self._written = what, cure, 0
        try:
            self._limit = min(budgets.SPOOL_BYTES, shutil.disk_usage(tempfile.gettempdir()).free // 2)
            self._file: IO[bytes]
            if OWN_FILES.is_dir():
                self._file = tempfile.TemporaryFile()  # noqa: SIM115
                self.path = OWN_FILES / str(self._file.fileno())
            else:
                self.path = Path(tempfile.gettempdir()) / f"unwritten-{os.urandom(8).hex()}"
                _add(self.path)
                weakref.finalize(self, _remove, self.path)
                self._file = open(self.path, "xb", opener=_private)  # noqa: SIM115
        except OSError as error:
            raise self._failed(error) from error

    def write(self, data: bytes) -> int:
        """Append to the file."""
        self._written += len(data)
        if self._written > self._limit:
            raise DataError(
                f"{self._what} needs a temporary file of more than {self._limit / 2**20:,.0f} MiB: {self._cure}, or "
                "free some disk and raise unwritten.budgets.SPOOL_BYTES"
            )
        try:
            return self._file.write(data)
        except OSError as error:
            raise self._failed(error) from error

    def flush(self) -> None:
        """Make all that was written readable at `path`."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> DataError:
        return DataError(f"{self._what} cannot be kept in a temporary file ({error.strerror}): {self._cure}")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
