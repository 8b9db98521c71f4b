"""Reading: the sentences of facts, and what people write in the same words.

gross = net + tax               2·half = gross within 0.01      doubles + triples ≤ hits
start ≤ stop                    id is unique                    year and state are unique together
movieId determines title        a and b determine each other    hour = hour of start
price from 0 to 100             price is a multiple of 0.25     day is a date
id and price are never missing  paid and clerk are missing together
sku looks like AA-9999          note has at most 140 characters code starts with country
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from unwritten.conditions.forms import TOKEN, pieces_of
from unwritten.conditions.time_parts import NAMED, PARTS
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.facts.date_part import DatePart
from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.key import Key
from unwritten.facts.missing import MissingTogether, NeverMissing
from unwritten.facts.range_fact import RangeFact
from unwritten.facts.read_sums import read_sums
from unwritten.facts.starts_with import YEAR, StartsWith
from unwritten.facts.step import Step
from unwritten.facts.text_form import TextForm
from unwritten.facts.text_length import TextLength
from unwritten.rules import GIVEN, parse_rule
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.read_gaps import parse_gap
from unwritten.rules.language.reader import JSON_STRINGS, Reader, UnreadableError
from unwritten.rules.words import without_remark
from unwritten.tables import Schema
from unwritten.tables.column import Column, Level
from unwritten.tables.quoting import PLAIN, quoted, shown
from unwritten.tables.roles import DATE, NUMBERS, TIMES, TIMESTAMP, number_of

NUMBER = re.compile(r"[−+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][−+-]?\d+)?", re.ASCII)
AT_LEAST, AT_MOST = ("≥", ">="), ("≤", "<=")
RANGES = (("is", "a"), ("from",))


def parse_fact(text: str, schema: Schema) -> Fact:
    """Read the sentence of a fact; raise if it is none.

    >>> from unwritten.tables import Column
    >>> parse_fact("price from 0 to 9.5", Schema((Column("price", "skip", role="decimal", scale=2),))).highest
    950.0
    """
    text = without_remark(text.strip())
    columns = schema.columns
    scope = Scope(columns, (0,) * len(columns), schema.variables, len(columns))
    errors: list[UnreadableError] = []
    for form in FORMS:
        reader = Reader(text, scope)
        try:
            fact = form(reader)
            if reader.ended:
                return fact
            reader.fail(f"the rule does not end before {reader.rest}: remove what follows, or write two rules")
        except UnreadableError as error:
            errors.append(error)
    raise max(errors, key=lambda error: error.place)


def split_facts(rows: Iterable[Any], variables: Variables, schema: Schema | None) -> tuple[list[Any], list[Fact]]:
    """Tell the sentences of facts from all other rows: a sentence that can be a rule over variables is one."""
    others: list[Any] = []
    facts: list[Fact] = []
    for row in rows:
        fact = _fact_or_none(row, variables, schema) if isinstance(row, str) and schema is not None else None
        others += [row] if fact is None else []
        facts += [] if fact is None else [fact]
    return others, facts


def _fact_or_none(text: str, variables: Variables, schema: Schema) -> Fact | None:
    if not text.strip() or parse_gap(text, variables, schema) is not None:
        return None
    try:
        parse_rule(text, variables, schema)
    except UnreadableError as failure:
        try:
            return parse_fact(text, schema)
        except UnreadableError as other:
            raise (failure if failure.place >= other.place else other) from None
    return None


def _read_listed(reader: Reader) -> Fact:
    """Read what is said of several columns: keys, dependencies, missing values."""
    names = _read_names(reader)
    several = len(names) > 1
    if reader.try_words("are", "unique", "together") or reader.try_words("is", "unique"):
        return Key(names, origin=GIVEN)
    if reader.try_words("are", "never", "missing") or reader.try_words("is", "never", "missing"):
        return NeverMissing(names, origin=GIVEN)
    if several and reader.try_words("are", "missing", "together"):
        return MissingTogether(names, origin=GIVEN)
    if len(names) == 2 and reader.try_words("determine", "each", "other"):
        return Dependency(names[:1], names[1], (), both=True, origin=GIVEN)
    if reader.try_words("determine") or reader.try_words("determines"):
        right = _read_name(reader)
        if right in names:
            reader.fail(f"{shown(quoted(right))} determines itself: name it on one side only")
        return Dependency(names, right, (), origin=GIVEN)
    reader.fail(f"what is said of the columns is missing before {reader.rest}: write “is unique” or “determines”")


def _read_range(reader: Reader) -> Fact:
    column = _read_column(reader)
    form = next((words for words in RANGES if reader.try_words(*words)), None) or reader.try_sign(*AT_LEAST, *AT_MOST)
    if form is None:
        reader.fail(f"bounds are missing before {reader.rest}: write “price from 0 to 100” or “price ≥ 0”")
    name = shown(quoted(column.name))
    if column.role not in (*NUMBERS, *TIMES):
        reader.fail(f"{name} holds no numbers or dates: a range needs them")
    low = high = None
    if form == ("is", "a"):
        word = column.role if column.role in TIMES else "number"
        if not reader.try_words(word):
            reader.fail(f"“{word}” is missing before {reader.rest}: write “{name} is a {word}”")
    elif form == ("from",):
        low = _read_value(reader, column)
        if not reader.try_words("to"):
            reader.fail(f"“to” is missing before {reader.rest}: write “price from 0 to 100”")
        high = _read_value(reader, column)
        if low > high:
            reader.fail("a range ends below its start: write the smaller number first")
    elif form in AT_LEAST:
        low = _read_value(reader, column)
    else:
        high = _read_value(reader, column)
    return RangeFact(column.name, low, high, origin=GIVEN)


def _read_step(reader: Reader) -> Fact:
    column = _read_column(reader)
    if not reader.try_words("is", "a", "multiple", "of"):
        reader.fail(f"“is a multiple of” is missing before {reader.rest}: write “price is a multiple of 0.25”")
    if column.role not in ("integer", "decimal"):
        reader.fail(f"{shown(quoted(column.name))} holds no exact numbers: a step needs them")
    step = _read_value(reader, column)
    if step < 1 or step != int(step):
        reader.fail(f"the step has more digits than {shown(quoted(column.name))}, or is not above 0: write another one")
    return Step(column.name, int(step), origin=GIVEN)


def _read_date_part(reader: Reader) -> Fact:
    name = _read_name(reader)
    part = None
    if reader.try_sign("="):
        part = next((each for each in PARTS if reader.try_words(each, "of")), None)
    if part is None:
        reader.fail(f"a part of a date is missing before {reader.rest}: write “month = month of day”")
    time = _read_column(reader)
    if time.role not in TIMES:
        reader.fail(f"{shown(quoted(time.name))} holds no dates: name a column of dates or timestamps")
    values: list[Level] = []
    if reader.try_sign(":"):
        values = [_read_called(reader)]
        while reader.try_sign(","):
            values.append(_read_called(reader))
    if values and len(values) != NAMED.get(part):
        reader.fail(f"{len(values)} names are given for each {part}: list all of them from the first on, ? if unknown")
    return DatePart(name, part, time.name, tuple(values), origin=GIVEN)


def _read_called(reader: Reader) -> Level:
    return None if reader.try_sign("?") else _read_text(reader)


def _read_starts_with(reader: Reader) -> Fact:
    name = _read_name(reader)
    if not reader.try_words("starts", "with"):
        reader.fail(f"“starts with” is missing before {reader.rest}: write “code starts with country”")
    start, before = reader.place, ""
    if reader.try_sign('"'):
        reader.place -= 1
        before = _read_text(reader)
        if not reader.try_words("and"):
            before, reader.place = "", start
    part = YEAR if reader.try_words(YEAR, "of") else ""
    other = _read_column(reader)
    if bool(part) != (other.role in TIMES):
        reader.fail(f"a text starts with the year of a date: write “year of”, or another column than {other.name}")
    return StartsWith(name, other.name, before, part, origin=GIVEN)


def _read_form(reader: Reader) -> Fact:
    name = _read_name(reader)
    if not reader.try_words("looks", "like"):
        reader.fail(f"“looks like” is missing before {reader.rest}: write “sku looks like AA-9999”")
    forms = [_read_one_form(reader)]
    while reader.try_words("or"):
        forms.append(_read_one_form(reader))
    return TextForm(name, tuple(forms), origin=GIVEN)


def _read_one_form(reader: Reader) -> str:
    _ = reader.rest  # skips blanks
    start = reader.place
    while token := TOKEN.match(reader.text, reader.place):
        reader.place = token.end()
    form, rest = reader.text[start : reader.place], reader.text[reader.place :]
    if rest and not rest[0].isspace():
        form += rest.split()[0]
    try:
        pieces_of(form)
    except DataError as error:
        reader.fail(str(error), reader.place + 1)
    return form


def _read_length(reader: Reader) -> Fact:
    name = _read_name(reader)
    if not reader.try_words("has"):
        reader.fail(f"“has” is missing before {reader.rest}: write “note has at most 140 characters”")
    at_most = reader.try_words("at", "most")
    first = reader.try_integer()
    last = reader.try_integer() if first is not None and reader.try_words("to") else first
    if first is None or last is None or last < first:
        reader.fail(f"a number is missing before {reader.rest}: write “has 5 characters” or “has 2 to 40 characters”")
    if not (reader.try_words("characters") or reader.try_words("character")):
        reader.fail(f"“characters” is missing before {reader.rest}: write “note has at most 140 characters”")
    return TextLength(name, 0 if at_most else first, last, origin=GIVEN)


def _read_names(reader: Reader) -> tuple[str, ...]:
    """Read `a`, `a and b`, or `a, b and c`."""
    names = [_read_name(reader)]
    while reader.try_sign(",") or reader.try_words("and"):
        names.append(_read_name(reader))
    if len(set(names)) < len(names):
        reader.fail("a column is named twice: name it once")
    return tuple(names)


def _read_name(reader: Reader) -> str:
    return _read_column(reader).name


def _read_column(reader: Reader) -> Column:
    return reader.scope.columns[reader.read_column()]


def _read_text(reader: Reader) -> str:
    """Read a plain word, or a text in quotes."""
    _ = reader.rest  # skips blanks
    if reader.text.startswith('"', reader.place):
        try:
            text, reader.place = JSON_STRINGS.raw_decode(reader.text, reader.place)
        except ValueError:
            reader.fail(f'a quote is not closed, or not a JSON string, at {reader.rest}: end the text with "')
        return str(text)
    word = PLAIN.match(reader.text, reader.place)
    if word is None:
        reader.fail(f"a text is missing before {reader.rest}: write a word, or a text in double quotes")
    reader.place = word.end()
    return word[0]


def _read_value(reader: Reader, column: Column) -> float:
    """Read a number or a moment, in the unit of a column."""
    _ = reader.rest  # skips blanks
    pattern = {"date": DATE, "timestamp": TIMESTAMP}.get(column.role, NUMBER)
    match = pattern.match(reader.text, reader.place)
    if match is None and column.role == "timestamp":
        match = DATE.match(reader.text, reader.place)
    if match is None:
        what = "a date such as 2025-01-31" if column.role in TIMES else "a number"
        reader.fail(f"{what} is missing before {reader.rest}: write one")
    value = number_of(_plain_number(match[0]), column.role, column.scale)
    if value is None:
        reader.fail(f"{match[0]} is no value of {shown(quoted(column.name))}: write another one")
    reader.place = match.end()
    return float(value)


def _plain_number(text: str) -> str:
    return text.replace("−", "-").removeprefix("+")


FORMS: tuple[Callable[[Reader], Fact], ...] = (
    _read_listed,
    _read_date_part,
    _read_starts_with,
    _read_form,
    _read_length,
    _read_step,
    _read_range,
    read_sums,
)
