"""The encoding of a text file, detected or given, and the beginning of its text."""

from __future__ import annotations

import codecs
import io
import re
from pathlib import Path
from typing import IO

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.packed_file import DAMAGE, unpacked, unreadable

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
CONTROL = re.compile(rb"[\x01-\x06\x0e-\x1a\x1c-\x1f]")  # control characters, which stand in a text only by mistake
MISTAKES = 0.05  # share of characters that may be such mistakes


def encoding_of(path: Path, title: str, encoding: str | None) -> str:
    """Return the encoding of the file: the given one, if the file can be read by it, or else the detected one."""
    if encoding is None:
        return _detected(path, title)
    try:
        given = codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:
        raise DataError(f"there is no encoding {encoding!r}: use e.g. utf-8, cp1252 or utf-16") from error
    if given == "utf-8" and not _detected(path, title).startswith("utf-8"):
        raise undecodable(title, given)
    return given


def _detected(path: Path, title: str) -> str:
    """Return UTF-8 or UTF-16 if the file begins with their mark, else UTF-8 if all of it is, else Windows-1252."""
    try:
        with unpacked(path) as (file, _):
            chunk = file.read(budgets.CSV_CHUNK_BYTES)
            if not chunk:
                raise DataError(f"{title} is empty: give a table with a first line of column names")
            for mark, name in MARKS.items():
                if chunk.startswith(mark):
                    return name
            if b"\0" in chunk or len(CONTROL.findall(chunk)) > MISTAKES * len(chunk):
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


def first_lines(path: Path, title: str, encoding: str) -> str:
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


def undecodable(title: str, encoding: str) -> DataError:
    """Return the error for text that is not in this encoding."""
    return DataError(
        f"{title} is not {encoding} text: name its encoding with e.g. encoding='cp1252' (--encoding cp1252)"
    )
