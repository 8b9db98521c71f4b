"""CSV dialects: the encoding, delimiter and column names of a CSV file, detected or given."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import first_line, shown
from unwritten.tables.table_reader import check_names

DELIMITERS = (",", ";", "\t", "|", " ")
OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)

SNIFFED_LINES = 50  # lines cut into cells to detect the delimiter
REGULAR_SHARE = 0.8  # share of these lines that must have as many cells as the first


@dataclass(frozen=True)
class CsvDialect:
    """How to read a CSV file, plain or packed with gzip, bzip2 or xz."""

    path: Path
    title: str
    names: tuple[str, ...]
    delimiter: str
    encoding: str
    missing_words: tuple[str, ...]

    @classmethod
    def of(
        cls, path: Path, title: str, delimiter: str | None, encoding: str | None, missing_words: Sequence[str]
    ) -> CsvDialect:
        """Detect what is None, and check what is given."""
        title = shown(title)
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise DataError(f"delimiter {delimiter!r} is not one character: use , or ; or | or a tab")
        used_encoding = _detected_encoding(path, title) if encoding is None else _known_encoding(encoding)
        if (
            encoding is not None
            and used_encoding == "utf-8"
            and not _detected_encoding(path, title).startswith("utf-8")
        ):
            raise undecodable(title, used_encoding)
        sample = _first_lines(path, title, used_encoding)
        used_delimiter = delimiter or _detected_delimiter(sample)
        names = check_names(_header(sample, used_delimiter, title), title)
        return cls(path, title, names, used_delimiter, used_encoding, tuple(missing_words))


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open the unpacked bytes, and the packed file, whose position tells the progress."""
    with open(path, "rb") as packed:
        opener = OPENERS.get(path.suffix.lower())
        with opener(packed) if opener else packed as file:
            yield file, packed


def _known_encoding(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:
        raise DataError(f"there is no encoding {encoding!r}: use e.g. utf-8, cp1252 or utf-16") from error


def _detected_encoding(path: Path, title: str) -> str:
    """Return UTF-8 or UTF-16 if the file begins with their mark, else UTF-8 if all of it is, else Windows-1252."""
    try:
        with unpacked(path) as (file, _):
            chunk = file.read(budgets.CSV_CHUNK_BYTES)
            if not chunk:
                raise DataError(f"{title} is empty: give a table with a first line of column names")
            for mark, name in MARKS.items():
                if chunk.startswith(mark):
                    return name
            if b"\0" in chunk:
                raise DataError(
                    f"{title} is not text: give a CSV file, or name its encoding with encoding='utf-16' "
                    "(--encoding utf-16)"
                )
            return "utf-8" if _is_utf8(chunk, file) else "cp1252"
    except DAMAGE as error:
        raise unreadable(title, error) from error


def _is_utf8(chunk: bytes, file: IO[bytes]) -> bool:
    """Return whether the chunk and the rest of the file are UTF-8; the file is read to its end to find damage early."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid = True
    while chunk:
        if valid:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                valid = False
        chunk = file.read(budgets.CSV_CHUNK_BYTES)
    return valid and not decoder.getstate()[0]


def _first_lines(path: Path, title: str, encoding: str) -> str:
    """Return the beginning of the text, with at least one whole line unless that is too long."""
    try:
        with unpacked(path) as (file, _), io.TextIOWrapper(file, encoding, newline="") as text:
            sample = text.read(budgets.CSV_SAMPLE_CHARACTERS)
            while sample and "\n" not in sample[1:] and "\r" not in sample[1:] and len(sample) < budgets.CSV_LINE_BYTES:
                more = text.read(budgets.CSV_SAMPLE_CHARACTERS)
                if not more:
                    break
                sample += more
    except UnicodeError as error:
        raise undecodable(title, encoding) from error
    except DAMAGE as error:
        raise unreadable(title, error) from error
    return sample


def _detected_delimiter(sample: str) -> str:
    """Return the sign that cuts most of the first lines into equally many cells, and into the most of them."""
    best, most = ",", 1
    for sign in DELIMITERS:
        reader = csv.reader(io.StringIO(sample), delimiter=sign)
        try:
            rows = [row for _, row in zip(range(SNIFFED_LINES), reader, strict=False)]
        except csv.Error:
            continue
        rows = [row for row in rows if row]
        widths = [len(row) for row in (rows[:-1] if len(rows) > 2 else rows)]
        regular = sum(width == widths[0] for width in widths)
        if widths and widths[0] > most and regular >= REGULAR_SHARE * len(widths):
            best, most = sign, widths[0]
    return best


def _header(sample: str, delimiter: str, title: str) -> list[str]:
    csv.field_size_limit(budgets.CSV_LINE_BYTES)
    try:
        row = next((row for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row), None)
    except csv.Error as error:
        raise DataError(f"the first line of {title} cannot be read ({error}): write the column names again") from error
    if row is None:
        raise DataError(f"{title} is empty: give a table with a first line of column names")
    return row


def undecodable(title: str, encoding: str) -> DataError:
    """Return the error for text that is not in this encoding."""
    return DataError(
        f"{title} is not {encoding} text: name its encoding with e.g. encoding='cp1252' (--encoding cp1252)"
    )


def unreadable(title: str, error: BaseException) -> DataError:
    """Return the error for a file that the system or the unpacker cannot read."""
    text = shown(error.strerror)[:160] if isinstance(error, OSError) and error.strerror else first_line(error)
    return DataError(f"{title} cannot be read ({text}): check the file, or unpack it first")
