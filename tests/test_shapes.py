"""Shapes: plain JSON is read by annotations, and whatever they do not describe is refused with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from unwritten.errors import FormatError
from unwritten.shapes import Between, Count, Where, read


@dataclass(frozen=True)
class Point:
    """A record with a condition that asks the context, and with defaults."""

    name: Annotated[str, Where("a known name", lambda name, known: name in known)]
    size: Count
    kind: Literal["a", "b"] = "a"
    share: Annotated[float, Between(0, 1)] = 0.5
    more: tuple[tuple[int, bool | None], ...] = ()
    by: dict[str, float] | None = None


WHOLE = {"name": "x", "size": 3, "kind": "b", "share": 1, "more": [[1, None], [2, True]], "by": {"é": -0.5}}


def test_records_are_read() -> None:
    """Lists become tuples, objects become records, and entries with a default may be absent."""
    assert read(Point, WHOLE, "it", {"x"}) == Point("x", 3, "b", 1, ((1, None), (2, True)), {"é": -0.5})
    assert read(Point, {"name": "x", "size": 0}, "it", {"x"}) == Point("x", 0)
    assert read(Point, {"name": "x"}, "it", {"x"}, size=7) == Point("x", 7)


BAD: dict[str, tuple[Any, str]] = {
    "no object": ([WHOLE], "it is not an object"),
    "an entry is missing": ({"name": "x"}, "it lacks its size"),
    "an entry is not known": (WHOLE | {"\x1b[31m": 1}, r"an entry that is not known, '\\x1b\[31m'"),
    "a name that the context does not know": (WHOLE | {"name": "y"}, "it.name is not a known name"),
    "half of a surrogate pair is no known name": (WHOLE | {"name": "\ud800"}, "it.name is not a known name"),
    "a truth value is no integer": (WHOLE | {"size": True}, "it.size is not an integer"),
    "a float is no integer": (WHOLE | {"size": 1.0}, "it.size is not an integer"),
    "an integer of 65 bits": (WHOLE | {"size": 2**64}, "it.size is not an integer"),
    "below the range": (WHOLE | {"size": -1}, "it.size is not a number from 0"),
    "another word": (WHOLE | {"kind": "c"}, "it.kind is not one of 'a', 'b'"),
    "a list for a word": (WHOLE | {"kind": []}, "it.kind is not one of"),
    "NaN": (WHOLE | {"share": float("nan")}, "it.share is not a finite number"),
    "an integer that no float is": (WHOLE | {"share": 10**400}, "it.share is not a finite number"),
    "a text for a list": (WHOLE | {"more": "ab"}, "it.more is not a list"),
    "a longer list": (WHOLE | {"more": [[1, None, 2]]}, r"it.more\[0\] is not a list of 2"),
    "deep inside": (WHOLE | {"more": [[1, None], [2, 0]]}, r"it.more\[1\]\[1\] is not"),
    "in an object": (WHOLE | {"by": {"a": None}}, "it.by.'a' is not a finite number"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_refused(case: str) -> None:
    """Each value of another shape is refused with one sentence that names its place and the cure."""
    value, words = BAD[case]
    with pytest.raises(FormatError, match=words) as caught:
        read(Point, value, "it", {"x"})
    assert str(caught.value).isprintable()
    assert caught.value.cure == "save the model again"
