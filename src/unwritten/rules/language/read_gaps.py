"""Read gaps: the sentences of gaps, and what people write in the same words.

start ≠ end                     x + 2 ≠ y
all different: a, b + 1, c      a, b, c all differ
|x − y| ≠ 2                     a + 3 ≤ b or b + 4 ≤ a
all differences differ: a, b, c
"""

from __future__ import annotations

from collections.abc import Callable

from unwritten.data import Variables
from unwritten.rules.columns.scope import Scope
from unwritten.rules.gaps.gap import Gap
from unwritten.rules.language.reader import Reader, UnreadableError
from unwritten.rules.words import without_remark
from unwritten.tables.schema import Schema

NOT_EQUAL = ("≠", "!=", "<>")
AT_MOST = ("≤", "<=")
MINUS = ("−", "-")
LARGEST = 2**53

Term = tuple[str, int]  # a variable, and the number that is added to it


def parse_gap(text: str, variables: Variables, schema: Schema | None) -> Gap | None:
    """Read a sentence over integer columns as a gap; None if it is not one.

    >>> parse_gap("|x - y| != 2", Variables.named("xy", upper=9), None)
    Gap('|x − y| ≠ 2')
    """
    scope = Scope.of(variables, schema)
    text = without_remark(text.strip())
    if not any(sign in text for sign in (*NOT_EQUAL, " or ", "different", "differ")):
        return None
    forms: tuple[Callable[[Reader], Gap | None], ...] = (
        _read_distance,
        _read_all_different,
        _read_all_differences,
        _read_all_differ,
        _read_either_or,
        _read_not_equal,
    )
    for form in forms:
        reader = Reader(text, scope)
        try:
            gap = form(reader)
        except UnreadableError:
            continue
        if gap is not None and reader.ended:
            return gap
    return None


def _read_term(reader: Reader) -> Term | None:
    """An integer column, perhaps with a number that is added or taken away."""
    c = reader.try_column()
    if c is None or reader.scope.columns[c].kind != "integer":
        return None
    number = 0
    sign = reader.try_sign("+", *MINUS)
    if sign:
        size = reader.try_integer()
        if size is None or size > LARGEST:
            return None
        number = size if sign == "+" else -size
    return _variable(reader, c), number


def _read_column(reader: Reader, any_number: bool = False) -> str | None:
    """An integer column; with `any_number`, also a variable of no table that is only 0 or 1."""
    c = reader.try_column()
    is_number = c is not None and (
        reader.scope.columns[c].kind == "integer" or (any_number and c >= reader.scope.table_columns)
    )
    return _variable(reader, c) if c is not None and is_number else None


def _variable(reader: Reader, c: int) -> str:
    """The name of the variable of an integer column."""
    return reader.scope.variables.names[reader.scope.starts[c]]


def _read_not_equal(reader: Reader) -> Gap | None:
    left = _read_term(reader)
    if left is None or not reader.try_sign(*NOT_EQUAL):
        return None
    right = _read_term(reader)
    if right is None or left[0] == right[0]:
        return None
    return Gap.not_equal(left[0], right[0], right[1] - left[1])


def _read_distance(reader: Reader) -> Gap | None:
    if not reader.try_sign("|"):
        return None
    first = _read_column(reader)
    if first is None or not reader.try_sign(*MINUS):
        return None
    second = _read_column(reader)
    if second is None or first == second or not reader.try_sign("|") or not reader.try_sign(*NOT_EQUAL):
        return None
    number = reader.try_integer()
    if number is None or number > LARGEST:
        return None
    return Gap.distance(first, second, number) if number else Gap.not_equal(first, second)


def _read_all_different(reader: Reader) -> Gap | None:
    if not reader.try_words("all", "different") or not reader.try_sign(":"):
        return None
    return _different(_read_terms(reader))


def _read_all_differences(reader: Reader) -> Gap | None:
    if not reader.try_words("all", "differences", "differ") or not reader.try_sign(":"):
        return None
    names = [_read_column(reader, any_number=True)]
    while names[-1] is not None and reader.try_sign(","):
        names.append(_read_column(reader, any_number=True))
    read = [name for name in names if name is not None]
    return Gap.all_differences(read) if len(names) == len(set(read)) > 2 else None


def _read_all_differ(reader: Reader) -> Gap | None:
    terms = _read_terms(reader)
    if not (reader.try_words("all", "differ") or reader.try_words("all", "different")):
        return None
    return _different(terms)


def _read_terms(reader: Reader) -> list[Term | None]:
    terms = [_read_term(reader)]
    while terms[-1] is not None and reader.try_sign(","):
        terms.append(_read_term(reader))
    return terms


def _different(terms: list[Term | None]) -> Gap | None:
    read = [term for term in terms if term is not None]
    names = [name for name, _ in read]
    if len(read) < max(2, len(terms)) or len(set(names)) < len(names):
        return None
    return Gap.all_different(names, tuple(number for _, number in read))


def _read_either_or(reader: Reader) -> Gap | None:
    """`a + 3 ≤ b or b + 4 ≤ a`, in either order."""
    before = _read_order(reader)
    if before is None or not reader.try_words("or"):
        return None
    after = _read_order(reader)
    if after is None or before[:2] != after[1::-1]:
        return None
    first, second, low = before
    high = -after[2]
    if high - low < 2:
        return None
    if high - low == 2:
        return Gap.not_equal(first, second, low + 1)
    return Gap.either_or(first, second, low, high)


def _read_order(reader: Reader) -> tuple[str, str, int] | None:
    """`less ≤ more`, as (less, more, what less − more is at most)."""
    less = _read_term(reader)
    if less is None or not reader.try_sign(*AT_MOST):
        return None
    more = _read_term(reader)
    return None if more is None or less[0] == more[0] else (less[0], more[0], more[1] - less[1])
