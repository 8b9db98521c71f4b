"""Given row: read the one row or label that a person wants explained, whatever it is given as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data.frames import row_mapping
from unwritten.errors import DataError
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model

NAMES_LISTED = 5  # listed in an error message


def values_by_column(model: Model, schema: Schema, row: object) -> dict[str, Any]:
    """Return the value of every used column, or raise an error that names the missing or unknown columns.

    `row` may be a mapping, a Series with the column names as its index, or a frame with one row. A model without a
    table also takes a list, an array or a Series of numbers in the order of its variables.
    """
    names = list(schema.places)
    noun = "variable" if model.schema is None else "column"
    given = row_mapping(row)
    if model.schema is None and (given is None or _is_unnamed_series(row, given, names)):
        given = _label_mapping(names, row)
    if given is None:
        raise DataError(_wrong_type(model, row, names[0]))
    missing = [name for name in names if name not in given]
    if missing:
        raise DataError(f"the row lacks {_named(noun, missing)}: give every {noun} a value, or None if it is missing")
    known = {column.name for column in schema.columns}
    extra = [name for name in given if name not in known]
    if extra:
        raise DataError(f"the model does not know {_named(noun, extra)}: leave that out, or mine a table that has it")
    values = {name: given[name] for name in names}
    if model.schema is None:
        return {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
    return values


def _named(noun: str, names: list[str]) -> str:
    return f"the {noun}{'' if len(names) == 1 else 's'} {_listed(names)}"


def _is_unnamed_series(row: object, given: dict[str, Any], names: list[str]) -> bool:
    """Return True for a Series whose index has none of the variables' names: its numbers come in their order."""
    return hasattr(row, "to_list") and given.keys().isdisjoint(names)


def _label_mapping(names: list[str], row: object) -> dict[str, Any] | None:
    """Return the numbers of a label by variable; None if `row` is not a list, array or Series."""
    numbers = row.to_list() if hasattr(row, "to_list") else row
    if not isinstance(numbers, Sequence | np.ndarray) or isinstance(numbers, str | bytes):
        return None
    if np.ndim(numbers) != 1 or len(numbers) != len(names):
        raise DataError(f"a label of this model has {len(names)} numbers: give one number for each variable")
    return row_mapping(dict(zip(names, numbers, strict=True)))


def _wrong_type(model: Model, row: object, name: str) -> str:
    wanted = "a row must be a mapping from column to value, a Series indexed by column or a frame with one row"
    if model.schema is None:
        wanted = "a label must be a list of numbers, or a mapping, Series or one-row frame by variable"
    return f"{wanted}, but {type(row).__name__} was given: write {{{name!r}: …}}"


def _listed(names: Sequence[object]) -> str:
    more = f" (and {len(names) - NAMES_LISTED} more)" if len(names) > NAMES_LISTED else ""
    return ", ".join(shown(repr(name)) for name in names[:NAMES_LISTED]) + more
