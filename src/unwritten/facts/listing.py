"""Listing: names of columns in a row, as sentences write them."""

from __future__ import annotations

from collections.abc import Sequence

from unwritten.tables.quoting import quoted


def names_text(names: Sequence[str]) -> str:
    """Return names with commas and a last `and`.

    >>> names_text(["a", "b", "c"])
    'a, b and c'
    """
    plain = [quoted(name) for name in names]
    return plain[0] if len(plain) == 1 else f"{', '.join(plain[:-1])} and {plain[-1]}"
