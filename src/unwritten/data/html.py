"""HTML tables for notebooks: plain markup without colours of its own, so that it suits light and dark themes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from numbers import Integral, Real

from unwritten.shown import shown

#: A text that shows a number: `1,200`, `−0.5`, `>99.9 %`.
NUMBER_TEXT = re.compile(r"[<>≤≥]?\s*[-−+]?\d[\d,.]*(?:e[-+]?\d+)?\s*%?", re.ASCII)

LONGEST_LINE = 100  # characters of a caption that is not wrapped to the width of its table


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return an HTML table with one head per column; columns of numbers are aligned to the right.

    Every text is escaped, control characters are shown as escapes such as `\\n`, and what is too long loses its middle.
    Integers get thousands separators,
    other numbers six significant digits, and None is an empty cell. Each row has one cell per head.
    Without rows, only the caption is shown.

    >>> html_table(["rule", "examples"], [["a < b", 1200]])  # doctest: +ELLIPSIS
    '<table>...<td style="text-align:left">a &lt; b</td><td style="text-align:right">1,200</td>...</table>'
    """
    table = [[_text(value) for _, value in zip(heads, row, strict=True)] for row in rows]
    right = [_are_numbers([row[k] for row in table]) for k in range(len(heads))]
    wrap = ";white-space:nowrap" if len(caption) <= LONGEST_LINE else ""
    title = f'<caption style="text-align:left{wrap}">{_escaped(caption)}</caption>' if caption else ""
    if caption and not table:
        return f"<table>{title}</table>"
    body = "".join(_row("td", row, right) for row in table)
    return f"<table>{title}<thead>{_row('th', heads, right)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, texts: Sequence[str], right: Sequence[bool]) -> str:
    cells = (
        f'<{tag} style="text-align:{"right" if is_right else "left"}">{_escaped(text)}</{tag}>'
        for text, is_right in zip(texts, right, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _are_numbers(texts: Sequence[str]) -> bool:
    """True if some cells of a column show numbers and the others are empty."""
    filled = [text for text in texts if text]
    return bool(filled) and all(NUMBER_TEXT.fullmatch(text) for text in filled)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, Real):
        return str(value)
    return f"{value:,}" if isinstance(value, Integral) else f"{value:,.6g}"


def _escaped(text: str) -> str:
    return escape(shown(text))
