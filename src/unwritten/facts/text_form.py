"""Text form: the values of a column are codes of one form, or of a few."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows

UPPER, LOWER, DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
SIGNS = {"9": DIGITS, "A": UPPER, "a": LOWER, "X": UPPER + DIGITS, "x": LOWER + DIGITS}
"""What the signs of a form stand for: a digit, a capital letter, a small letter, or one of these and a digit."""

MORE = "…"  # one or more of the sign before
PLAIN_MARKS = "-_/.:+#"  # characters that stand for themselves without quotes
TOKEN = re.compile(r"'(?:[^']|'')+'|9+…?|A+…?|a+…?|X+…?|x+…?|[-_/.:+#]")


@dataclass(frozen=True)
class Piece:
    """A part of a form: `text` as it is, or `least` characters of `allowed`; `more` if there may be further ones."""

    text: str = ""
    allowed: str = ""
    least: int = 0
    more: bool = False

    @property
    def regex(self) -> str:
        """The piece as a regular expression."""
        if not self.allowed:
            return re.escape(self.text)
        count = f"{{{self.least},}}" if self.more else f"{{{self.least}}}"
        return f"[{''.join(sorted(self.allowed))}]{count}"

    @property
    def length(self) -> int:
        """The fewest characters of the piece."""
        return len(self.text) or self.least


def pieces_of(form: str) -> tuple[Piece, ...]:
    """Read a form; raise if it is none, or if more than one of its pieces may be longer.

    >>> [piece.regex for piece in pieces_of("'INV'-9999")]
    ['INV', '\\\\-', '[0123456789]{4}']
    """
    pieces, place = [], 0
    while place < len(form):
        token = TOKEN.match(form, place)
        if token is None:
            raise DataError(
                f"“{form}” is no form of texts: write 9 for a digit, A or a for a letter, X or x for a letter or "
                "digit, and other text in single quotes, such as 'INV'-9999"
            )
        text, place = token[0], token.end()
        if text[0] in SIGNS:
            more = text.endswith(MORE)
            pieces.append(Piece(allowed=SIGNS[text[0]], least=len(text) - more, more=more))
        else:
            pieces.append(Piece(text[1:-1].replace("''", "'") if text[0] == "'" else text))
    if not pieces or sum(piece.more for piece in pieces) > 1:
        raise DataError(f"“{form}” is empty or has more than one “{MORE}”: write one form such as AA-9999")
    return tuple(pieces)


def literal(text: str) -> str:
    """Return a text as a form writes it: in quotes, except for marks that stand for themselves.

    >>> literal("INV-")
    "'INV'-"
    """
    parts = re.findall(f"[{re.escape(PLAIN_MARKS)}]+|[^{re.escape(PLAIN_MARKS)}]+", text)
    return "".join(part if part[0] in PLAIN_MARKS else "'" + part.replace("'", "''") + "'" for part in parts)


@dataclass(frozen=True)
class TextForm(Fact):
    """Every value of `name` has one of the `forms`: `AA-9999`, or `'INV'-9…`.

    >>> from unwritten.tables import Column
    >>> TextForm("sku", ("AA-9999", "'X'-9…")).words(Schema((Column("sku", "skip", role="text"),)))
    "sku looks like AA-9999 or 'X'-9…"
    """

    kind = "looks-like"
    name: ColumnName
    forms: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.forms:
            raise DataError("a text has no form: mine the table again")
        for form in self.forms:
            pieces_of(form)

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.name,)

    @property
    def identity(self) -> Any:
        """The same whatever the order of the forms."""
        return [self.name, sorted(self.forms)]

    @cached_property
    def regex(self) -> str:
        """The forms as one regular expression."""
        return "|".join("".join(piece.regex for piece in pieces_of(form)) for form in self.forms)

    def words(self, schema: Schema) -> str:
        """`sku looks like AA-9999`."""
        return f"{quoted(self.name)} looks like {' or '.join(self.forms)}"

    def checker(self) -> Checker:
        """A row breaks it if the cell is there and has another form."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        texts, index = rows.texts(self.name)
        form = re.compile(self.regex)
        wrong = [text is not None and form.fullmatch(text) is None for text in texts]
        return np.asarray(np.array(wrong, bool)[index])
