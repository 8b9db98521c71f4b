"""Reading patterns: "for every nurse and day: night requires off the next day" becomes the rows that it stands for.

The phrases are those of `patterns.pattern_words`. What holds is a statement over terms, as `grammar` reads it, or in
words that only patterns have; its rows are then put at every place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from unwritten import budgets
from unwritten.data import Variables
from unwritten.errors import DataError
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.grammar import read_first, read_statement
from unwritten.rules.language.parse_literal import read_literal
from unwritten.rules.language.parse_sum import RELATIONS, read_linear
from unwritten.rules.language.read_places import Move, PlaceReader, Vocabulary
from unwritten.rules.language.read_terms import PlacedTerm, TermReader
from unwritten.rules.language.reader import UnreadableError
from unwritten.rules.language.statements import (
    AT_LEAST,
    AT_MOST,
    EXACTLY,
    Count,
    Fixed,
    Linear,
    SparseRow,
    Statement,
    Term,
    rows_of,
)
from unwritten.rules.patterns.pattern import Template
from unwritten.rules.patterns.pattern_axes import PatternAxes
from unwritten.rules.triples import Row
from unwritten.tables.column import Column

Statements = tuple[Statement, ...]


def is_pattern(text: str) -> bool:
    """True if a text begins as patterns do."""
    return text[:4].lower() == "for "


def pattern_rows(text: str, variables: Variables) -> list[Row]:
    """Read a pattern; return all its rows as triples."""
    if not variables.layout.grids:
        raise UnreadableError(
            "a rule for every place needs variables with indices: name them so (“nurse 3 / mon”), or give axes=", 0
        )
    axes = PatternAxes.of(variables.layout, len(variables))
    errors: list[UnreadableError] = []
    for grid, binary in product(range(len(axes.dims)), (True, False)):
        try:
            return list(_rows(text, variables, Vocabulary(axes, grid), binary))
        except UnreadableError as error:
            errors.append(error)
    raise max(errors, key=lambda error: error.place)


def _rows(text: str, variables: Variables, vocabulary: Vocabulary, binary: bool) -> Iterator[Row]:
    """The rows of a pattern whose terms are all 0/1, or (unless `binary`) are not."""
    axes, terms = vocabulary.axes, dict[PlacedTerm, int]()
    column = Column("", "boolean", ("0", "1"), "integer") if binary else Column("number", "integer", (), "integer")
    most = len(text) + sum(grid.places.size for grid in axes.layout.grids)  # more terms than there can be
    scope = Scope((column,) * most, tuple(range(most)), variables, 0)
    header = PlaceReader(text, scope, vocabulary)
    moves = header.read_header()

    def begin() -> TermReader:
        reader = TermReader(text, scope, vocabulary, moves, terms)
        reader.place = header.place
        return reader

    statements = read_first(begin, (_read_count, _read_total, _read_fixed, _read_followed, _read_between, _read_one))
    rows = [row for statement in statements for row in rows_of(statement, scope)]
    templates = [_template(row, list(terms), tuple(moves)) for row in rows]
    end = begin()
    end.place = len(text)
    bases = _bases(end, moves, templates[0])
    if prod(map(len, bases)) > budgets.PATTERN_RULES:
        raise DataError(
            f"a pattern stands for more than {budgets.PATTERN_RULES:,} rules: write several for parts of it"
        )
    for place, template in product(product(*bases), templates):
        cells = template.cells(axes, place)
        if not all(own.size for own in cells):
            end.fail("there is no variable at some of these places: name the places where there is one")
        if bool(variables.binary[np.concatenate(cells)].all()) < binary:
            end.fail("only 0/1 variables are counted: write “the sum over …”, or a sum of terms")
        entries = zip(cells, template.coefficients.tolist(), strict=True)
        triple = {variables.names[c]: value for own, value in entries for c in own}
        yield triple, template.sense, template.rhs


def _template(row: SparseRow, terms: Sequence[PlacedTerm], moving: tuple[int, ...]) -> Template:
    """A row over terms as one over coordinates."""
    coefficients, equality, rhs = row
    grids = np.array([terms[t][0] for t in coefficients], np.int64)
    coordinates = np.array([terms[t][1] for t in coefficients], np.int64)
    values = np.array(list(coefficients.values()), np.int64)
    return Template(moving, grids, coordinates, values, "==" if equality else "<=", rhs)


def _bases(reader: TermReader, moves: dict[int, Move], template: Template) -> list[tuple[int, ...]]:
    """The places at which the row stands on each axis along which it moves."""
    if not len(template.grids):
        reader.fail("the terms of a pattern cancel out: name each once")
    bases = []
    for a, move in moves.items():
        span, name = template.span(a), reader.vocabulary.words[a].singular
        if not span or span != (move.span or span):
            reader.fail(f"{name} is not among the indices of what follows: leave it out, or name it there")
        bases.append(move.bases(reader.vocabulary.size(a), span))
        if not bases[-1] or bases[-1][-1] + span > reader.vocabulary.size(a):
            reader.fail(f"the rule does not fit there on {name}: name other places")
    return bases


def _read_count(reader: TermReader) -> Statements:
    """Read "at most two of the 16 nurses at night", "two to four of …"."""
    word = next((word for word in (EXACTLY, AT_MOST, AT_LEAST) if reader.try_words(*word.split())), None)
    numbers = _read_numbers(reader) if word is None else (_read_number(reader),)
    if not reader.try_words("of"):
        reader.fail(f"“of” is missing before {reader.rest}: write “at most two of the 7 days”")
    if reader.scope.columns[0].kind == "integer":
        reader.fail("only 0/1 variables are counted: write “the sum over the 7 days <= 2”")
    literals = reader.read_scope()
    words = (AT_LEAST, AT_MOST) if word is None else (word,)
    return tuple(Count(own, number, literals) for own, number in zip(words, numbers, strict=True))


def _read_total(reader: TermReader) -> Statements:
    """Read "the sum over the 7 days ≤ 40", "the sum of x over the 7 days is 5 to 30"."""
    if not (reader.try_words("the", "sum", "over") or reader.try_words("the", "sum", "of")):
        reader.fail(f"a sum is missing before {reader.rest}: write “the sum over the 7 days <= 40”")
    terms: tuple[Term, ...] = tuple((1, literal.column) for literal in reader.read_scope())
    if reader.try_words("is"):
        low, high = _read_numbers(reader)
        return Linear(terms, "≥", low), Linear(terms, "≤", high)
    sign = reader.try_sign(*RELATIONS)
    if sign is None:
        reader.fail(f"an operator is missing before {reader.rest}: write =, <=, >= or “is 5 to 30”")
    relation, shift = RELATIONS[sign]
    return (Linear(terms, relation, _read_number(reader) + shift),)


def _read_fixed(reader: TermReader) -> Statements:
    """Read "never night"."""
    never = reader.try_words("never")
    if not never and not reader.try_words("always"):
        reader.fail(f"“never” is missing before {reader.rest}: write “never night”")
    return (Fixed(read_literal(reader), never),)


def _read_followed(reader: TermReader) -> Statements:
    """Read "not night and then morning the next day"."""
    if not reader.try_words("not"):
        reader.fail(f"“not” is missing before {reader.rest}: write “not night and then morning the next day”")
    first = read_literal(reader)
    if not reader.try_words("and", "then"):
        reader.fail(f"“and then” is missing before {reader.rest}: write “not night and then morning the next day”")
    return (Count(AT_MOST, 1, (first, read_literal(reader))),)


def _read_between(reader: TermReader) -> Statements:
    """Read "2 ≤ x[i] + y[i] ≤ 5"."""
    low = _read_number(reader)
    if not reader.try_sign("≤", "<="):
        reader.fail(f"≤ is missing before {reader.rest}: write “2 <= x[i] + y[i] <= 5”")
    upper = read_linear(reader)
    if upper.relation != "≤":
        reader.fail("a sum between two numbers has ≤ twice: write “2 <= x[i] + y[i] <= 5”")
    return Linear(upper.terms, "≥", low), upper


def _read_one(reader: TermReader) -> Statements:
    """Read a statement as it is said of single variables."""
    start = reader.place

    def again() -> TermReader:
        reader.place = start
        return reader

    return (read_statement(again),)


def _read_numbers(reader: TermReader) -> tuple[int, int]:
    low = _read_number(reader)
    if not reader.try_words("to"):
        reader.fail(f"“to” is missing before {reader.rest}: write “two to four”")
    return low, _read_number(reader)


def _read_number(reader: TermReader) -> int:
    number = reader.try_count()
    if number is None:
        reader.fail(f"a number is missing before {reader.rest}: write one such as “at most two of”")
    return number
