"""The format of a file: told by its first bytes, and by its ending where they say nothing."""

from __future__ import annotations

import codecs
import re
import zipfile
from pathlib import Path
from typing import Literal

from unwritten.errors import DataError
from unwritten.tables.packed_file import DAMAGE, is_packed, unpacked, unreadable
from unwritten.tables.quoting import shown

FileFormat = Literal["csv", "json", "parquet", "arrow", "excel", "sqlite", "duckdb"]

PARQUET = (".parquet", ".pq")
ENDINGS: dict[str, FileFormat] = {
    **dict.fromkeys(PARQUET, "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow"),
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), "excel"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
    **dict.fromkeys((".sqlite", ".sqlite3"), "sqlite"),
    ".duckdb": "duckdb",
}
MARKS: dict[bytes, FileFormat] = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "excel",
    b"SQLite format 3\0": "sqlite",
}
DUCKDB_MARK = b"DUCK"  # after a checksum of eight bytes
OTHERS = {b"%PDF": "a PDF document", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"GIF8": "a picture"}
JSON_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*[{\]])')
SNIFFED_BYTES = 4096


def format_of(path: Path, title: str) -> FileFormat:
    """Return the format of a file; raise if it is surely not a table."""
    title = shown(title)
    try:
        with unpacked(path) as (file, _):
            start = file.read(SNIFFED_BYTES)
    except DAMAGE as error:
        raise unreadable(title, error) from error
    found = _by_content(path, title, start) or ENDINGS.get(_ending(path))
    if found not in (None, "csv", "json") and is_packed(path):
        raise DataError(f"{title} is a packed {found} file, which cannot be read in place: unpack it first")
    return found or "csv"


def _ending(path: Path) -> str:
    """Return the ending of a path, without that of a packed file."""
    inner = Path(path.stem) if is_packed(path) else path
    return inner.suffix.lower()


def _by_content(path: Path, title: str, start: bytes) -> FileFormat | None:
    for mark, found in MARKS.items():
        if start.startswith(mark):
            return found
    if start[8:12] == DUCKDB_MARK:
        return "duckdb"
    if start.startswith(b"PK\x03\x04"):
        return _zip_format(path, title)
    for mark, name in OTHERS.items():
        if start.startswith(mark):
            raise DataError(f"{title} is {name}, not a table: give a file with rows and columns, such as CSV")
    return "json" if JSON_START.match(_text(start)) else None


def _zip_format(path: Path, title: str) -> FileFormat:
    """Return "excel" for a zip archive with a workbook in it; raise for any other."""
    if ENDINGS.get(path.suffix.lower()) == "excel":
        return "excel"
    try:
        with zipfile.ZipFile(path) as archive:
            members = set(archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise unreadable(title, error) from error
    if members & {"xl/workbook.xml", "xl/workbook.bin"} or {"mimetype", "content.xml"} <= members:
        return "excel"
    if path.suffix.lower() == ".rules":
        raise DataError(f"{title} is a model and not a table: give the table first mined, or another one")
    raise DataError(f"{title} is a zip archive: unpack it first, and give the file in it")


def _text(start: bytes) -> str:
    """Return the first bytes as text, as well as possible."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return start[: len(start) // 2 * 2].decode("utf-16", "replace")
    return start.decode("utf-8-sig", "replace")
