"""No message, sentence or page shows a value whole that is too long to read; JSON and exports keep all of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import unwritten
from unwritten.cli.app import main
from unwritten.errors import DataError
from unwritten.shown import LONGEST_LINE, shown

CELL = 50_000 * "x"
MOST = 40_000  # characters of all that a command may print here


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write two tables with long cells, and their models; the second has a long list of values."""
    place = tmp_path_factory.mktemp("long")
    rows = [(CELL, "no", 1)] * 40 + [("short", "yes", 2)] * 40
    (place / "cell.csv").write_text("engine,exhaust,n\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows[39:42] * 20))
    (place / "new.csv").write_text(f"engine,exhaust,n\n{CELL},yes,1\n{CELL}y,no,2\n")
    many = [(f"value {k} {'z' * 700}", "no" if k % 2 else "yes") for k in range(300)]
    (place / "list.csv").write_text("name,odd\n" + "".join(f"{a},{b}\n" for a, b in many * 2))
    unwritten.mine(str(place / "cell.csv"), types={"engine": "category"}).save(place / "cell.rules")
    unwritten.mine(str(place / "list.csv"), rules=["groups", "pairs"]).save(place / "list.rules")
    return place


@pytest.mark.parametrize(
    "line",
    [
        "mine cell.csv --types engine=category",
        "mine list.csv --rules groups,pairs",
        "rules cell.rules",
        "rules list.rules",
        "check cell.rules new.csv",
        "explain cell.rules new.csv:1",
        "explain cell.rules new.csv:2",
        "diff cell.rules list.rules",
        "check list.rules cell.csv",
    ],
)
def test_no_command_prints_a_long_value(
    folder: Path, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cell of 50 kB and a list of 200 kB lose their middle in all that is printed for people."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["unwritten", *line.split()])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr()
    assert 0 < len(printed.out + printed.err) < MOST
    assert all(len(text) <= LONGEST_LINE + 1 for text in printed.out.split("\n"))


def test_summaries_and_pages_are_short_and_json_is_whole(folder: Path) -> None:
    """What Python and the report show of a long value is short; the state of a finding keeps it."""
    model = unwritten.load(folder / "cell.rules")
    checked = model.check(unwritten.Table.of(str(folder / "new.csv")))
    explained = model.explain({"engine": CELL + "y", "exhaust": "no", "n": 2})
    for text in (str(model), repr(model), str(model.rules), str(checked), str(explained), repr(model.sentences)):
        assert len(text) < MOST
    for page in (model._repr_html_(), checked._repr_html_(), explained._repr_html_()):
        assert len(page) < MOST
    assert len(unwritten.report.report(model)) < 20 * MOST
    assert CELL in json.dumps([finding.state() for finding in checked.findings])
    assert CELL in model.export("sql")


def test_errors_and_warnings_are_short_and_keep_their_cure() -> None:
    """An error that quotes a long value loses its middle, keeps its cure, and shows control characters."""
    error = DataError(f"the value {CELL!r} is not\x1b[2J a number: give a number")
    assert len(str(error)) < LONGEST_LINE
    assert "\x1b" not in str(error)
    assert error.cure == "give a number"


@pytest.mark.parametrize("text", ["x" * 10**6, "a b " * 10**6, '"\\' * 10**6, "\x1b" * 10**6, "é ≤ " * 999, ""])
def test_what_is_shown_stays_as_it_is(text: str) -> None:
    """Shown text is printable, at most a line long, and not changed by being shown again."""
    once = shown(text)
    assert len(once) <= LONGEST_LINE and once.isprintable()
    assert shown(once) == once
