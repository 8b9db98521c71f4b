"""Gaps in exported files: in the words of the target, or as rows where it has none."""

from __future__ import annotations

import pytest

from exports.export_cases import gap_table_model, model_of
from unwritten.exports import export


def test_minizinc_words() -> None:
    """MiniZinc gets alldifferent, != and a disjunction."""
    text = export(model_of("gaps"), "minizinc")
    for line in (
        'include "alldifferent.mzn";',
        "constraint alldifferent([x1, x2, x3]);",
        "constraint abs(x3 - x4) != 2;",
        "constraint x1 + 1 != x4;",
        "constraint x5 - x6 <= -9 \\/ x5 - x6 >= 5;",
    ):
        assert line in text.splitlines()


def test_python_words() -> None:
    """CPMpy and CP-SAT get gaps as data, and state them in their own words."""
    for target, word in (("cpmpy", "cp.AllDifferent"), ("ortools", "add_all_different")):
        text = export(model_of("gaps"), target)
        assert "[(0, 0), (1, 0), (2, 0)]," in text
        assert "(4, 5, -9, 5)," in text
        assert word in text
        assert word not in export(model_of("integers"), target)


def test_differences() -> None:
    """All differences differ: in the words of the target, or one part of the gap after another."""
    assert "constraint alldifferent([x2 - x1, x3 - x1, x4 - x1, x3 - x2, x4 - x2, x4 - x3]);" in export(
        model_of("differences"), "minizinc"
    )
    for target in ("cpmpy", "ortools"):
        assert "    [0, 1, 2, 3],\n" in export(model_of("differences"), target)
    assert "all differences differ: y0, y1, y2, y3" in export(model_of("differences"), "lp")


@pytest.mark.parametrize("target", ["lp", "mps", "opb"])
def test_rows(target: str) -> None:
    """Files of rows say each gap in a comment."""
    text = export(model_of("gaps"), target)
    assert "all different: y0, y1, y2" in text
    assert "y4 + 9 <= y5 or y5 + 5 <= y4" in text


def test_sql_words() -> None:
    """SQL compares columns."""
    text = export(gap_table_model()[0], "sql")
    assert '"a" <> "c"' in text
    assert 'NOT ("quay ""1""; --" - "d" BETWEEN -2 AND 1)' in text
