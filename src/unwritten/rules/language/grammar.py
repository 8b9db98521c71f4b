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

from collections.abc import Callable

from unwritten import budgets
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.rules.columns.scope import Scope
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
    rows_of,
)
from unwritten.rules.triples import Row
from unwritten.rules.words import without_remark
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.schema import Schema

LARGEST = (1 << 63) - 1  # what 64 bits hold


def parse_rule(text: str, variables: Variables, schema: Schema | None) -> list[Row]:
    """Read a sentence; return its rows as triples that `RuleSet.of` reads.

    With a schema, names are those of its columns; if the text cannot be read so, those of the variables are tried.

    >>> parse_rule("a requires b", Variables.named("abc"), None)
    [({'a': 1, 'b': -1}, '<=', 0)]
    >>> parse_rule("exactly two of a, b = 0, c", Variables.named("abc"), None)
    [({'a': 1, 'b': -1, 'c': 1}, '==', 1)]
    """
    if len(text) > budgets.RULE_CHARACTERS:
        raise DataError(
            f"a rule has {len(text):,} characters: write one of at most {budgets.RULE_CHARACTERS:,}, or several"
        )
    text = without_remark(text.strip())
    if not text:
        raise DataError("a rule is empty: write one such as “a requires b” or “a + b <= 1”")
    try:
        return _triples(text, Scope.of(variables, schema))
    except UnreadableError as failure:
        if schema is None:
            raise
        try:  # the text of a single rule is over variables
            triples = _triples(text, Scope.of(variables, None))
        except UnreadableError:
            raise failure from None
        coefficients, sense, rhs = triples[0]
        if len(coefficients) == 1 and sense == "==" and rhs not in (0, 1):
            raise  # a number that a boolean column does not have
        return triples


def _triples(text: str, scope: Scope) -> list[Row]:
    rows = rows_of(_read_statement(text, scope), scope)
    if any(abs(number) > LARGEST for entries, _, rhs in rows for number in (rhs, *entries.values())):
        raise DataError("a rule has numbers beyond 64 bits: write it with smaller ones")
    names = scope.variables.names
    return [({names[j]: value for j, value in a.items()}, "==" if equal else "<=", b) for a, equal, b in rows]


def _read_statement(text: str, scope: Scope) -> Statement:
    """Read the text in the first form that fits; if none does, raise the error of the form that got furthest."""
    errors: list[UnreadableError] = []
    forms: tuple[Callable[[Reader], Statement], ...] = (_read_count, _read_pair, read_linear)
    if not scope.has_table:
        forms = (_read_count, read_linear, _read_pair)  # `0 = 1` may be about a variable `1`
    for form in (*forms, _read_all_differ, _read_go_together):
        reader = Reader(text, scope)
        try:
            statement = form(reader)
            if reader.ended:
                return statement
            reader.fail(f"the rule does not end before {reader.rest}: remove what follows, or write two rules")
        except UnreadableError as error:
            errors.append(error)
    raise max(errors, key=lambda error: error.place)


def _read_count(reader: Reader) -> Statement:
    for word in (EXACTLY, AT_MOST, AT_LEAST):
        if reader.try_words(*word.split()) and (number := reader.try_count()) is not None:
            if not reader.try_words("of"):
                reader.fail(f"“of” is missing before {reader.rest}: write “at most two of a, b, c”")
            literals = [read_literal(reader)]
            while reader.try_sign(","):
                literals.append(read_literal(reader))
            return Count(word, number, tuple(literals))
        reader.place = 0
    reader.fail("a count is missing: begin with one such as “at most two of”", -1)


def _read_pair(reader: Reader) -> Statement:
    """Read two literals, or one that is always or never true."""
    alone = reader.try_column() is not None and reader.ended
    if not alone:
        reader.place = 0
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
