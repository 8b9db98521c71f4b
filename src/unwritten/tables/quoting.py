"""Quoting: names and values written so that a rule can be read back and no terminal obeys them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping

from unwritten.shown import shown as shown  # noqa: PLC0414  readers of tables and rules take it from here

#: Text that needs no quotes: letters, digits and a few signs without a meaning in the language of rules.
PLAIN = re.compile(r"[^\W\d_](?:[\w.%/&@#-]*\w)?|-?\d[\w.%/-]*|_\w*")
#: Words of the language of rules: a name or value that is one of them must be quoted.
WORDS = frozenset(
    (
        *("requires", "excludes", "exactly", "when", "always", "never", "all", "differ", "missing", "go", "together"),
        *("in", "of", "at", "most", "least", "and", "or", "not", "is", "to"),
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    )
)


def quoted(text: str) -> str:
    r"""Return a plain word as it is, and any other text in double quotes with JSON's escapes.

    >>> quoted("engine"), quoted("two door"), quoted("requires")
    ('engine', '"two door"', '"requires"')
    """
    if PLAIN.fullmatch(text) and text.lower() not in WORDS:
        return text
    return plain_json(text)


def plain_json(value: object) -> str:
    r"""Return JSON in which unprintable characters are escaped too: it reads back the same and no terminal obeys it.

    >>> plain_json("a\u202e\x9bb")
    '"a\\u202e\\u009bb"'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message (at most 160 characters), or its type if it has no message."""
    return shown(next(iter(str(error).splitlines()), type(error).__name__))[:160]


def types_option(types: Mapping[str, str]) -> str:
    """Return how to ask for these column types, in Python and on the command line.

    >>> types_option({"customer": "skip", "unit price": "bins:4"})
    "types={'customer': 'skip', 'unit price': 'bins:4'} (--types 'customer=skip,unit price=bins:4')"
    """
    pairs = {shown(name): kind for name, kind in types.items()}
    flag = shlex.quote(",".join(f"{name}={kind}" for name, kind in pairs.items()))
    return f"types={pairs} (--types {flag})"
