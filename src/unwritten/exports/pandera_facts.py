"""Facts in pandera: the functions that an exported file needs to test them, and one check for each fact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from unwritten.exports.sql_facts import ROUNDING, allowed_error
from unwritten.facts import (
    DatePart,
    Dependency,
    Fact,
    Key,
    LinearFact,
    MissingTogether,
    MissingWhen,
    NeverMissing,
    Order,
    RangeBy,
    RangeFact,
    RangeWhen,
    StartsWith,
    Step,
    SumOrder,
    TextForm,
    TextLength,
)
from unwritten.facts.units import common_factor, number_text
from unwritten.tables import Column, Schema
from unwritten.tables.roles import TIMES

FACT_CODE = '''
def texts(frame, name):
    """The cells of a column as text; None where they are missing."""
    cells = frame[name].astype(object)
    return [None if gone else text(cell) for cell, gone in zip(cells, cells.isna())]


def numbers(frame, name):
    """The cells of a column as numbers; dates and times as moments. Missing where there is no such value."""
    if name in TIMES:
        cells = frame[name].astype(object)
        words = [None if gone else str(cell) for cell, gone in zip(cells, cells.isna())]
        words = pd.Series(words, index=cells.index, dtype=object)
        return pd.to_datetime(words, errors="coerce", format="ISO8601", utc=True)
    return pd.to_numeric(frame[name], errors="coerce").astype(float)


def adds_up(frame, terms, total, off):
    """Where a sum of columns is right; missing numbers are not wrong."""
    error = sum(factor * numbers(frame, name) for name, factor in terms) - total
    return ~(error.abs() > off)


def at_most(frame, terms, off):
    """Where a sum of columns is at most 0; missing numbers are not wrong."""
    return ~(sum(factor * numbers(frame, name) for name, factor in terms) > off)


def multiples(frame, name, scale, step):
    """Where a number is a multiple of a step, or is missing."""
    scaled = numbers(frame, name) * scale
    rest = (scaled - (scaled / step).round() * step).abs()
    return ~(rest > 0.01)


def day_parts(word):
    """The parts of an ISO date or timestamp; None if it is none."""
    try:
        moment = datetime.datetime.fromisoformat(word)
    except ValueError:
        return None
    return {
        "date": word[:10],
        "year": str(moment.year),
        "quarter": str((moment.month + 2) // 3),
        "month": str(moment.month),
        "day": str(moment.day),
        "weekday": str(moment.isoweekday()),
        "hour": str(moment.hour),
        "minute": str(moment.minute),
        "second": str(moment.second),
    }


def is_part(frame, name, part, time, names):
    """Where a column says a part of a time, or one of them is missing; names are what the parts are called."""
    fine = []
    for said, word in zip(texts(frame, name), texts(frame, time)):
        parts = None if word is None else day_parts(word)
        right = None if parts is None else names[int(parts[part]) - 1] if names else parts[part]
        fine.append(said is None or right is None or (said[:10] if part == "date" else said) == right)
    return pd.Series(fine, index=frame.index)


def begins(frame, name, before, part, other):
    """Where a text begins with another column, or with its year, or one of them is missing."""
    fine = []
    for said, word in zip(texts(frame, name), texts(frame, other)):
        if part and word is not None:
            word = (day_parts(word) or {}).get(part)
        fine.append(said is None or word is None or said.startswith(before + word))
    return pd.Series(fine, index=frame.index)


def has_form(frame, name, form):
    """Where a text has a form, or is missing."""
    form = re.compile(form)
    return pd.Series([t is None or form.fullmatch(t) is not None for t in texts(frame, name)], index=frame.index)


def has_length(frame, name, fewest, most):
    """Where a text has so many characters, or is missing."""
    return pd.Series([t is None or fewest <= len(t) <= most for t in texts(frame, name)], index=frame.index)


def in_order(frame, low, high, strict):
    """Where two columns are in order, or one of them is missing."""
    first, second = numbers(frame, low), numbers(frame, high)
    return ~(first >= second if strict else first > second)


def beyond(frame, name, low, high):
    """Where a column holds a number or moment below or above two bounds."""
    cells = numbers(frame, name)
    low, high = ((pd.Timestamp(x, tz="UTC") if x is not None else None) if name in TIMES else x for x in (low, high))
    wrong = pd.Series(False, index=frame.index)
    if low is not None:
        wrong |= cells < low
    if high is not None:
        wrong |= cells > high
    return wrong


def within(frame, name, low, high):
    """Where a column holds a number or moment between two bounds, or is missing."""
    return ~(numbers(frame, name).isna() & frame[name].notna() | beyond(frame, name, low, high))


def holds(frame, name, values):
    """Where a column has one of these texts; None is a missing one."""
    return pd.Series([cell in values for cell in texts(frame, name)], index=frame.index)


def in_range_when(frame, by, value, name, low, high, exactly):
    """Where a number is in a range if a column has a value; if exactly, also only then."""
    here, outside = holds(frame, by, [value]), beyond(frame, name, low, high)
    wrong = here & outside
    return ~(wrong | (~here & ~outside & numbers(frame, name).notna())) if exactly else ~wrong


def in_range_by(frame, by, name, ranges):
    """Where a number is in the range that belongs to the value of a column."""
    wrong = pd.Series(False, index=frame.index)
    for value, low, high in ranges:
        wrong |= holds(frame, by, [value]) & beyond(frame, name, low, high)
    return ~wrong


def missing_when(frame, name, by, missing, present):
    """Where a column is missing, or not, as the value of another one says."""
    gone = frame[name].isna()
    return ~(holds(frame, by, missing) & ~gone | holds(frame, by, present) & gone)


def present(frame, names):
    """Where no column is missing."""
    return frame[names].notna().all(axis=1)


def missing_together(frame, names):
    """Where all columns are missing, or none of them."""
    gone = frame[names].isna()
    return gone.all(axis=1) | ~gone.any(axis=1)


def first_of_its_key(frame, names):
    """Where no earlier row has the same values; rows with a missing one are not compared."""
    cells = pd.DataFrame({name: texts(frame, name) for name in names}, index=frame.index)
    return ~(cells.duplicated() & present(frame, names))


def follows(frame, left, right, known):
    """Where the right value is the one that the left values came with, or the left values are new.

    If none are known, the first row of the frame with the left values says which one that is.
    """
    rows = zip(*(texts(frame, name) for name in (*left, right)))
    if not known:
        first = {}
        return pd.Series([first.setdefault(row[:-1], row[-1]) == row[-1] for row in rows], index=frame.index)
    return pd.Series([known.get(row[:-1], row[-1]) == row[-1] for row in rows], index=frame.index)

'''


def fact_check(fact: Fact, schema: Schema, place: int) -> str | None:
    """Return the expression over `frame` that is True for the rows that obey the fact; None if it has no test.

    `place` is where `KNOWN` holds the values of a dependency.
    """
    if isinstance(fact, Dependency):
        one = f"follows(frame, {fact.left!r}, {fact.right!r}, KNOWN[{place}][0])"
        return (
            one if not fact.both else f"{one} & follows(frame, ({fact.right!r},), {fact.left[0]!r}, KNOWN[{place}][1])"
        )
    writer = WRITERS.get(type(fact))
    return None if writer is None else f"{CALLS[type(fact)]}(frame, {writer(fact, schema)})"


def _sum(fact: LinearFact, schema: Schema) -> str:
    return f"{_terms(fact.names, fact.coefficients, schema)!r}, {fact.total}, {float(allowed_error(fact))!r}"


def _sum_order(fact: SumOrder, schema: Schema) -> str:
    signs = [1] * len(fact.low) + [-1] * len(fact.high)
    return f"{_terms(fact.columns, signs, schema)!r}, {float(ROUNDING)!r}"


def _terms(names: Sequence[str], factors: Sequence[int], schema: Schema) -> list[tuple[str, int]]:
    """Return columns with the factors that bring them to their common unit."""
    columns = tuple(schema[name] for name in names)
    units = (common_factor(columns, name) * 10 ** schema[name].scale for name in names)
    return [(name, factor * unit) for name, factor, unit in zip(names, factors, units, strict=True)]


def _range(fact: RangeFact, schema: Schema) -> str:
    column = schema[fact.name]
    return f"{fact.name!r}, {_bound(fact.lowest, column)}, {_bound(fact.highest, column)}"


def _range_when(fact: RangeWhen, schema: Schema) -> str:
    low, high = (_bound(bound, schema[fact.name]) for bound in (fact.lowest, fact.highest))
    return f"{fact.by!r}, {fact.value!r}, {fact.name!r}, {low}, {high}, {fact.exactly}"


def _range_by(fact: RangeBy, schema: Schema) -> str:
    column = schema[fact.name]
    ranges = ", ".join(f"({v!r}, {_bound(low, column)}, {_bound(high, column)})" for v, low, high in fact.ranges)
    return f"{fact.by!r}, {fact.name!r}, [{ranges}]"


def _names(fact: NeverMissing | MissingTogether | Key, schema: Schema) -> str:
    return f"{list(fact.names)!r}"


CALLS: dict[type[Fact], str] = {
    LinearFact: "adds_up",
    Order: "in_order",
    SumOrder: "at_most",
    DatePart: "is_part",
    StartsWith: "begins",
    TextForm: "has_form",
    TextLength: "has_length",
    Step: "multiples",
    RangeFact: "within",
    RangeWhen: "in_range_when",
    RangeBy: "in_range_by",
    MissingWhen: "missing_when",
    NeverMissing: "present",
    MissingTogether: "missing_together",
    Key: "first_of_its_key",
}
"""The function of an exported file that tests each kind of fact."""

WRITERS: dict[type[Fact], Callable[[Any, Schema], str]] = {
    LinearFact: _sum,
    Order: lambda fact, _: f"{fact.low!r}, {fact.high!r}, {fact.strict}",
    SumOrder: _sum_order,
    DatePart: lambda fact, _: f"{fact.name!r}, {fact.part!r}, {fact.time!r}, {fact.values!r}",
    StartsWith: lambda fact, _: f"{fact.name!r}, {fact.before!r}, {fact.part!r}, {fact.of!r}",
    TextForm: lambda fact, _: f"{fact.name!r}, {fact.regex!r}",
    TextLength: lambda fact, _: f"{fact.name!r}, {fact.fewest}, {fact.most}",
    Step: lambda fact, schema: f"{fact.name!r}, {10 ** schema[fact.name].scale}, {fact.step}",
    RangeFact: _range,
    RangeWhen: _range_when,
    RangeBy: _range_by,
    MissingWhen: lambda fact, _: f"{fact.name!r}, {fact.by!r}, {list(fact.missing)!r}, {list(fact.present)!r}",
    NeverMissing: _names,
    MissingTogether: _names,
    Key: _names,
}
"""What that function is given besides the frame."""


def known_values(fact: Dependency) -> str:
    """Return the values that a dependency has learned, in each direction that it decides."""
    sides = [{entry[:-1]: entry[-1] for entry in fact.mapping}]
    if fact.both:
        sides.append({entry[1:]: entry[0] for entry in fact.mapping})
    return f"[{', '.join(repr(side) for side in sides)}]"


def _bound(value: float | None, column: Column) -> str:
    if value is None:
        return "None"
    if column.role in TIMES:
        return repr(number_text(value, column))
    return repr(value) if column.role == "float" else repr(float(Decimal(value).scaleb(-column.scale)))
