"""Text from data, made safe and visible: no control signs, no overrides of direction, no end of lengths."""

from __future__ import annotations

import json
import re
from html import escape

NAME = 160  # characters of a name that are kept
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with a sign in place of everything that would act rather than show.

    >>> visible("a\\x00\\u202eb")
    'a⟨0000⟩⟨202E⟩b'
    """
    return _CONTROLS.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    return f"⟨{ord(found.group()):04X}⟩"


def clipped(text: str, most: int = NAME) -> str:
    """At most so many characters, with a mark where some are left out."""
    return text if len(text) <= most else text[: most - 1] + "…"


def name_text(text: str, most: int = NAME) -> str:
    """A name as the page shows it (not yet escaped)."""
    return clipped(visible(text), most)


def html(text: str) -> str:
    """Text from data as HTML, in an element or in a quoted attribute."""
    return escape(visible(text), quote=True)


def embedded(value: object) -> str:
    """JSON that can stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return "".join(_UNSAFE.get(sign, sign) for sign in text) if _needs(text) else text


def _needs(text: str) -> bool:
    return any(sign in text for sign in _UNSAFE)


def count_text(number: int, noun: str) -> str:
    """A number with its noun: 1 row, 8,252 rows."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def power_of_ten(power: float) -> str:
    """Ten to a power, rounded down: 10²⁵."""
    return "10" + str(max(0, int(power))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def rounded(value: float) -> float:
    """Six significant digits: what is shown needs no more."""
    return float(f"{value:.6g}")
