"""Quoting: names and values as they are written in sentences, so that whatever they hold can be read back."""

from __future__ import annotations

import json
import re

#: What stands without quotes: letters, digits and a few signs that mean nothing in a sentence.
PLAIN = re.compile(r"[^\W\d_](?:[\w.%/&@#-]*\w)?|-?\d[\w.%/-]*|_\w*")
#: Words of the language of rules, which a name or value can only be in quotes.
WORDS = frozenset(
    (
        *("requires", "excludes", "exactly", "when", "always", "never", "all", "differ", "missing", "go", "together"),
        *("in", "of", "at", "most", "least", "and", "or", "not", "is", "to"),
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    )
)


def quoted(text: str) -> str:
    r"""The text itself where it is a plain word, else in double quotes with JSON's escapes.

    >>> quoted("engine"), quoted("two door"), quoted("requires")
    ('engine', '"two door"', '"requires"')
    """
    if PLAIN.fullmatch(text) and text.lower() not in WORDS:
        return text
    return plain_json(text)


def plain_json(value: object) -> str:
    r"""JSON in which everything that is not seen is escaped too: what reads it gets the same, and no terminal obeys it.

    >>> plain_json("a\u202e\x9bb")
    '"a\\u202e\\u009bb"'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def shown(text: str) -> str:
    """A text for people: control characters escaped, so that no terminal obeys it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
