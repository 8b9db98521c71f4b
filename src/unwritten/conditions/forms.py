"""Forms: what codes look like, such as AA-9999 or 'INV'-9….

A form is a row of pieces. Each is a text as it is, or so many characters of some kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from unwritten.errors import DataError

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


def regex_of(forms: tuple[str, ...]) -> str:
    """Return the forms as one regular expression.

    >>> regex_of(("AA", "9…"))
    '[ABCDEFGHIJKLMNOPQRSTUVWXYZ]{2}|[0123456789]{1,}'
    """
    return "|".join("".join(piece.regex for piece in pieces_of(form)) for form in forms)
