"""Column types: which kind of column a table's values make, by inspection or as a person asks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.column import KINDS, Column, Kind, Level
from unwritten.tables.column_values import ColumnValues
from unwritten.tables.quoting import shown, types_option
from unwritten.tables.roles import Role

TRUTH = [("0", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t"), ("off", "on")]

FRACTIONS = "numbers with fractions: for rules about their size, bin them with {option}"
IDENTIFIER = "every row has another value"
FREE_TEXT = "every row has another value"
MOSTLY_ONCE = "more than one row in five has a value that no other row has"
MANY = "more than {most:,} different values"
EMPTY = "every value is missing"
ASKED = "as asked"
GAPPY = "integers with missing values, of more than {most} different values"
HUGE = "integers beyond {most:,}"
MANY_TIMES = "more than {most} different {times}"

FACTS_ONLY: dict[str, Role] = {  # types that a person can ask for whose columns have no variables
    "identifier": "identifier",
    "text": "text",
    "decimal": "decimal",
    "float": "float",
    "date": "date",
    "timestamp": "timestamp",
}
WANTED = (*KINDS, *FACTS_ONLY)


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
        return Column(values.name, "skip", reason=EMPTY, role="empty")
    role, scale = _role(values)
    if kind in FACTS_ONLY:
        return _asked_role(values, FACTS_ONLY[kind])
    if kind == "bins":
        column = _bins(values, detail)
    elif kind:
        column = _MAKERS[cast(Kind, kind)](values)
    else:
        reason = _why_no_variables(values, role)
        if reason:
            return Column(values.name, "skip", reason=reason, role=role, scale=scale, closed=False)
        column = _MAKERS[_fitting_kind(values)](values)
    if column.kind == "boolean":
        role = "boolean"
    return replace(column, role=role, scale=scale, closed=column.kind != "category" or _is_closed(values))


def _role(values: ColumnValues) -> tuple[Role, int]:
    """Return what the values are, and how many digits decimals have after the point."""
    unique = not values.repeats and values.rows >= budgets.IDENTIFIER_ROWS
    if values.integers:
        is_key = (unique and values.consecutive) or values.largest > budgets.LARGEST_EXACT
        return ("identifier" if is_key else "integer"), 0
    if values.numbers:
        exact = values.digits <= budgets.DECIMAL_DIGITS
        if exact and values.largest_number * 10**values.digits <= budgets.LARGEST_EXACT:
            return "decimal", values.digits
        return "float", 0
    if values.dates or values.timestamps:
        return ("date" if values.dates else "timestamp"), 0
    if unique:
        return ("text" if values.spaces else "identifier"), 0
    return ("text" if values.too_many or _mostly_once(values) else "category"), 0


def _mostly_once(values: ColumnValues) -> bool:
    """True if a new row is likely to bring a new value: by Good and Turing, the share of values that came once."""
    return values.rows >= budgets.IDENTIFIER_ROWS and 5 * values.once > values.rows


def _is_closed(values: ColumnValues) -> bool:
    """True if a value that was never seen is not to be expected.

    By Good and Turing, the share of new rows with a new value is the share of rows whose value came once: it must be
    below one in 1,000. In fewer rows, and in columns of integers, which may be counts, no value may have come only once
    or twice: where some values are so rare, others are likely that no row has yet.
    """
    rarest = min(values.levels.values(), default=0)
    return rarest > 2 or (not values.integers and (values.once + 1) * budgets.NEW_VALUE_ROWS <= values.rows)


def _why_no_variables(values: ColumnValues, role: Role) -> str:
    """Return why values have no variables by inspection; an empty text if they have."""
    few = len(values.plain_levels) <= budgets.NUMBER_LEVELS
    match role:
        case "identifier":
            return IDENTIFIER if values.largest <= budgets.LARGEST_EXACT else HUGE.format(most=budgets.LARGEST_EXACT)
        case "decimal" | "float":
            return FRACTIONS.format(option=types_option({values.name: "bins:4"}))
        case "date" | "timestamp":
            return "" if few else MANY_TIMES.format(most=budgets.NUMBER_LEVELS, times=f"{role}s")
        case "integer" if not few and values.missing:
            return GAPPY.format(most=budgets.NUMBER_LEVELS)
        case "integer" if not few and values.largest > budgets.LARGEST_LABEL:
            return HUGE.format(most=budgets.LARGEST_LABEL)
        case "text" if not values.repeats:
            return FREE_TEXT
        case "text":
            return MANY.format(most=values.max_levels) if values.too_many else MOSTLY_ONCE
    return ""


def _asked_role(values: ColumnValues, role: Role) -> Column:
    """Return a column of the role that a person asked for, if the values can have it."""
    fits = {
        "decimal": (values.integers or values.numbers) and values.digits <= budgets.DECIMAL_DIGITS,
        "float": values.integers or values.numbers,
        "date": values.dates,
        "timestamp": values.timestamps,
    }.get(role, True)
    if not fits:
        raise DataError(f"column {shown(values.name)!r} has values that are no {role}: use category, text or skip")
    scale = values.digits if role == "decimal" else 0
    return Column(values.name, "skip", reason=ASKED, role=role, scale=scale, closed=False)


def _fitting_kind(values: ColumnValues) -> Kind:
    levels = set(values.plain_levels)
    if values.integers:
        if levels == {"0", "1"} and not values.missing:
            return "boolean"
        return "category" if len(levels) <= budgets.NUMBER_LEVELS else "integer"
    if not values.missing and tuple(sorted(text.lower() for text in levels)) in [tuple(sorted(t)) for t in TRUTH]:
        return "boolean"
    return "category"


def _category(values: ColumnValues) -> Column:
    if values.too_many:
        raise TooManyLevelsError([values.name], values.max_levels)
    levels: tuple[Level, ...] = tuple(sorted(values.plain_levels, key=(int if values.integers else str)))  # type: ignore[arg-type]
    if values.missing:
        levels = (*levels, None)
    return Column(values.name, "category", levels, dtype="integer" if values.integers else "text")


def _boolean(values: ColumnValues) -> Column:
    if len(values.plain_levels) != 2 or values.missing:
        content = f"{len(values.plain_levels)} values" + (" and missing ones" if values.missing else "")
        raise DataError(f"column {shown(values.name)!r} has {content}, so it is not boolean: use category")
    words = {low: 0 for low, _ in TRUTH} | {high: 1 for _, high in TRUTH}
    levels = tuple(sorted(values.plain_levels, key=lambda text: (words.get(text.lower(), 0), text)))
    dtype = "integer" if values.integers else "boolean" if set(levels) == {"true", "false"} else "text"
    return Column(values.name, "boolean", levels, dtype)


def _integer(values: ColumnValues) -> Column:
    if not values.integers or values.missing:
        content = "missing values" if values.integers else "values that are not integers"
        raise DataError(f"column {shown(values.name)!r} has {content}: use category, bins or skip")
    if values.largest > budgets.LARGEST_LABEL:
        raise DataError(f"column {shown(values.name)!r} has values beyond {budgets.LARGEST_LABEL:,}: use bins or skip")
    return Column(values.name, "integer", dtype="integer", lower=values.low or 0, upper=values.high)


_MAKERS = {"category": _category, "boolean": _boolean, "integer": _integer}


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
        if (
            not isinstance(kind, str)
            or kind.partition(":")[0] not in WANTED
            or (":" in kind) != kind.startswith("bins")
        ):
            raise DataError(
                f"{kind!r} is not a type of column: use category, boolean, integer, decimal, float, date, timestamp, "
                "identifier, text, bins:4, bins:10|20 or skip"
            )
    return wanted
