"""Text from anyone, made fit for people to read: no terminal obeys it, and none of it has no end."""

from __future__ import annotations

import re

LONGEST_WORD, LONGEST_LINE = 200, 2_000  # characters
LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def visible(text: str) -> str:
    r"""Return a text with control characters escaped, so that no terminal obeys them.

    >>> visible("a\x1b[2J\u202eb")
    'a\\x1b[2J\\u202eb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(text: str) -> str:
    """Return a text as messages, sentences and summaries show it: visible, and without the middle of what is long.

    First long words (such as values) lose their middle, then the whole line, so that its end (such as a cure) stays.

    >>> shown("the value " + 10**6 * "x" + " is new: add it")[140:]
    'xxxxxxxxxxxx…[999,818 more]…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx is new: add it'
    """
    return _shortened(visible(_shortened(text)))


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_WORD:
        return text
    return _without_middle(LONG_WORD.sub(lambda word: _without_middle(word[0], LONGEST_WORD), text), LONGEST_LINE)


def _without_middle(text: str, most: int) -> str:
    """Return at most `most` characters: the first ones, how many are left out, and the last ones."""
    if len(text) <= most:
        return text
    last = most // 5
    first = most - last - len(f"…[{len(text):,} more]…")
    return f"{text[:first]}…[{len(text) - first - last:,} more]…{text[-last:]}"
