"""Shapes: read plain JSON into the values that annotations describe, and refuse everything else.

What a file may hold is said once, by the annotations of the class that it becomes. `Annotated` adds what a type cannot
say: a range, or that a name must be known. A test may ask the `context`, such as the columns of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from unwritten.errors import FormatError

LARGEST_FLOAT = 1.7976931348623157e308
EXACT_IN_FLOATS = 2**53

Reader = Callable[[Any, Any], Any]  # from a JSON value and the context to the value that it stands for


@dataclass(frozen=True)
class Where:
    """A condition of a value that its type cannot say; `words` name what is allowed."""

    words: str
    holds: Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Between:
    """A number within two bounds, which are included."""

    low: float
    high: float

    @property
    def words(self) -> str:
        """The range."""
        return f"a number from {self.low} to {self.high}"

    def holds(self, value: Any, _: Any) -> bool:
        """True if the number lies within the bounds."""
        return bool(self.low <= value <= self.high)


Count = Annotated[int, Between(0, 2**62)]
Prose = Annotated[str, Where("a text of Unicode characters", lambda text, _: _is_unicode(text))]
"""What is printed as it is; names and values of others may hold half characters, which are escaped wherever they go."""
Scalar = str | int | float | bool | None


class _MisfitError(Exception):
    """A value that is not what belongs in its place; the path to it is filled in on the way up."""

    def __init__(self, wrong: str) -> None:
        self.wrong, self.path = wrong, list[str]()


def read(shape: Any, value: Any, what: str, context: Any = None, **made: Any) -> Any:
    """Return what a JSON value stands for, by the annotation `shape`; `made` are fields of a record that are known.

    >>> read(tuple[int, ...], [1, 2], "the file's sums")
    (1, 2)
    >>> read(tuple[int, ...], [1, None], "the file's sums")
    Traceback (most recent call last):
    unwritten.errors.FormatError: the file's sums[1] is not an integer of 64 bits: save the model again
    """
    try:
        return _record(shape, frozenset(made))(value, context)(**made) if made else _reader(shape)(value, context)
    except _MisfitError as misfit:
        place = "".join(reversed(misfit.path))
        raise FormatError(f"{what}{place} {misfit.wrong}: save the model again") from None


@cache
def _reader(shape: Any) -> Reader:
    """Return the function that reads values of one shape."""
    if shape in PLAIN:
        return PLAIN[shape]
    if isinstance(shape, type) and is_dataclass(shape):
        record = _record(shape, frozenset())
        return lambda value, context: record(value, context)()
    parts = get_args(shape)
    origin = get_origin(shape)
    if origin is Annotated:
        return _conditional(_reader(parts[0]), parts[1:])
    if origin is Literal:
        return _literal(parts)
    if origin in (Union, UnionType):
        return _union([_reader(part) for part in parts])
    if origin is tuple and parts[1:] == (...,):
        return _tuple(_reader(parts[0]))
    if origin is tuple:
        return _fixed_tuple([_reader(part) for part in parts])
    if origin is dict:
        return _mapping(_reader(parts[1]))
    raise TypeError(f"no JSON value has the shape {shape!r}")


def _wrong(words: str) -> NoReturn:
    raise _MisfitError(f"is not {words}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a half of a surrogate pair, which no file or page can hold
        return False
    return True


def _text(value: Any, _: Any) -> str:
    if type(value) is not str:
        _wrong("a text")
    return value


def _integer(value: Any, _: Any) -> int:
    if type(value) is not int or not -(2**63) < value < 2**63:
        _wrong("an integer of 64 bits")
    return value


def _number(value: Any, _: Any) -> float:
    """A finite number; integers only if a float is exactly the same, and then they stay integers."""
    if type(value) is float and abs(value) <= LARGEST_FLOAT:
        return value
    if type(value) is not int or abs(value) > EXACT_IN_FLOATS:
        _wrong("a finite number")
    return value


def _exactly(kind: type, words: str) -> Reader:
    def read_one(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            _wrong(words)
        return value

    return read_one


PLAIN: dict[Any, Reader] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _exactly(bool, "true or false"),
    NoneType: _exactly(NoneType, "null"),
    Any: lambda value, _: value,
}


def _literal(allowed: tuple[Any, ...]) -> Reader:
    def read_one(value: Any, _: Any) -> Any:
        if type(value) is not str or value not in allowed:
            _wrong(f"one of {', '.join(map(repr, allowed))}")
        return value

    return read_one


def _conditional(reader: Reader, conditions: Iterable[Where | Between]) -> Reader:
    def read_one(value: Any, context: Any) -> Any:
        out = reader(value, context)
        for condition in conditions:
            if not condition.holds(out, context):
                _wrong(condition.words)
        return out

    return read_one


def _union(readers: list[Reader]) -> Reader:
    def read_one(value: Any, context: Any) -> Any:
        wrong = []
        for reader in readers:
            try:
                return reader(value, context)
            except _MisfitError as misfit:
                wrong.append(misfit)
        raise max(wrong, key=lambda misfit: len(misfit.path))  # the part that got furthest was meant

    return read_one


def _listed(value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        _wrong("a list")
    return value


def _tuple(reader: Reader) -> Reader:
    def read_one(value: Any, context: Any) -> tuple[Any, ...]:
        return tuple(_part(reader, part, context, f"[{k}]") for k, part in enumerate(_listed(value)))

    return read_one


def _fixed_tuple(readers: list[Reader]) -> Reader:
    def read_one(value: Any, context: Any) -> tuple[Any, ...]:
        if len(_listed(value)) != len(readers):
            _wrong(f"a list of {len(readers)}")
        pairs = zip(readers, value, strict=True)
        return tuple(_part(reader, part, context, f"[{k}]") for k, (reader, part) in enumerate(pairs))

    return read_one


def _mapping(reader: Reader) -> Reader:
    def read_one(value: Any, context: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            _wrong("an object")
        return {_text(key, None): _part(reader, part, context, f".{key!a:.40}") for key, part in value.items()}

    return read_one


def _part(reader: Reader, value: Any, context: Any, place: str) -> Any:
    try:
        return reader(value, context)
    except _MisfitError as misfit:
        misfit.path.append(place)
        raise


@cache
def _record(shape: Any, made: frozenset[str]) -> Callable[[Any, Any], Callable[..., Any]]:
    """Return what reads an object into the call of a dataclass; the fields `made` are not in the object."""
    hints = get_type_hints(shape, include_extras=True)
    parts = {part.name: part for part in fields(shape) if part.init and part.name not in made}
    readers = {name: _reader(hints[name]) for name in parts}
    needed = [name for name, part in parts.items() if not _has_default(part)]

    def read_one(value: Any, context: Any) -> Callable[..., Any]:
        if not isinstance(value, dict):
            _wrong("an object")
        for name in needed:
            if name not in value:
                raise _MisfitError(f"lacks its {name}")
        for name in value:
            if name not in readers:
                raise _MisfitError(f"has an entry that is not known, {name!a:.40}")
        known = {name: _part(readers[name], part, context, f".{name}") for name, part in value.items()}
        return lambda **others: shape(**known, **others)

    return read_one


def _has_default(part: Field[Any]) -> bool:
    return part.default is not MISSING or part.default_factory is not MISSING
