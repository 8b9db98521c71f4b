"""Given row: read the one row or label that a person wants explained, whatever it is given as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.errors import DataError
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_NAMES = 5  # listed in an error message
PANDAS_MISSING = ("NAType", "NaTType")  # type names, so that pandas need not be imported


def values_by_column(model: Model, schema: Schema, row: object) -> dict[str, Any]:
    """Return the value of every used column, or raise an error that names the missing or unknown columns.

    `row` may be a mapping, a Series with the column names as its index, or a frame with one row. A model without a
    table also takes a list, an array or a Series of numbers in the order of its variables.
    """
    names = list(schema.places)
    noun = "variable" if model.schema is None else "column"
    given = _row_mapping(row)
    if model.schema is None and (given is None or _is_unnamed_series(row, given, names)):
        given = _label_mapping(names, row)
    if given is None:
        raise DataError(_wrong_type(model, row, names[0]))
    missing = [name for name in names if name not in given]
    if missing:
        raise DataError(f"the row lacks the {noun} {_listed(missing)}: give a value for it, or None if it is missing")
    known = {column.name for column in schema.columns}
    extra = [name for name in given if name not in known]
    if extra:
        raise DataError(
            f"the model does not know the {noun} {_listed(extra)}: leave it out, or mine a table that has it"
        )
    values = {name: _plain_value(given[name]) for name in names}
    if model.schema is None:
        return {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
    return values


def _row_mapping(row: object) -> dict[Any, Any] | None:
    """Return the values of a mapping, a Series with an index or a frame with one row; None for anything else."""
    if isinstance(row, Mapping):
        return dict(row)
    import narwhals.stable.v1 as nw
    from narwhals.exceptions import NarwhalsError

    try:
        wrapped: Any = nw.from_native(row, pass_through=True, allow_series=True)
    except NarwhalsError as error:
        reason = str(error).strip().partition("\n")[0].rstrip(":,. ")
        raise DataError(f"the frame cannot be read ({shown(reason)}): rename or convert its columns") from error
    if isinstance(wrapped, nw.LazyFrame):
        raise DataError("explain takes one row, but a lazy frame was given: collect it and choose a row of it")
    if isinstance(wrapped, nw.DataFrame):
        if len(wrapped) != 1:
            raise DataError(
                f"explain takes one row, but the frame has {len(wrapped):,} rows: choose one, e.g. frame[:1]"
            )
        return {str(name): value for name, value in wrapped.rows(named=True)[0].items()}
    if isinstance(wrapped, nw.Series) and hasattr(row, "to_dict"):  # pandas; a polars Series has no index
        return {str(name): value for name, value in row.to_dict().items()}
    return None


def _is_unnamed_series(row: object, given: dict[Any, Any], names: list[str]) -> bool:
    """Return True for a Series whose index has none of the variables' names: its numbers come in their order."""
    return hasattr(row, "to_list") and given.keys().isdisjoint(names)


def _label_mapping(names: list[str], row: object) -> dict[str, Any] | None:
    """Return the numbers of a label by variable; None if `row` is not a list, array or Series."""
    numbers = row.to_list() if hasattr(row, "to_list") else row
    if not isinstance(numbers, Sequence | np.ndarray) or isinstance(numbers, str | bytes):
        return None
    if np.ndim(numbers) != 1 or len(numbers) != len(names):
        raise DataError(f"a label of this model has {len(names)} numbers: give one number for each variable")
    return dict(zip(names, numbers, strict=True))


def _plain_value(value: Any) -> Any:
    """Return a NumPy value as Python's own, and pandas' missing values as None."""
    if type(value).__name__ in PANDAS_MISSING:
        return None
    return value.item() if isinstance(value, np.generic) else value


def _wrong_type(model: Model, row: object, name: str) -> str:
    wanted = "a row must be a mapping from column to value, a Series indexed by column or a frame with one row"
    if model.schema is None:
        wanted = "a label must be a list of numbers, or a mapping, Series or one-row frame by variable"
    return f"{wanted}, but {type(row).__name__} was given: write {{{name!r}: …}}"


def _listed(names: Sequence[object]) -> str:
    more = f" (and {len(names) - MOST_NAMES} more)" if len(names) > MOST_NAMES else ""
    return ", ".join(shown(repr(name)) for name in names[:MOST_NAMES]) + more
