"""Frames: read a data frame of any library, and return results as the same kind of frame.

No library is imported here before it is loaded: whoever gives a pandas frame has imported pandas.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data.frame_index import without_index
from unwritten.data.labelled_data import has_index_levels, with_plain_columns
from unwritten.errors import DataError

if TYPE_CHECKING:
    import narwhals.stable.v1 as nw

NOT_FRAMES = (np.ndarray, np.generic, list, tuple, Mapping, str, bytes, int, float, type(None))


def is_frame(source: object) -> bool:
    """Return whether narwhals can read the source: pandas, polars (eager or lazy), pyarrow, Dask and other frames.

    >>> is_frame([[1, 0], [0, 1]])
    False
    """
    try:
        return _wrapped(source, "the data frame has") is not None
    except DataError:  # two columns of one name: a frame, though nobody can read it
        return True


def eager_frame(source: object, subject: str = "the data frame has") -> nw.DataFrame[Any] | None:
    """Return the source as a narwhals frame in memory, or None if it is not a data frame.

    `subject` begins the message of the error if two columns have the same name.
    """
    frame = _wrapped(source, subject)
    if frame is None:
        return None
    import narwhals.stable.v1 as nw

    if isinstance(frame, nw.LazyFrame):
        return frame.collect()
    if nw.get_level(frame) == "interchange":  # narwhals can do little with it but convert it
        arrow: nw.DataFrame[Any] = nw.from_native(frame.to_arrow(), eager_only=True)
        return arrow
    return frame


def _wrapped(source: object, subject: str) -> nw.DataFrame[Any] | nw.LazyFrame[Any] | None:
    if isinstance(source, NOT_FRAMES):
        return None
    import narwhals.stable.v1 as nw
    from narwhals.exceptions import DuplicateError

    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(source, pyarrow.RecordBatch | pyarrow.Table):
        source = without_index(pyarrow.table(source) if _is_record_batch(source) else source)
    try:
        frame = nw.from_native(with_plain_columns(source), pass_through=True)
    except DuplicateError as error:
        raise DataError(f"{subject} two columns of one name: rename one of them") from error
    return frame if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None


def _is_record_batch(source: object) -> bool:
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(source, pyarrow.RecordBatch)


def holds_only_integers(frame: object) -> bool:
    """Return whether the frame can be read as labels: every value is an integer, a boolean or a whole float.

    False if a column has text, dates, fractions or missing values, and if the argument is not a data frame.
    """
    eager = eager_frame(frame)
    return eager is not None and all(_is_integer_column(column) for column in eager.iter_columns())


def _is_integer_column(column: Any) -> bool:
    import narwhals.stable.v1 as nw

    if column.null_count():
        return False
    if column.dtype.is_float():
        numbers = column.to_numpy()
        return bool((np.isfinite(numbers) & (numbers == np.floor(numbers))).all())
    return bool(column.dtype.is_integer() or column.dtype == nw.Boolean)


@dataclass(frozen=True, eq=False)
class FrameLike:
    """The kind of frame that an input was, so that results can be returned as the same kind.

    `backend` is narwhals' name of its library, or None if the input was not a frame; `index` is that of a pandas frame,
    and so are its `columns` if they have several levels. Libraries without frames in memory (Dask, DuckDB) get what
    narwhals collects their frames into.
    """

    backend: Any = None
    index: Any = None
    is_lazy: bool = False
    is_record_batch: bool = False
    columns: Any = None

    @classmethod
    def of(cls, source: object) -> FrameLike:
        """Remember the kind of frame that the source is."""
        frame = _wrapped(source, "the data frame has")
        if frame is None:
            return cls()
        import narwhals.stable.v1 as nw

        if isinstance(frame, nw.LazyFrame):
            return cls(frame.head(0).collect().implementation, is_lazy=frame.implementation.is_polars())
        if nw.get_level(frame) == "interchange":
            return cls(nw.Implementation.PYARROW)
        columns = getattr(source, "columns", None) if has_index_levels(source) else None
        index, is_batch = nw.maybe_get_index(frame), _is_record_batch(source)
        return cls(frame.implementation, index, is_record_batch=is_batch, columns=columns)

    def table(self, columns: Mapping[str, Sequence[object]], *, keep_index: bool = False) -> Any:
        """Return columns of any types as this kind of frame; an Arrow table if the input was not a frame.

        With `keep_index`, a pandas frame has the index of the input.
        """
        if self.backend is None:
            import pyarrow as pa

            return pa.table({name: pa.array(list(values)) for name, values in columns.items()})
        import narwhals.stable.v1 as nw

        native = nw.from_dict(
            {name: list(values) for name, values in columns.items()}, backend=self.backend
        ).to_native()
        return native.set_index(self.index) if keep_index and self.index is not None else native

    def frame(self, names: Sequence[str], array: NDArray[Any]) -> Any:
        """Return the array (n × names, or one column of length n) as this kind of frame, or as it is.

        A pandas frame has the index of the input if it has as many rows, else a new index.
        """
        if self.backend is None:
            return array
        library = self.backend.to_native_namespace()
        table = array[:, None] if array.ndim == 1 else array
        if self.backend.is_pandas_like():
            index = self.index if self.index is not None and len(self.index) == len(table) else None
            has_levels = self.columns is not None and len(self.columns) == len(names) > 1
            return library.DataFrame(np.array(table), columns=self.columns if has_levels else list(names), index=index)
        columns = {name: np.ascontiguousarray(column) for name, column in zip(names, table.T, strict=True)}
        if self.backend.is_pyarrow():
            return library.RecordBatch.from_pydict(columns) if self.is_record_batch else library.table(columns)
        frame = library.DataFrame(columns)  # polars
        return frame.lazy() if self.is_lazy else frame


def frame_like(source: object, names: Sequence[str], array: NDArray[Any]) -> Any:
    """Return the array as the same kind of frame as the source, or the array itself if the source is not a frame.

    >>> import pandas as pd
    >>> weights = pd.DataFrame({"a": [0.5, 0.1], "b": [0.2, 0.9]}, index=["mon", "tue"])
    >>> frame_like(weights, ["a", "b"], np.array([[1, 0], [0, 1]]))
         a  b
    mon  1  0
    tue  0  1
    """
    return FrameLike.of(source).frame(names, array)


def row_mapping(row: object) -> dict[str, Any] | None:
    """Return one row as a dict from column to value, with None for missing values; None if it has no column names.

    A row is a mapping, a pandas Series whose index names the columns, or a data frame of one row. A polars Series has
    no column names.

    >>> row_mapping({"trim": "sport", "doors": np.int64(3), "price": float("nan")})
    {'trim': 'sport', 'doors': 3, 'price': None}
    """
    if isinstance(row, Mapping):
        return _plain_row(row)
    if isinstance(row, NOT_FRAMES):
        return None
    import narwhals.stable.v1 as nw

    if nw.dependencies.is_pandas_like_series(row):
        return _plain_row(with_plain_columns(row))
    frame = eager_frame(row, "the row has")
    if frame is None:
        return None
    if len(frame) != 1:
        raise DataError(f"the data frame has {len(frame):,} rows: give one row, such as frame[:1]")
    return _plain_row(frame.rows(named=True)[0])


def _plain_row(row: Any) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in row.items():
        name = str(key)
        if name in values:
            raise DataError(f"the row has two values for the column {name!r}: rename one of them")
        values[name] = _plain_value(value)
    return values


def _plain_value(value: Any) -> Any:
    """Return numpy numbers as Python numbers, and NaN, NaT and pandas' NA as None."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and (value is pandas.NA or value is pandas.NaT):
        return None
    if isinstance(value, np.datetime64 | np.timedelta64):
        return value.astype(f"{value.dtype.kind}8[us]").item()
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and np.isnan(plain) else plain


def is_dask(collection: object) -> bool:
    """Return whether this is a Dask collection; Dask itself is not imported for it."""
    return type(collection).__module__.partition(".")[0] in ("dask", "dask_expr")


def to_memory(collection: Any) -> Any:
    """Load a Dask collection into this process; return anything else unchanged."""
    return collection.compute() if is_dask(collection) else collection
