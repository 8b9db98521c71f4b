"""CSV dialects: the encoding, delimiter, quotes, decimal sign and column names of a CSV file, detected or given."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.decimal_comma import decimal_comma_columns
from unwritten.tables.quoting import shown
from unwritten.tables.read_options import ReadOptions, missing_words_of
from unwritten.tables.table_reader import check_names
from unwritten.tables.text_encoding import encoding_of, first_lines

DELIMITERS = (",", ";", "\t", "|", " ")
DELIMITER_LINE = re.compile(r"sep=(.)\r?\n")  # Excel writes and reads this line

SNIFFED_LINES = 50  # lines cut into cells to detect the delimiter
REGULAR_SHARE = 0.8  # share of these lines that must have as many cells as the first


@dataclass(frozen=True)
class CsvDialect:
    """How to read a CSV file, plain or packed.

    `skipped_lines` stand before the column names, and `comma_columns` hold numbers with a decimal comma.
    """

    path: Path
    title: str
    names: tuple[str, ...]
    delimiter: str
    quote: str
    encoding: str
    skipped_lines: int
    comma_columns: tuple[str, ...]
    missing_words: tuple[str, ...]

    @classmethod
    def of(cls, path: Path, title: str, options: ReadOptions) -> CsvDialect:
        """Detect what is not given, and check what is given."""
        title, delimiter = shown(title), options.get("delimiter")
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise DataError(f"delimiter {delimiter!r} is not one character: use , or ; or | or a tab")
        encoding = encoding_of(path, title, options.get("encoding"))
        sample = first_lines(path, title, encoding)
        skipped = 0
        if named := DELIMITER_LINE.match(sample):
            delimiter, sample, skipped = delimiter or named[1], sample[named.end() :], 1
        quote = "'" if re.match(r"\s*'[^\"\n]*'[^\"\n]*\n", sample) else '"'
        delimiter = delimiter or _detected_delimiter(sample, quote)
        names = check_names(_header(sample, delimiter, quote, title), title)
        words = missing_words_of(options)
        is_whole = len(sample) < budgets.CSV_SAMPLE_CHARACTERS
        rows = _rows(sample, delimiter, quote)[1 : None if is_whole else -1]
        commas = decimal_comma_columns(names, rows, words, options.get("decimal"))
        return cls(path, title, names, delimiter, quote, encoding, skipped, commas, words)


def _rows(sample: str, delimiter: str, quote: str, most: int | None = None) -> list[list[str]]:
    """Return the first rows with content, at most so many; none if the sample is damaged."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, quotechar=quote):
            if len(rows) == most:
                break
            if row:
                rows.append(row)
    except csv.Error:
        return []
    return rows


def _detected_delimiter(sample: str, quote: str) -> str:
    """Return the sign that cuts most of the first lines into equally many cells, and into the most of them."""
    best, most = ",", 1
    for sign in DELIMITERS:
        rows = _rows(sample, sign, quote, SNIFFED_LINES)
        widths = [len(row) for row in (rows[:-1] if len(rows) > 2 else rows)]  # the last may be cut short
        regular = sum(width == widths[0] for width in widths)
        if widths and widths[0] > most and regular >= REGULAR_SHARE * len(widths):
            best, most = sign, widths[0]
    return best


def _header(sample: str, delimiter: str, quote: str, title: str) -> list[str]:
    csv.field_size_limit(budgets.CSV_LINE_BYTES)
    try:
        row = next(
            (row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, quotechar=quote) if row),
            None,
        )
    except csv.Error as error:
        raise DataError(f"the first line of {title} cannot be read ({error}): write the column names again") from error
    if row is None:
        raise DataError(f"{title} is empty: give a table with a first line of column names")
    return row
