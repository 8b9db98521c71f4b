"""The index of pandas: labels of rows, which are not a column unless `reset_index()` makes them one.

Arrow writes an index that is not 0, 1, 2 … as columns, and pandas' note in the schema says which columns these are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def arrow_of(frame: Any) -> pa.Table:
    """Return a narwhals frame in memory as an Arrow table of its columns, without an index."""
    import narwhals.stable.v1 as nw

    return without_index(nw.maybe_reset_index(frame).to_arrow())


def without_index(table: Any) -> Any:
    """Return an Arrow table or batch without the columns that pandas wrote for an index."""
    names = column_names(table.schema)
    return table if names == table.schema.names else table.select(names)


def column_names(schema: pa.Schema) -> list[str]:
    """Return the names of the columns of a schema, without those that pandas wrote for an index."""
    index = _index_names(schema)
    return [name for name in schema.names if name not in index]


def _index_names(schema: pa.Schema) -> set[str]:
    """Return the columns that pandas' note names; none if there is no note, or one that cannot be read."""
    try:
        note = schema.pandas_metadata
    except (ValueError, RecursionError):
        return set()
    index = note.get("index_columns") if isinstance(note, dict) else None
    return {name for name in index if isinstance(name, str)} if isinstance(index, list) else set()
