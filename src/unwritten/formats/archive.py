"""The container of `.rules` files: a zip archive of one JSON header and named arrays, without pickle.

Nothing that a file claims is trusted: every size is checked before anything is read, and reading any bytes ends either
in the content that was written or in a `FormatError`.
"""

from __future__ import annotations

import json
import os
import re
import struct
import zipfile
import zlib
from itertools import pairwise
from math import prod
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from unwritten.errors import FormatError
from unwritten.formats.atomic import reason, replacing

Array = NDArray[Any]

FORMAT = "unwritten"
VERSION = 1
HEADER = "header.json"
DTYPES = {"|b1": np.dtype(np.bool_), "<i8": np.dtype("<i8"), "<f8": np.dtype("<f8")}

MOST_MEMBERS = 64
LARGEST_HEADER = 64 * 2**20
LARGEST_DIRECTORY = 64 * 2**10
LARGEST_RATIO = 1032  # DEFLATE cannot compress further, so a file that claims more is damaged
LOCAL_HEADER_BYTES = 30  # the least number of bytes before the data of a member
MEMBER_CHUNK_BYTES = 2**20

NAME = re.compile(r"[a-z_]{1,64}", re.ASCII)
NPY_MAGIC = b"\x93NUMPY\x01\x00"
NPY_HEADER = re.compile(
    rb"\{'descr': '([|<][bif][18])', 'fortran_order': False, 'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n"
)

# The errors that zipfile, zlib, json and numpy are known to raise on hostile bytes.
DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, ArithmeticError)


def write_archive(path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write a header and arrays to a file, atomically: if writing fails, the old file stays as it was.

    Equal content gives equal bytes.

    Parameters
    ----------
    path
        The file to create or replace.
    header
        Anything that JSON can hold, without NaN.
    arrays
        Arrays of bool, int64 or float64, under lower-case names.
    """
    plain = {name: _storable(name, arrays[name]) for name in sorted(arrays)}
    text = _encoded(header, list(plain))
    if len(plain) >= MOST_MEMBERS:
        raise FormatError(f"there are {len(plain)} arrays, more than {MOST_MEMBERS - 1}: join some of them")
    with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
        with archive.open(_entry(HEADER, len(text)), "w") as member:
            member.write(text)
        for name, array in plain.items():
            with archive.open(_entry(f"{name}.npy", array.nbytes), "w") as member:
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)


def read_archive(
    path: str | os.PathLike[str], *, max_bytes: int = 4 * 2**30
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the header and the arrays of a file that `write_archive` wrote; raise `FormatError` for any other.

    Parameters
    ----------
    path
        The file to read.
    max_bytes
        Refuse files whose unpacked content is larger than this.
    """
    try:
        if not os.path.isfile(path):
            kind = "is not an ordinary file" if os.path.exists(path) else "does not exist"
            raise FormatError(f"cannot read {path}: it {kind}, check the path")
        with open(path, "rb") as file:
            _check_end(path, file)
            with zipfile.ZipFile(file) as archive:
                members = _members(path, archive, os.fstat(file.fileno()).st_size, max_bytes)
                header, names = _header(path, archive, members.pop(HEADER, None))
                if sorted(members) != [f"{name}.npy" for name in names]:
                    _damaged(path, "its arrays are not those that its header lists")
                return header, {name: _array(path, archive, members[f"{name}.npy"]) for name in names}
    except FormatError:
        raise
    except TypeError as error:
        raise FormatError(f"{path!r} is not a path: give a file name") from error
    except PermissionError as error:
        raise FormatError(f"cannot read {path}: permission denied, ask its owner for access") from error
    except MemoryError as error:
        raise FormatError(
            f"cannot read {path}: there is not enough memory for it, free some or use a larger machine"
        ) from error
    except DAMAGE as error:
        raise FormatError(f"{path} is damaged ({reason(error)}): save the model again") from error


def is_archive(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins as `write_archive` begins one; workbooks are zip archives too."""
    try:
        with open(path, "rb") as file:
            start = file.read(LOCAL_HEADER_BYTES + len(HEADER))
    except (OSError, ValueError):
        return False
    return start.startswith(b"PK") and start.endswith(HEADER.encode())


def _encoded(header: dict[str, Any], names: list[str]) -> bytes:
    """Return the bytes of the header member, which also lists the names of the arrays."""
    try:
        document = {"format": FORMAT, "version": VERSION, "arrays": names, "content": header}
        text = json.dumps(document, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"the header cannot be written as JSON ({reason(error)}): use plain values only") from error
    if len(text) > LARGEST_HEADER:
        raise FormatError(
            f"the header has {len(text):,} bytes, more than {LARGEST_HEADER:,}: move its data into arrays"
        )
    return text


def _storable(name: str, array: Array) -> Array:
    """Return the array in the byte order and memory layout of the file."""
    if not NAME.fullmatch(name):
        raise FormatError(f"the array name {name!r} cannot be stored: use lower-case letters and underscores")
    descr = array.dtype.newbyteorder("<").str
    if descr not in DTYPES:
        raise FormatError(f"array {name!r} holds {array.dtype}: convert it to bool, int64 or float64")
    return np.asarray(array, dtype=DTYPES[descr], order="C")


def _entry(name: str, size: int) -> zipfile.ZipInfo:
    """Return a zip entry without time, user or platform, so that equal content gives equal bytes."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.file_size = size  # lets zipfile choose 64-bit fields where the size needs them
    return entry


def _check_end(path: object, file: IO[bytes]) -> None:
    """Check the end of the file, which holds the length of the zip directory: a long one could fill the memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 42))
    tail = file.read()
    locator, end = tail[:-22], tail[-22:]
    if len(end) < 22 or end[:4] != b"PK\x05\x06" or end[20:] != b"\x00\x00":
        raise FormatError(
            f"{path} is not a complete .rules file: check the path, or save the model again (a table is mined first)"
        )
    has_second_directory = locator[:4] == b"PK\x06\x07" and size < 2**31  # 64-bit, which small files do not need
    if has_second_directory or int.from_bytes(end[12:16], "little") > LARGEST_DIRECTORY:
        _damaged(path, "its directory is too long")


def _members(path: object, archive: zipfile.ZipFile, size: int, max_bytes: int) -> dict[str, zipfile.ZipInfo]:
    """Return the members by name, after checking all that the zip directory claims about them."""
    entries = archive.infolist()
    members = {entry.filename: entry for entry in entries}
    if len(entries) > MOST_MEMBERS or len(members) < len(entries):
        _damaged(path, "it has too many members, or two with the same name")
    for entry in entries:
        if entry.flag_bits & 0x1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _damaged(path, "a member is encrypted or compressed by another method than DEFLATE")
        if entry.file_size > LARGEST_RATIO * entry.compress_size:
            _damaged(path, "a member claims an impossible size")
    if sum(entry.compress_size for entry in entries) > size:
        _damaged(path, "its members are larger than the file")
    spans = sorted(
        (entry.header_offset, entry.header_offset + LOCAL_HEADER_BYTES + entry.compress_size) for entry in entries
    )
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        _damaged(path, "its members overlap")
    total = sum(entry.file_size for entry in entries)
    if total > max_bytes:
        raise FormatError(f"{path} unpacks to {total:,} bytes, more than {max_bytes:,}: raise max_bytes to read it")
    return members


def _header(path: object, archive: zipfile.ZipFile, entry: zipfile.ZipInfo | None) -> tuple[dict[str, Any], list[str]]:
    """Return the content of the header, and the names of the arrays that the file must have."""
    if entry is None:
        raise FormatError(f"{path} is a zip archive but not a .rules file: check the path")
    if entry.file_size > LARGEST_HEADER:
        _damaged(path, f"its header claims {entry.file_size:,} bytes")
    with archive.open(entry) as member:
        text = _exactly(path, member, entry.file_size)
    document = json.loads(text.decode("utf-8"), parse_constant=lambda name: _damaged(path, f"{name} in its header"))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"{path} is a zip archive but not a .rules file: check the path")
    version, names, content = (document.get(key) for key in ("version", "arrays", "content"))
    if type(version) is int and version > VERSION:
        raise FormatError(
            f"{path} has format version {version}, and this version of unwritten reads up to {VERSION}: "
            "upgrade with pip install --upgrade unwritten"
        )
    if version != VERSION or type(version) is not int or not isinstance(content, dict):
        _damaged(path, "its header lacks the version or the content")
    if not isinstance(names, list) or not all(isinstance(name, str) and NAME.fullmatch(name) for name in names):
        _damaged(path, "its header does not list the arrays, or lists impossible names")
    return content, names


def _array(path: object, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Array:
    """Return one array; memory is allocated only after its shape accounts for every byte of the member."""
    with archive.open(entry) as member:
        start = _exactly(path, member, min(10, entry.file_size))
        length = int.from_bytes(start[8:], "little")
        if start[:8] != NPY_MAGIC or 10 + length > entry.file_size:
            _damaged(path, f"{entry.filename} is not an array")
        match = NPY_HEADER.fullmatch(_exactly(path, member, length))
        dtype = DTYPES.get(match[1].decode()) if match else None
        if match is None or dtype is None:
            _damaged(path, f"{entry.filename} is not a plain array of bool, int64 or float64")
        shape = tuple(int(number) for number in match[2].split(b",") if number.strip())
        size = prod(shape) * dtype.itemsize
        if size != entry.file_size - 10 - length:
            _damaged(path, f"{entry.filename} has a shape that does not fit its size")
        array = np.frombuffer(_exactly(path, member, size), dtype).reshape(shape)
    if dtype == np.bool_ and (array.view(np.uint8) > 1).any():
        _damaged(path, f"{entry.filename} holds bytes that are neither true nor false")
    return array


def _exactly(path: object, member: IO[bytes], size: int) -> bytearray:
    """Return the next `size` bytes, read in pieces, so that a wrong size costs no more memory than the file fills."""
    data = bytearray()
    while len(data) < size:
        piece = member.read(min(MEMBER_CHUNK_BYTES, size - len(data)))
        if not piece:
            _damaged(path, "a member ends early")
        data += piece
    return data


def _damaged(path: object, what: str) -> NoReturn:
    raise FormatError(f"{path} is damaged ({what}): save the model again")
