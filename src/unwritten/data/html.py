"""HTML tables for notebooks: plain markup without colours of its own, so that it suits light and dark themes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from numbers import Integral, Real

CELL = "padding:2px 10px;vertical-align:top;text-align:"


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return an HTML table with one head per column; numbers are aligned to the right.

    Every text is escaped, and control characters are shown as escapes such as `\\n`. Integers get thousands
    separators, other numbers six significant digits, and None is an empty cell.

    >>> print(html_table(["rule", "examples"], [["a < b", 1200]]))  # doctest: +ELLIPSIS
    <table ...<td style="...text-align:left">a &lt; b</td><td style="...text-align:right">1,200</td>...</table>
    """
    table = [list(row) for row in rows]
    numeric = [bool(table) and all(_is_number(row[k]) for row in table) for k in range(len(heads))]
    head = "".join(_cell("th", text, right) for text, right in zip(heads, numeric, strict=True))
    body = "".join(
        "<tr>" + "".join(_cell("td", value, _is_number(value)) for _, value in zip(heads, row, strict=True)) + "</tr>"
        for row in table
    )
    title = f'<caption style="text-align:left">{_escaped(caption)}</caption>' if caption else ""
    return f'<table style="border-collapse:collapse">{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(tag: str, value: object, right: bool) -> str:
    return f'<{tag} style="{CELL}{"right" if right else "left"}">{_escaped(_text(value))}</{tag}>'


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _text(value: object) -> str:
    if value is None:
        return ""
    if not _is_number(value):
        return str(value)
    return f"{value:,}" if isinstance(value, Integral) else f"{value:,.6g}"


def _escaped(text: str) -> str:
    visible = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape("".join(visible))
