"""The language of rules: reads the text of sentences and rules, and what people write in the same words.

    trim = sport requires engine ∈ {B, C}        trim = sport excludes engine = A
    v1 = 3 exactly when v15 = 0                  trim = sport never
    at most two of trim = sport, roof = glass    r1c1, r1c2, r1c3 all differ
    seats + cargo = 9                            2·[trim = sport] + seats ≤ 5
    code and name go together: 1 ↔ x, 2 ↔ y      a = b + c

Names and values that are not plain words are written in double quotes. ∈, ≠, ≤, ≥, ·, − and ↔ may be typed as
`in`, `!=`, `<=`, `>=`, `*`, `-` and `<->`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from unwritten.rules.language.parse_literal import read_literal
from unwritten.rules.language.parse_sum import read_linear
from unwritten.rules.language.reader import Reader, UnreadableError
from unwritten.rules.language.statements import (
    AT_LEAST,
    AT_MOST,
    EXACTLY,
    EXACTLY_WHEN,
    EXCLUDES,
    REQUIRES,
    AllDiffer,
    Count,
    Fixed,
    GoTogether,
    Pair,
    Statement,
)
from unwritten.tables.quoting import quoted, shown

R = TypeVar("R", bound=Reader)
T = TypeVar("T")


def read_statement(begin: Callable[[], Reader]) -> Statement:
    """Read the text in the first form that fits; if none does, raise the error of the form that got furthest.

    `begin` makes a reader that stands where the statement begins.
    """
    forms: tuple[Callable[[Reader], Statement], ...] = (_read_count, _read_pair, read_linear)
    if not begin().scope.has_table:
        forms = (_read_count, read_linear, _read_pair)  # `0 = 1` may be about a variable `1`
    return read_first(begin, (*forms, _read_all_differ, _read_go_together))


def read_first(begin: Callable[[], R], forms: Iterable[Callable[[R], T]]) -> T:
    """Read the whole text in the first form that fits; if none does, raise the error of the one that got furthest."""
    errors: list[UnreadableError] = []
    for form in forms:
        reader = begin()
        try:
            read = form(reader)
            if reader.ended:
                return read
            reader.fail(f"the rule does not end before {reader.rest}: remove what follows, or write two rules")
        except UnreadableError as error:
            errors.append(error)
    raise max(errors, key=lambda error: error.place)


def _read_count(reader: Reader) -> Statement:
    start = reader.place
    for word in (EXACTLY, AT_MOST, AT_LEAST):
        if reader.try_words(*word.split()) and (number := reader.try_count()) is not None:
            if not reader.try_words("of"):
                reader.fail(f"“of” is missing before {reader.rest}: write “at most two of a, b, c”")
            literals = [read_literal(reader)]
            while reader.try_sign(","):
                literals.append(read_literal(reader))
            return Count(word, number, tuple(literals))
        reader.place = start
    reader.fail("a count is missing: begin with one such as “at most two of”", -1)


def _read_pair(reader: Reader) -> Statement:
    """Read two literals, or one that is always or never true."""
    start = reader.place
    alone = reader.try_column() is not None and reader.ended
    if not alone:
        reader.place = start
        left = read_literal(reader)
        for word in (REQUIRES, EXCLUDES, EXACTLY_WHEN):
            if reader.try_words(*word.split()):
                return Pair(left, word, read_literal(reader))
        if reader.try_words("never"):
            return Fixed(left, never=True)
        if reader.try_words("always") or reader.ended:
            return Fixed(left)
    reader.fail(
        f"an operator is missing before {reader.rest}: write requires, excludes, exactly when, always, never, = or <="
    )


def _read_all_differ(reader: Reader) -> Statement:
    columns = [reader.read_column()]
    while reader.try_sign(","):
        columns.append(reader.read_column())
    if len(columns) < 2 or not (reader.try_words("all", "differ") or reader.try_words("all", "different")):
        reader.fail(
            f"“all differ” is missing before {reader.rest}: write “a, b, c all differ”",
            reader.place * (len(columns) > 1),
        )
    if len(set(columns)) < len(columns):
        reader.fail("a column that should differ from others is named twice: name it once")
    for c in columns:
        _require_levels(reader, c)
    return AllDiffer(tuple(columns))


def _read_go_together(reader: Reader) -> Statement:
    left = reader.read_column()
    if not reader.try_words("and"):
        reader.fail("“and” is missing: write “a and b go together: 1 ↔ x, 2 ↔ y”", 0)
    right = reader.read_column()
    if not (reader.try_words("go", "together") and reader.try_sign(":")):
        reader.fail(f"“go together:” is missing before {reader.rest}: write “a and b go together: 1 ↔ x, 2 ↔ y”")
    for c in (left, right):
        _require_levels(reader, c)
    pairs: list[tuple[int, int]] = []
    while not pairs or reader.try_sign(","):
        left_level = reader.read_level(left)
        if not reader.try_sign("↔", "<->"):
            reader.fail(f"“↔” is missing before {reader.rest}: write “a and b go together: 1 ↔ x, 2 ↔ y”")
        pairs.append((left_level, reader.read_level(right)))
    return GoTogether(left, right, tuple(pairs))


def _require_levels(reader: Reader, c: int) -> None:
    """Fail if the column is an integer column, which has no list of values."""
    column = reader.scope.columns[c]
    if not column.levels:
        name = shown(quoted(column.name))
        reader.fail(
            f"{name} is an integer column, and a rule of this form needs a list of values: read it as a category"
        )
