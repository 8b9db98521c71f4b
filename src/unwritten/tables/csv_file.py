"""CSV files: encoding and delimiter found or given, read in batches, every cell as text."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import shown
from unwritten.tables.source import Source, check_names

if TYPE_CHECKING:
    import pyarrow as pa

DELIMITERS = (",", ";", "\t", "|", " ")
OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error)


def csv_file(
    path: Path, title: str, delimiter: str | None, encoding: str | None, missing_words: Sequence[str]
) -> Source:
    """A CSV file, gzip, bzip2 or xz packed or not; the first line holds the column names."""
    title = shown(title)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise DataError(f"delimiter {delimiter!r} is not one character: use , or ; or | or a tab")
    found = _encoding(path, title) if encoding is None else _known(encoding)
    if encoding is not None and found == "utf-8" and not _encoding(path, title).startswith("utf-8"):
        raise _undecodable(title, found)
    sample = _sample(path, title, found)
    used = delimiter or _delimiter(sample)
    names = check_names(_header(sample, used, title), title)

    def batches() -> Iterator[tuple[pa.RecordBatch, int]]:
        return _batches(path, title, names, used, found, missing_words)

    try:
        size = path.stat().st_size
    except OSError as error:
        raise _unreadable(title, error) from error
    return Source(names, title, batches, size, {"delimiter": used, "encoding": found})


@contextmanager
def _bytes(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The unpacked bytes, and the file itself, whose place tells the progress."""
    with open(path, "rb") as raw:
        opener = OPENERS.get(path.suffix.lower())
        with opener(raw) if opener else raw as file:
            yield file, raw


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except (LookupError, ValueError) as error:
        raise DataError(f"there is no encoding {encoding!r}: use e.g. utf-8, cp1252 or utf-16") from error


def _encoding(path: Path, title: str) -> str:
    """UTF-8 if all of it is; else UTF-16 by its mark, else Windows-1252."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with _bytes(path) as (file, _):
            chunk = file.read(budgets.CSV_CHUNK_BYTES)
            if not chunk:
                raise DataError(f"{title} is empty: give a table with a first line of column names")
            for mark, name in MARKS.items():
                if chunk.startswith(mark):
                    return name
            if b"\0" in chunk:
                raise DataError(f"{title} is not text: give a CSV file, or name the encoding with --encoding")
            plain = True
            while chunk:
                if plain:
                    try:
                        decoder.decode(chunk)
                    except UnicodeDecodeError:
                        plain = False
                chunk = file.read(budgets.CSV_CHUNK_BYTES)
            if plain and not decoder.getstate()[0]:
                return "utf-8"
    except DAMAGE as error:
        raise _unreadable(title, error) from error
    return "cp1252"


def _sample(path: Path, title: str, encoding: str) -> str:
    """The beginning of the text, to its last whole line."""
    try:
        with _bytes(path) as (file, _), io.TextIOWrapper(file, encoding, newline="") as text:
            sample = text.read(budgets.CSV_SAMPLE_CHARACTERS)
            while sample and "\n" not in sample[1:] and "\r" not in sample[1:] and len(sample) < budgets.CSV_LINE_BYTES:
                more = text.read(budgets.CSV_SAMPLE_CHARACTERS)
                if not more:
                    break
                sample += more
    except UnicodeError as error:
        raise _undecodable(title, encoding) from error
    except DAMAGE as error:
        raise _unreadable(title, error) from error
    return sample


def _delimiter(sample: str) -> str:
    """The sign that cuts the first lines into the same number of cells, as many as possible."""
    best, most = ",", 1
    for sign in DELIMITERS:
        try:
            rows = [row for _, row in zip(range(50), csv.reader(io.StringIO(sample), delimiter=sign), strict=False)]
        except csv.Error:
            continue
        rows = [row for row in rows if row]
        widths = [len(row) for row in (rows[:-1] if len(rows) > 2 else rows)]
        if widths and widths[0] > most and sum(width == widths[0] for width in widths) >= 0.8 * len(widths):
            best, most = sign, widths[0]
    return best


def _header(sample: str, delimiter: str, title: str) -> list[str]:
    csv.field_size_limit(budgets.CSV_LINE_BYTES)
    try:
        row = next((row for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row), None)
    except csv.Error as error:
        raise DataError(f"the first line of {title} cannot be read ({error}): write the column names anew") from error
    if row is None:
        raise DataError(f"{title} is empty: give a table with a first line of column names")
    return row


def _batches(
    path: Path, title: str, names: Sequence[str], delimiter: str, encoding: str, missing_words: Sequence[str]
) -> Iterator[tuple[pa.RecordBatch, int]]:
    import pyarrow as pa

    bad: list[Any] = []
    try:
        with _reader(path, names, delimiter, encoding, missing_words, bad, threads=True) as (reader, raw):
            for batch in reader:
                yield batch, raw.tell()
    except UnicodeError as error:
        raise _undecodable(title, encoding) from error
    except pa.ArrowException as error:
        if bad:
            row = bad[0]
            line = _line(path, names, delimiter, encoding, missing_words)
            raise DataError(
                f"{line} of {title} has {row.actual_columns} cells where the first has {row.expected_columns}: "
                "mend or remove it, or name the delimiter with --delimiter"
            ) from error
        if "UTF" in str(error):
            raise _undecodable(title, encoding) from error
        if "Empty CSV" in str(error):
            return
        raise DataError(f"{title} cannot be read as CSV ({shown(str(error))[:160]}): mend it") from error
    except DAMAGE as error:
        raise _unreadable(title, error) from error


@contextmanager
def _reader(
    path: Path,
    names: Sequence[str],
    delimiter: str,
    encoding: str,
    missing_words: Sequence[str],
    bad: list[Any],
    threads: bool,
) -> Iterator[tuple[Any, IO[bytes]]]:
    """Arrow's reader, and the file whose place tells the progress; rows of the wrong width go to `bad`."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    def stop(row: Any) -> str:
        bad.append(row)
        return "error"

    read = arrow_csv.ReadOptions(
        use_threads=threads, block_size=budgets.CSV_CHUNK_BYTES, column_names=list(names), skip_rows_after_names=1
    )
    parse = arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=stop)
    text = pa.dictionary(pa.int32(), pa.string())
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(names, text), null_values=["", *missing_words], strings_can_be_null=True
    )
    with _bytes(path) as (file, raw):
        stream = file if encoding in ("utf-8", "utf-8-sig") else codecs.EncodedFile(file, "utf-8", encoding)
        with arrow_csv.open_csv(stream, read, parse, convert) as reader:
            yield reader, raw


def _line(path: Path, names: Sequence[str], delimiter: str, encoding: str, missing_words: Sequence[str]) -> str:
    """The place of the first line of the wrong width, which Arrow knows only when it reads line by line."""
    import pyarrow as pa

    bad: list[Any] = []
    with (
        suppress(pa.ArrowException, UnicodeError, *DAMAGE),
        _reader(path, names, delimiter, encoding, missing_words, bad, threads=False) as (reader, _),
    ):
        for _batch in reader:
            pass
    return f"line {bad[0].number}" if bad else "a line"


def _undecodable(title: str, encoding: str) -> DataError:
    return DataError(f"{title} is not {encoding} text: name its encoding with --encoding, e.g. cp1252 or utf-16")


def _unreadable(title: str, error: BaseException) -> DataError:
    text = str(error.strerror) if isinstance(error, OSError) and error.strerror else str(error)
    text = shown(text)[:160] or type(error).__name__
    return DataError(f"{title} cannot be read ({text}): check the file, or unpack it first")
