"""The format of a file: what its name says. Content that says otherwise is refused."""

from __future__ import annotations

import codecs
import re
import zipfile
from pathlib import Path
from typing import Literal

from unwritten.errors import DataError
from unwritten.tables.packed_file import DAMAGE, PACKERS, is_packed, packing_of, unpacked, unreadable
from unwritten.tables.quoting import shown

FileFormat = Literal["csv", "json", "parquet", "arrow", "excel", "sqlite", "duckdb"]

PARQUET = (".parquet", ".pq")
ENDINGS: dict[str, tuple[FileFormat, ...]] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".psv"), ("csv",)),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), ("json",)),
    **dict.fromkeys(PARQUET, ("parquet",)),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), ("arrow",)),
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), ("excel",)),
    **dict.fromkeys((".sqlite", ".sqlite3", ".db3"), ("sqlite",)),
    **dict.fromkeys((".duckdb", ".ddb"), ("duckdb",)),
    ".db": ("sqlite", "duckdb"),
}
#: A name with another ending, or with none, and a stream
TEXT: tuple[FileFormat, ...] = ("csv", "json")
#: What each format is called, and the ending to give it
CALLED: dict[FileFormat, tuple[str, str]] = {
    "csv": ("CSV", ".csv"),
    "json": ("JSON", ".json"),
    "parquet": ("a Parquet file", ".parquet"),
    "arrow": ("an Arrow file", ".arrow"),
    "excel": ("a workbook", ".xlsx"),
    "sqlite": ("a SQLite database", ".sqlite"),
    "duckdb": ("a DuckDB database", ".duckdb"),
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
    """Return the format that the title, which is the name of the file, stands for; raise if the content is another one.

    A title without a known ending stands for text: CSV or JSON, by its content. So the content of a file alone never
    makes the program open it as a database or a workbook.
    """
    packing = next((ending for ending in PACKERS if title.lower().endswith(ending)), "")
    ending = Path(title[: -len(packing)] if packing else title).suffix.lower()
    named, title = ENDINGS.get(ending, TEXT), shown(title)
    try:
        if ending in ENDINGS and not packing and (packer := packing_of(path)):
            raise _misnamed(title, f"data packed as {packer}", packer)
        with unpacked(path) as (file, _):
            start = file.read(SNIFFED_BYTES)
    except DAMAGE as error:
        raise unreadable(title, error) from error
    content = _by_content(path, title, start, named)
    if content is not None and content not in named:
        raise _misnamed(title, *CALLED[content])
    if content is None and named == ("duckdb",):  # DuckDB would look for an extension that can read the file
        raise DataError(f"{title} is not a DuckDB database: check it, or give it another ending")
    if named[0] not in TEXT and is_packed(path):
        raise DataError(f"{title} is a packed {named[0]} file, which cannot be read in place: unpack it first")
    return content or named[0]


def _misnamed(title: str, called: str, ending: str) -> DataError:
    return DataError(
        f"{title} holds {called}, which is read only from a name that ends with {ending}: rename the file, or save it "
        "under such a name"
    )


def _by_content(path: Path, title: str, start: bytes, named: tuple[FileFormat, ...]) -> FileFormat | None:
    for mark, file_format in MARKS.items():
        if start.startswith(mark):
            return file_format
    if start[8:12] == DUCKDB_MARK:
        return "duckdb"
    if start.startswith(b"PK\x03\x04"):
        return "excel" if named == ("excel",) else _zip_format(path, title)
    for mark, name in OTHERS.items():
        if start.startswith(mark):
            raise DataError(f"{title} is {name}, not a table: give a file with rows and columns, such as CSV")
    return "json" if JSON_START.match(_text(start)) else None


def _zip_format(path: Path, title: str) -> FileFormat:
    """Return "excel" for a zip archive with a workbook in it; raise for any other."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = set(archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise unreadable(title, error) from error
    if members & {"xl/workbook.xml", "xl/workbook.bin"} or {"mimetype", "content.xml"} <= members:
        return "excel"
    if title.lower().endswith(".rules"):
        raise DataError(f"{title} is a model and not a table: give the table first mined, or another one")
    raise DataError(f"{title} is a zip archive: unpack it first, and give the file in it")


def _text(start: bytes) -> str:
    """Return the first bytes as text, as well as possible."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return start[: len(start) // 2 * 2].decode("utf-16", "replace")
    return start.decode("utf-8-sig", "replace")
