"""Column types: which kind of column a table's values make, by inspection or as a person asks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.column import KINDS, Column, Kind, Level
from unwritten.tables.column_values import ColumnValues
from unwritten.tables.quoting import shown, types_option

TRUTH = [("0", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t"), ("off", "on")]

FRACTIONS = "numbers with fractions: bin them with {name}=bins:4"
IDENTIFIER = "an identifier: every row has another value"
EMPTY = "every value is missing"
ASKED = "as asked"


class TooManyLevelsError(DataError):
    """Columns have too many different values to give each value a variable."""

    def __init__(self, names: Sequence[str], max_levels: int) -> None:
        listed = ", ".join(repr(shown(name)) for name in names)
        columns, them = ("column", "it") if len(names) == 1 else ("columns", "them")
        have = "has" if len(names) == 1 else "have"
        super().__init__(
            f"{columns} {listed} {have} more than {max_levels:,} different values: leave {them} out with "
            f"{types_option(dict.fromkeys(names, 'skip'))}, or allow more with max_levels (--max-levels)"
        )
        self.names = tuple(names)


def column_of(values: ColumnValues, wanted: str | None, missing: str) -> Column:
    """Return the column that these values make: of the wanted type, or else of the kind that fits them."""
    kind, _, detail = (wanted or "").partition(":")
    if missing == "error" and values.missing and kind != "skip":
        raise DataError(
            f"column {shown(values.name)!r} has {values.missing:,} missing values: fill them, or keep them as a value "
            "of their own with missing='category' (--missing category)"
        )
    if kind == "skip":
        return Column(values.name, "skip", reason=ASKED)
    if values.missing == values.rows:
        return Column(values.name, "skip", reason=EMPTY)
    if kind == "bins":
        return _bins(values, detail)
    chosen = cast(Kind, kind) if kind else _fitting_kind(values)
    return _MAKERS[chosen](values)


def _fitting_kind(values: ColumnValues) -> Kind:
    levels = set(values.levels)
    is_identifier = values.consecutive or not (values.integers or values.numbers)
    if not values.repeats and values.rows >= budgets.IDENTIFIER_ROWS and is_identifier:
        return "skip"
    if values.integers:
        if levels == {"0", "1"} and not values.missing:
            return "boolean"
        if len(levels) <= budgets.NUMBER_LEVELS or values.missing or values.largest > budgets.LARGEST_LABEL:
            return "category"
        return "integer"
    if values.numbers:
        return "skip"
    if not values.missing and tuple(sorted(text.lower() for text in levels)) in [tuple(sorted(t)) for t in TRUTH]:
        return "boolean"
    return "category"


def _category(values: ColumnValues) -> Column:
    if values.too_many:
        raise TooManyLevelsError([values.name], values.max_levels)
    levels: tuple[Level, ...] = tuple(sorted(values.levels, key=(int if values.integers else str)))  # type: ignore[arg-type]
    if values.missing:
        levels = (*levels, None)
    return Column(values.name, "category", levels, dtype="integer" if values.integers else "text")


def _boolean(values: ColumnValues) -> Column:
    if len(values.levels) != 2 or values.missing:
        content = f"{len(values.levels)} values" + (" and missing ones" if values.missing else "")
        raise DataError(f"column {shown(values.name)!r} has {content}, so it is not boolean: use category")
    words = {low: 0 for low, _ in TRUTH} | {high: 1 for _, high in TRUTH}
    levels = tuple(sorted(values.levels, key=lambda text: (words.get(text.lower(), 0), text)))
    dtype = "integer" if values.integers else "boolean" if set(levels) == {"true", "false"} else "text"
    return Column(values.name, "boolean", levels, dtype)


def _integer(values: ColumnValues) -> Column:
    if not values.integers or values.missing:
        content = "missing values" if values.integers else "values that are not integers"
        raise DataError(f"column {shown(values.name)!r} has {content}: use category, bins or skip")
    if values.largest > budgets.LARGEST_LABEL:
        raise DataError(f"column {shown(values.name)!r} has values beyond {budgets.LARGEST_LABEL:,}: use bins or skip")
    return Column(values.name, "integer", dtype="integer", lower=values.low or 0, upper=values.high)


def _skip(values: ColumnValues) -> Column:
    reason = FRACTIONS.format(name=shown(values.name)) if values.numbers and not values.integers else IDENTIFIER
    return Column(values.name, "skip", reason=reason)


_MAKERS = {"category": _category, "boolean": _boolean, "integer": _integer, "skip": _skip}


def _bins(values: ColumnValues, detail: str) -> Column:
    """Return a column of bins: `detail` is their number, for bins of about equal size, or their edges."""
    if not (values.numbers or values.integers):
        raise DataError(f"column {shown(values.name)!r} holds text, which fits no bin: use category or skip")
    edges = _quantiles(values, detail) if detail.isdecimal() else _given_edges(detail)
    if not np.isfinite(edges).all():
        raise DataError(f"bins:{detail} has an edge that is not finite: use plain numbers")
    texts = [f"{edge:g}" if float(f"{edge:g}") == edge else repr(edge) for edge in edges]
    between = [f"{low}..{high}" for low, high in itertools.pairwise(texts)]
    levels: tuple[Level, ...] = (f"<{texts[0]}", *between, f"≥{texts[-1]}", *([None] if values.missing else []))
    return Column(values.name, "bins", levels, "number", edges=tuple(edges))


def _given_edges(detail: str) -> list[float]:
    try:
        return sorted({float(part) for part in detail.split("|")})
    except ValueError as error:
        raise DataError(
            f"bins:{detail} is neither a number of bins nor a list of edges: write bins:4 or bins:10|20"
        ) from error


def _quantiles(values: ColumnValues, detail: str) -> list[float]:
    number = int(detail)
    if not 2 <= number <= budgets.CATEGORY_LEVELS:
        raise DataError(f"bins:{detail} is not a possible number of bins: use 2 to {budgets.CATEGORY_LEVELS}")
    shares = np.arange(1, number) / number
    edges = np.unique(np.quantile(np.concatenate(values.binned_numbers), shares, method="higher"))
    return [float(edge) for edge in edges]


def checked_types(types: Mapping[str, str] | None, names: Sequence[str]) -> dict[str, str]:
    """Return the types that a person gave for columns, checked against the table's column names."""
    wanted = dict(types or {})
    for name, kind in wanted.items():
        if name not in names:
            examples = ", ".join(shown(each) for each in names[:8])
            raise DataError(f"types name the column {shown(str(name))!r}, which the table lacks: use one of {examples}")
        if not isinstance(kind, str) or kind.partition(":")[0] not in KINDS or (":" in kind) != kind.startswith("bins"):
            raise DataError(
                f"{kind!r} is not a type of column: use category, boolean, integer, bins:4, bins:10|20 or skip"
            )
    return wanted
