"""Cells: an Arrow column as distinct texts, each value written in one way whatever type it had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    import pyarrow as pa

Texts = tuple[list[str | None], IntArray]


def texts_of(array: pa.Array | pa.ChunkedArray, name: str) -> Texts:
    """Distinct texts, and for each row which of them it holds; None is a missing value.

    Integers are written plainly, whole floats as integers (a column of integers with gaps often comes as floats), truth
    values as `true` and `false`, dates as in ISO 8601.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):
            array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
    try:
        coded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    except pa.ArrowNotImplementedError as error:
        raise _strange(name, str(array.type)) from error
    try:
        values = coded.dictionary.to_pylist()
    except (OverflowError, ValueError, LookupError) as error:  # years beyond Python's, zones that nobody knows
        raise _strange(name, str(array.type)) from error
    texts: list[str | None] = [value_text(value, name) for value in values]
    if len(set(texts)) < len(texts):  # two values of one text, or nulls within the dictionary
        first = {text: k for k, text in reversed(list(enumerate(texts)))}
        same = np.array([first[text] for text in texts], np.int64)
    else:
        same = np.arange(len(texts))
    codes = coded.indices
    if codes.null_count:
        texts.append(None)
        same = np.append(same, texts.index(None))
        codes = codes.fill_null(len(texts) - 1) if len(texts) - 1 <= _top(codes.type) else _wide(codes, len(texts) - 1)
    index = same[codes.to_numpy(zero_copy_only=False).astype(np.int64)] if texts else np.zeros(0, np.int64)
    return texts, index


def _top(kind: pa.DataType) -> int:
    return int(2 ** (kind.bit_width - 1) - 1)


def _wide(codes: pa.Array, fill: int) -> pa.Array:
    import pyarrow as pa

    return codes.cast(pa.int64()).fill_null(fill)


def value_text(value: Any, name: str) -> str | None:
    """The one way in which a value of a column is written; None where it is missing."""
    import datetime
    import decimal

    match value:
        case None | str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() | decimal.Decimal():
            number = float(value)
            if np.isnan(number):
                return None
            return str(int(value)) if np.isfinite(number) and value == int(value) else repr(number)
        case datetime.date() | datetime.time() | datetime.timedelta():
            return str(value)
    raise _strange(name, type(value).__name__)


def _strange(name: str, kind: str) -> DataError:
    return DataError(
        f"column {shown(name)!r} holds {shown(kind)} values, which are neither text nor numbers: leave it out with "
        f"--types {shown(name)}=skip, or convert it first"
    )
