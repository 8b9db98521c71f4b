"""Numbers with their nouns, as sentences, pages and the command line write them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is one.

    >>> counted(1, "row"), counted(8252, "row")
    ('1 row', '8,252 rows')
    """
    return f"{number:,} {noun}{plural_s(number)}"


def plural_s(number: int) -> str:
    """The s of a plural, or nothing for 1."""
    return "" if number == 1 else "s"
