"""Facts in pandera: the functions that an exported file needs to test them, and one check for each fact."""

from __future__ import annotations

from decimal import Decimal

from unwritten.exports.sql_facts import ROUNDING
from unwritten.facts import (
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
    """Where the right value is the one that the left values came with, or the left values are new."""
    rows = zip(*(texts(frame, name) for name in (*left, right)))
    return pd.Series([known.get(row[:-1], row[-1]) == row[-1] for row in rows], index=frame.index)

'''


def fact_check(fact: Fact, schema: Schema, place: int) -> str | None:
    """Return the expression over `frame` that is True for the rows that obey the fact; None if it has no test.

    `place` is where `KNOWN` holds the values of a dependency.
    """
    match fact:
        case LinearFact():
            columns = tuple(schema[name] for name in fact.names)
            terms = [
                (name, factor * common_factor(columns, name) * 10 ** schema[name].scale)
                for name, factor in zip(fact.names, fact.coefficients, strict=True)
            ]
            off = float(fact.tolerance + ROUNDING)
            return f"adds_up(frame, {terms!r}, {fact.total}, {off!r})"
        case Order():
            return f"in_order(frame, {fact.low!r}, {fact.high!r}, {fact.strict})"
        case RangeFact():
            column = schema[fact.name]
            return f"within(frame, {fact.name!r}, {_bound(fact.lowest, column)}, {_bound(fact.highest, column)})"
        case RangeWhen() | RangeBy() | MissingWhen():
            return _given_a_value(fact, schema[fact.name])
        case NeverMissing() | MissingTogether() | Key():
            test = {"never-missing": "present", "key": "first_of_its_key"}.get(fact.kind, "missing_together")
            return f"{test}(frame, {list(fact.names)!r})"
        case Dependency():
            one = f"follows(frame, {fact.left!r}, {fact.right!r}, KNOWN[{place}][0])"
            return (
                one
                if not fact.both
                else f"{one} & follows(frame, {(fact.right,)!r}, {fact.left[0]!r}, KNOWN[{place}][1])"
            )
    return None


def _given_a_value(fact: RangeWhen | RangeBy | MissingWhen, column: Column) -> str:
    """Return the expression of a condition on a column that depends on the value of another one."""
    match fact:
        case RangeWhen():
            low, high = (_bound(bound, column) for bound in (fact.lowest, fact.highest))
            return f"in_range_when(frame, {fact.by!r}, {fact.value!r}, {fact.name!r}, {low}, {high}, {fact.exactly})"
        case RangeBy():
            ranges = ", ".join(
                f"({v!r}, {_bound(low, column)}, {_bound(high, column)})" for v, low, high in fact.ranges
            )
            return f"in_range_by(frame, {fact.by!r}, {fact.name!r}, [{ranges}])"
        case MissingWhen():
            return f"missing_when(frame, {fact.name!r}, {fact.by!r}, {list(fact.missing)!r}, {list(fact.present)!r})"


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
