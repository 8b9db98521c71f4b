"""Decimal commas: numbers such as 1.234,50, found in a sample of CSV rows and written as 1234.50."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from unwritten.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

NUMBER = r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?:[eE][+-]?\d+)?"
#: A number, which may have commas between its thousands.
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)


def decimal_comma_columns(
    names: Sequence[str], rows: Iterable[Sequence[str]], missing_words: Sequence[str], decimal: str | None
) -> tuple[str, ...]:
    """Return the columns whose numbers have a decimal comma, judged by a sample of rows.

    They are the columns that hold nothing but such numbers. Unless a decimal comma was asked for, one of their cells
    must show it: 1,5 does, and 1,500 does not, because it may be one thousand five hundred.
    """
    if decimal not in (None, ".", ","):
        raise DataError(f"decimal is {decimal!r}: use a point or a comma")
    if decimal == ".":
        return ()
    absent, number = {"", *missing_words}, re.compile(NUMBER, re.ASCII)
    possible, shown = dict.fromkeys(range(len(names)), True), decimal == ","
    has_comma: set[int] = set()
    for row in rows:
        for k, cell in enumerate(row[: len(names)]):
            if not possible[k] or cell in absent:
                continue
            possible[k] = number.fullmatch(cell) is not None
            if "," in cell and not GROUPED.fullmatch(cell):
                has_comma.add(k)
    shown |= any(possible[k] for k in has_comma)
    return tuple(name for k, name in enumerate(names) if possible[k]) if shown else ()


def with_decimal_points(batch: pa.RecordBatch, columns: Sequence[str]) -> pa.RecordBatch:
    """Return the batch, whose columns are dictionaries of texts, with the numbers of these columns written anew."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not columns:
        return batch
    arrays = list(batch.columns)
    for name in columns:
        k = batch.schema.get_field_index(name)
        texts = arrays[k].dictionary
        points = pc.replace_substring(pc.replace_substring(texts, ".", ""), ",", ".")
        mended = pc.if_else(pc.match_substring_regex(texts, f"^{NUMBER}$"), points, texts)
        arrays[k] = pa.DictionaryArray.from_arrays(arrays[k].indices, mended)
    return pa.record_batch(arrays, names=batch.schema.names)
