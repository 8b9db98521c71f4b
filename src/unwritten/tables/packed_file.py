"""Packed files: gzip, bzip2, xz and zstandard, told by their first bytes or by their ending."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from unwritten.errors import DataError
from unwritten.tables.quoting import first_line, shown

PACKERS = {
    ".gz": b"\x1f\x8b",
    ".bz2": b"BZh",
    ".xz": b"\xfd7zXZ\0",
    ".zst": b"\x28\xb5\x2f\xfd",
}
DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open the unpacked bytes, and the packed file, whose position tells the progress."""
    packing = packing_of(path)
    with open(path, "rb") as packed:
        if packing is None:
            yield packed, packed
            return
        with _opened(packing, packed) as file:
            yield file, packed


def is_packed(path: Path) -> bool:
    """Return whether the file is packed, or has the ending of a packed file."""
    return packing_of(path) is not None


def packing_of(path: Path) -> str | None:
    """Return the ending of the packer that the name or the first bytes of a file tell, or None."""
    ending = path.suffix.lower()
    if ending in PACKERS or not path.is_file():  # a pipe can be read only once
        return ending if ending in PACKERS else None
    with open(path, "rb") as file:
        start = file.read(8)
    return next((ending for ending, mark in PACKERS.items() if start.startswith(mark)), None)


def _opened(packing: str, packed: IO[bytes]) -> Any:
    if packing == ".gz":
        return gzip.open(packed)
    if packing == ".bz2":
        return bz2.open(packed)
    if packing == ".xz":
        return lzma.open(packed)
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd")


def unreadable(title: str, error: BaseException) -> DataError:
    """Return the error for a file that the system or the unpacker cannot read."""
    text = shown(error.strerror)[:160] if isinstance(error, OSError) and error.strerror else first_line(error)
    return DataError(f"{title} cannot be read ({text}): check the file, or unpack it first")
