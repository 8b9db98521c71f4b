"""A safe container for `.rules` files: one JSON header and named arrays in a zip, never pickle.

A file is trusted in nothing: every size is checked before it is read, and whatever the bytes are,
reading ends in the content or in a `FormatError`.
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
LARGEST_RATIO = 1032  # DEFLATE cannot shrink anything further, so a larger claim is a lie
LOCAL = 30  # bytes before a member, at least
CHUNK = 2**20

NAME = re.compile(r"[a-z_]{1,64}", re.ASCII)
NPY_MAGIC = b"\x93NUMPY\x01\x00"
NPY_HEADER = re.compile(
    rb"\{'descr': '([|<][bif][18])', 'fortran_order': False, 'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n"
)

# What zipfile, zlib, json and numpy are known to raise on hostile bytes.
DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, ArithmeticError)


def write_archive(path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write header and arrays; equal content gives equal bytes, and a failure leaves the old file as it was.

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
        raise FormatError(f"there are {len(plain)} arrays: an archive holds up to {MOST_MEMBERS - 1}, join some")
    with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
        with archive.open(_entry(HEADER, len(text)), "w") as member:
            member.write(text)
        for name, array in plain.items():
            with archive.open(_entry(f"{name}.npy", array.nbytes), "w") as member:
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)


def read_archive(
    path: str | os.PathLike[str], *, max_bytes: int = 4 * 2**30
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Header and arrays of a file that `write_archive` wrote; `FormatError` for anything else.

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
        raise FormatError(f"cannot read {path}: it needs more memory than there is, use a larger machine") from error
    except DAMAGE as error:
        raise FormatError(f"{path} is damaged ({reason(error)}): save the model again") from error


def _encoded(header: dict[str, Any], names: list[str]) -> bytes:
    try:
        document = {"format": FORMAT, "version": VERSION, "arrays": names, "content": header}
        text = json.dumps(document, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"the header cannot be written as JSON ({reason(error)}): use plain values") from error
    if len(text) > LARGEST_HEADER:
        raise FormatError(f"the header has {len(text):,} bytes, above {LARGEST_HEADER:,}: move its data into arrays")
    return text


def _storable(name: str, array: Array) -> Array:
    if not NAME.fullmatch(name):
        raise FormatError(f"the array name {name!r} cannot be stored: use lower-case letters and underscores")
    descr = array.dtype.newbyteorder("<").str
    if descr not in DTYPES:
        raise FormatError(f"array {name!r} holds {array.dtype}: convert it to bool, int64 or float64")
    return np.asarray(array, dtype=DTYPES[descr], order="C")


def _entry(name: str, size: int) -> zipfile.ZipInfo:
    """A member without clock, user or platform in it, compressed at zlib's own level."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.file_size = size  # lets zipfile choose 64-bit fields where the size needs them
    return entry


def _check_end(path: object, file: IO[bytes]) -> None:
    """Refuse what is no zip of ours, and directories so long that listing them alone would fill the memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 42))
    tail = file.read()
    locator, end = tail[:-22], tail[-22:]
    if len(end) < 22 or end[:4] != b"PK\x05\x06" or end[20:] != b"\x00\x00":
        raise FormatError(f"{path} is not a whole unwritten file: check the path, or save the model again")
    wide = locator[:4] == b"PK\x06\x07" and size < 2**31  # a second, 64-bit directory that no file of ours has
    if wide or int.from_bytes(end[12:16], "little") > LARGEST_DIRECTORY:
        _damaged(path, "its directory is too long")


def _members(path: object, archive: zipfile.ZipFile, size: int, max_bytes: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name, after checking all that the directory claims."""
    entries = archive.infolist()
    members = {entry.filename: entry for entry in entries}
    if len(entries) > MOST_MEMBERS or len(members) < len(entries):
        _damaged(path, "it has too many members, or two of one name")
    for entry in entries:
        if entry.flag_bits & 0x1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _damaged(path, "a member is encrypted or packed in a foreign way")
        if entry.file_size > LARGEST_RATIO * entry.compress_size:
            _damaged(path, "a member claims an impossible size")
    if sum(entry.compress_size for entry in entries) > size:
        _damaged(path, "its members are larger than the file")
    places = sorted((entry.header_offset, entry.header_offset + LOCAL + entry.compress_size) for entry in entries)
    if any(end > start for (_, end), (start, _) in pairwise(places)):
        _damaged(path, "its members overlap")
    total = sum(entry.file_size for entry in entries)
    if total > max_bytes:
        raise FormatError(f"{path} unpacks to {total:,} bytes, above the limit of {max_bytes:,}: raise max_bytes")
    return members


def _header(path: object, archive: zipfile.ZipFile, entry: zipfile.ZipInfo | None) -> tuple[dict[str, Any], list[str]]:
    """The content of the header, and the names of the arrays that must be there."""
    if entry is None:
        raise FormatError(f"{path} is a zip but not an unwritten file: check the path")
    if entry.file_size > LARGEST_HEADER:
        _damaged(path, f"its header claims {entry.file_size:,} bytes")
    with archive.open(entry) as member:
        text = _exactly(path, member, entry.file_size)
    document = json.loads(text.decode("utf-8"), parse_constant=lambda name: _damaged(path, f"{name} in its header"))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"{path} is a zip but not an unwritten file: check the path")
    version, names, content = (document.get(key) for key in ("version", "arrays", "content"))
    if type(version) is int and version > VERSION:
        raise FormatError(
            f"{path} has format version {version} and this unwritten reads up to {VERSION}: "
            "upgrade with pip install --upgrade unwritten"
        )
    if version != VERSION or type(version) is not int or not isinstance(content, dict):
        _damaged(path, "its header lacks the version or the content")
    if not isinstance(names, list) or not all(isinstance(name, str) and NAME.fullmatch(name) for name in names):
        _damaged(path, "its header lists no arrays, or names that arrays cannot have")
    return content, names


def _array(path: object, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Array:
    """One array, allocated only after its shape accounts for every byte of the member."""
    with archive.open(entry) as member:
        start = _exactly(path, member, min(10, entry.file_size))
        length = int.from_bytes(start[8:], "little")
        if start[:8] != NPY_MAGIC or 10 + length > entry.file_size:
            _damaged(path, f"{entry.filename} is no array")
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
    """The next `size` bytes, gathered in pieces so that a lying size costs no more than the file holds."""
    data = bytearray()
    while len(data) < size:
        piece = member.read(min(CHUNK, size - len(data)))
        if not piece:
            _damaged(path, "a member ends early")
        data += piece
    return data


def _damaged(path: object, what: str) -> NoReturn:
    raise FormatError(f"{path} is damaged ({what}): save the model again")
