"""Page text: names and values from data, made safe for a page: no control characters, and no text without end."""

from __future__ import annotations

import json
import re
from html import escape

LONGEST_NAME = 160  # characters
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Replace every character that would control the display by its code.

    >>> visible("a\\x00\\u202eb")
    'a⟨0000⟩⟨202E⟩b'
    """
    return _CONTROLS.sub(_code, text)


def _code(match: re.Match[str]) -> str:
    return f"⟨{ord(match.group()):04X}⟩"


def clipped(text: str, most: int = LONGEST_NAME) -> str:
    """Return at most `most` characters, with … at the end if some are left out."""
    return text if len(text) <= most else text[: most - 1] + "…"


def name_text(text: str, most: int = LONGEST_NAME) -> str:
    """Return a name as the page shows it, not yet escaped for HTML."""
    return clipped(visible(text), most)


def html(text: str) -> str:
    """Return text from data as HTML, for an element or a quoted attribute."""
    return escape(visible(text), quote=True)


def embedded(value: object) -> str:
    """Return a value as JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if not any(character in text for character in _UNSAFE):
        return text
    return "".join(_UNSAFE.get(character, character) for character in text)


def power_of_ten(power: float) -> str:
    """Return ten to a power, rounded down to a whole power: 10²⁵."""
    return "10" + str(max(0, int(power))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def rounded(value: float) -> float:
    """Round to six significant digits: the page shows no more."""
    return float(f"{value:.6g}")
