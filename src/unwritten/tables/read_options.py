"""ReadOptions: what a person may say about how a table is to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

#: Words that mean a missing value in CSV and Excel files: those of pandas, and the signs that databases, statistics
#: packages and public data sets write.
USUAL_MISSING = (
    *("NA", "N/A", "n/a", "<NA>", "NULL", "null", "None", "NaN", "nan", "-NaN", "-nan"),
    *("#N/A", "#N/A N/A", "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "\\N", "-", "?"),
)


class ReadOptions(TypedDict, total=False):
    """How to read a table; what is not given is detected.

    `delimiter`, `encoding` and `decimal` (the sign before the fraction, a point or a comma) describe CSV files.
    `missing_words` are the words that mean a missing value; by default `USUAL_MISSING` in CSV and Excel files, and none
    in formats that have missing values of their own. `sheet` names a sheet of a workbook, and `query` is the SQL query,
    or the name of the table, to read from a database.
    """

    delimiter: str | None
    encoding: str | None
    decimal: str | None
    missing_words: Sequence[str] | None
    sheet: str | None
    query: str | None


def missing_words_of(options: ReadOptions, usual: Sequence[str] = USUAL_MISSING) -> tuple[str, ...]:
    """Return the words that mean a missing value, besides an empty cell."""
    words = options.get("missing_words")
    return tuple(usual if words is None else words)
