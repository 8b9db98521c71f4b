"""Cells: an Arrow column as distinct texts, with one way of writing each value whatever its type was."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.tables.quoting import shown, types_option

if TYPE_CHECKING:
    import pyarrow as pa

Texts = tuple[list[str | None], IntArray]


def texts_of(array: pa.Array | pa.ChunkedArray, name: str) -> Texts:
    """Return the distinct texts of a column and, for each row, the position of its text; None is a missing value.

    Integers are written plainly, whole floats as integers (integers with gaps often arrive as floats), truth values as
    `true` and `false`, dates as in ISO 8601.
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
        raise _unsupported(name, str(array.type)) from error
    try:
        values = coded.dictionary.to_pylist()
    except (OverflowError, ValueError, LookupError) as error:  # years beyond Python's, time zones it does not know
        raise _unsupported(name, str(array.type)) from error
    texts: list[str | None] = [value_text(value, name) for value in values]
    if len(set(texts)) < len(texts):  # two values with the same text, or nulls within the dictionary
        first = {text: k for k, text in reversed(list(enumerate(texts)))}
        position = np.array([first[text] for text in texts], np.int64)
    else:
        position = np.arange(len(texts))
    codes = coded.indices
    if codes.null_count:
        texts.append(None)
        position = np.append(position, texts.index(None))
        codes = _with_nulls_as(codes, len(texts) - 1)
    index = position[codes.to_numpy(zero_copy_only=False).astype(np.int64)] if texts else np.zeros(0, np.int64)
    return texts, index


def _with_nulls_as(codes: pa.Array, code: int) -> pa.Array:
    """Replace nulls by a code, in wider integers if the code does not fit."""
    import pyarrow as pa

    largest = 2 ** (codes.type.bit_width - 1) - 1
    return (codes if code <= largest else codes.cast(pa.int64())).fill_null(code)


def without_words(batch: pa.RecordBatch, words: Sequence[str]) -> pa.RecordBatch:
    """Return the batch with these texts as missing values, whatever the types of its columns are."""
    import pyarrow as pa

    absent = set(words)
    arrays = []
    for name, array in zip(batch.schema.names, batch.columns, strict=True):
        texts, index = texts_of(array, name)
        codes = pa.array(index, mask=np.array([text is None or text in absent for text in texts], bool)[index])
        arrays.append(pa.DictionaryArray.from_arrays(codes, pa.array(["" if t is None else t for t in texts])))
    return pa.record_batch(arrays, names=batch.schema.names)


def value_text(value: Any, name: str) -> str | None:
    """Return the one way in which a value of the column `name` is written, or None if it is missing."""
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
    raise _unsupported(name, type(value).__name__)


def _unsupported(name: str, kind: str) -> DataError:
    return DataError(
        f"column {shown(name)!r} holds {shown(kind)} values, which are neither text nor numbers: leave it out with "
        f"{types_option({name: 'skip'})}, or convert it first"
    )
