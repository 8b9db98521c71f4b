"""HTML tables: well-formed, escaped, and without anything that could act on a page."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unwritten.data.html import html_table


def cells(table: str, tag: str = "td") -> list[tuple[str, bool]]:
    """The text of each cell, and whether it is aligned to the right."""
    return [
        (cell.text or "", "text-align:right" in cell.attrib["style"])
        for cell in ElementTree.fromstring(table).iter(tag)
    ]


def test_numbers_are_aligned_to_the_right() -> None:
    """Integers get separators, floats six digits; the head of a column of numbers is aligned like its cells."""
    table = html_table(["name", "n", "share"], [["a", 12345, 0.12345678], ["b", np.int64(7), np.float64(2)]])
    assert cells(table) == [
        ("a", False), ("12,345", True), ("0.123457", True), ("b", False), ("7", True), ("2", True),
    ]  # fmt: skip
    assert cells(table, "th") == [("name", False), ("n", True), ("share", True)]


def test_columns_of_formatted_numbers_are_aligned_too() -> None:
    """Texts that show numbers count as numbers, beside empty cells but not beside other texts."""
    table = html_table(["share", "mixed"], [[">99.9 %", "7"], [None, "x"], ["−0.5", 8], [1e-9, 9]])
    assert cells(table, "th") == [("share", True), ("mixed", False)]
    assert [right for _, right in cells(table)] == [True, False] * 4


def test_other_values_are_text() -> None:
    """None is an empty cell, and everything else is its text."""
    assert cells(html_table(["a", "b", "c"], [[None, True, [1]]])) == [("", False), ("True", False), ("[1]", False)]


def test_caption_and_no_rows() -> None:
    """A caption is shown if there is one, and a table without rows has heads only if it has no caption."""
    table = html_table(["<a>"], [], caption="1 < 2")
    assert ElementTree.fromstring(table).findtext("caption") == "1 < 2"
    assert cells(table, "th") == [] and cells(html_table(["<a>"], []), "th") == [("<a>", False)]
    assert "<caption" not in html_table(["a"], [])


def test_a_row_of_another_length_is_refused() -> None:
    """Every row has one cell per head."""
    with pytest.raises(ValueError, match="argument"):
        html_table(["a", "b"], [["x", "y", "z"]])


@given(st.text(), st.text(), st.text())
def test_any_text_is_shown_and_nothing_acts(head: str, text: str, caption: str) -> None:
    """Whatever texts hold, the table parses, has one cell, and shows printable texts letter by letter."""
    table = html_table([head], [[text]], caption)
    assert table.isprintable()
    ((shown, _),) = cells(table)
    assert shown == text or not text.isprintable()


def test_the_table_takes_its_look_from_the_page() -> None:
    """No colours and no links to other files, so that it suits any theme and works without a network."""
    table = html_table(["a"], [[1]], "caption")
    assert not any(word in table for word in ("color", "background", "http", "url", "<script", "<link"))
