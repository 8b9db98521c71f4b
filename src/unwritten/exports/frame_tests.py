"""Tests of the rows of a pandas frame: every exported pandera schema holds a copy of this file.

A test is a series of pandas' nullable booleans, and missing where a cell is missing that it needs: `&`, `|`, `~` and
`==` then work as in SQL.
"""

import datetime
import math
import re

import numpy as np
import pandas as pd

EPOCH = pd.Timestamp("1970-01-01", tz="UTC")


def text(cell):
    """A value as text: whole numbers without a fraction, truth as true and false."""
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, (float, np.floating)):
        return str(int(cell)) if math.isfinite(cell) and cell == int(cell) else repr(float(cell))
    word = str(cell)
    return word.partition(".")[0] if re.fullmatch(r"-?(0|[1-9]\d{0,17})[.]0+", word) else word


def texts(frame, name):
    """The cells of a column as text; None where they are missing."""
    cells = frame[name].astype(object)
    return [None if gone else text(cell) for cell, gone in zip(cells, cells.isna())]


def numbers(frame, name):
    """The cells of a column as numbers, times as seconds; missing where there is no such value."""
    if name not in TIMES:
        return pd.to_numeric(frame[name], errors="coerce").astype(float)
    words = [None if gone else str(cell) for cell, gone in zip(frame[name], frame[name].isna())]
    times = pd.Series(words, index=frame.index, dtype=object)
    return (pd.to_datetime(times, errors="coerce", format="ISO8601", utc=True) - EPOCH).dt.total_seconds()


def moment(word):
    """A date or time in seconds."""
    return (pd.Timestamp(word, tz="UTC") - EPOCH).total_seconds()


def truth(frame, passes):
    """A test from a list of True, False and None."""
    return pd.Series(list(passes), index=frame.index, dtype="boolean")


def every(tests):
    """Where all of many tests are true."""
    result = tests[0]
    for test in tests[1:]:
        result = result & test
    return result


def one_of(frame, name, values):
    """Where a column has one of these values; None is a missing one."""
    if name in BINS:
        edges, bins = BINS[name]
        places = np.searchsorted(edges, numbers(frame, name), side="right")
        codes = [None if math.isnan(x) else bins[k] for x, k in zip(numbers(frame, name), places)]
        gone = frame[name].isna()
        return truth(frame, (word in values if word or none else None for word, none in zip(codes, gone)))
    return truth(frame, (word in values for word in texts(frame, name)))


def missing(frame, name):
    """Where a column is missing."""
    return frame[name].isna().astype("boolean")


def readable(frame, name):
    """Where a column holds a number or time."""
    return numbers(frame, name).notna().astype("boolean").mask(frame[name].isna())


def within(frame, terms, lowest, highest, off=0, strict=False):
    """Where a sum is at least `lowest` and at most `highest`; a factor comes with a column, some columns or a test."""
    total = pd.Series(0.0, index=frame.index)
    for factor, term in terms:
        names = (term,) if isinstance(term, str) else term if isinstance(term, tuple) else ()
        total = total + factor * (math.prod(numbers(frame, name) for name in names) if names else term.astype(float))
    beyond = pd.Series(False, index=frame.index)
    if lowest is not None:
        beyond |= lowest - total > off
    if highest is not None:
        beyond |= total >= highest if strict else total - highest > off
    return (~beyond).astype("boolean").mask(total.isna())


def within_by(frame, by, name, ranges):
    """Where a number is in the range that belongs to the value of a column."""
    found, passes = numbers(frame, name), []
    for word, number in zip(texts(frame, by), found):
        low, high = ranges.get(word, (None, None))
        passes.append((low is None or not number < low) and (high is None or not number > high))
    return truth(frame, passes)


def multiple_of(frame, name, scale, step):
    """Where a number is a multiple of a step."""
    scaled = numbers(frame, name) * scale
    rest = (scaled - (scaled / step).round() * step).abs()
    return (rest <= 0.01).astype("boolean").mask(rest.isna())


def time_parts(word):
    """The parts of an ISO date or timestamp; none if it is no time."""
    try:
        time = datetime.datetime.fromisoformat(word)
    except ValueError:
        return {}
    return {
        "date": word[:10],
        "year": str(time.year),
        "quarter": str((time.month + 2) // 3),
        "month": str(time.month),
        "day": str(time.day),
        "weekday": str(time.isoweekday()),
        "hour": str(time.hour),
        "minute": str(time.minute),
        "second": str(time.second),
    }


def is_part(frame, name, part, time, names):
    """Where a column says a part of a time; names are what the parts are called."""
    passes = []
    for said, word in zip(texts(frame, name), texts(frame, time)):
        found = None if word is None else time_parts(word).get(part)
        wanted = names[int(found) - 1] if found and names else found
        known = said is not None and wanted is not None
        passes.append((said[:10] if part == "date" else said) == wanted if known else None)
    return truth(frame, passes)


def begins(frame, name, other, before, part):
    """Where a text begins with another column, or with a part of its time."""
    passes = []
    for said, word in zip(texts(frame, name), texts(frame, other)):
        if part and word is not None:
            word = time_parts(word).get(part)
        passes.append(None if said is None or word is None else said.startswith(before + word))
    return truth(frame, passes)


def alike(frame, name, other):
    """Where two columns have the same text."""
    pairs = zip(texts(frame, name), texts(frame, other))
    return truth(frame, (None if one is None or two is None else one == two for one, two in pairs))


def has_form(frame, name, form):
    """Where a text has a form, which is a regular expression."""
    return truth(frame, (None if t is None else re.fullmatch(form, t) is not None for t in texts(frame, name)))


def has_length(frame, name, fewest, most):
    """Where a text has so many characters."""
    return truth(frame, (None if t is None else fewest <= len(t) <= most for t in texts(frame, name)))


def unique(frame, names):
    """Where no earlier row has the same values; rows with a missing one are not compared."""
    cells = pd.DataFrame({name: texts(frame, name) for name in names}, index=frame.index)
    return truth(frame, ~(cells.duplicated() & frame[list(names)].notna().all(axis=1)))


def decides(frame, left, right, known):
    """Where the right value is the one that the left values came with, or the left values are new.

    If none are known, the first row of the frame with the left values says which one that is.
    """
    rows, first = zip(*(texts(frame, name) for name in (*left, right))), {}
    right_of = known.get if known else first.setdefault
    return truth(frame, (right_of(row[:-1], row[-1]) == row[-1] for row in rows))
