"""The first minute: what to try next, help everywhere, a screen of 80 columns, and completion of every choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

from unwritten.cli.app import app
from unwritten.cli.console import folded
from unwritten.samples import sample_csv

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person reads what is printed, on a screen of 80 columns."""
    monkeypatch.setattr("unwritten.cli.console.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints."""
    app(list(arguments), standalone_mode=False)
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("minute")
    (place / "shifts.csv").write_text(sample_csv("shifts", rows=300))
    return place


@pytest.mark.usefixtures("terminal")
def test_mine_fits_a_terminal_and_says_what_to_type_next(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Long rules go on below themselves, and the last lines are commands for the saved model."""
    model = str(folder / "s.rules")
    text = printed(capsys, "mine", str(folder / "shifts.csv"), "-o", model)
    assert f"unwritten check {model}" in text.split("next:")[1]
    again = printed(capsys, "rules", model)
    assert max(map(len, again.splitlines())) <= 80
    table = text.split("saved to")[0].splitlines()[1:]  # without the paths, which may be long
    assert max(map(len, table)) <= 80


def test_in_a_pipe_every_rule_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program reads whole lines, and no hints."""
    text = printed(capsys, "mine", str(folder / "shifts.csv"))
    assert max(map(len, text.splitlines())) > 80
    assert "next:" not in text


@pytest.mark.usefixtures("terminal")
def test_the_demo_of_a_table_and_of_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    """Two of the faces of the demo; the puzzle has tests of its own."""
    table = printed(capsys, "demo", "table")
    assert "gross = net + tax" in table
    assert "  it breaks" in table and "  change currency: USD → EUR" in table
    decisions = printed(capsys, "demo", "decisions")
    assert "3·tent + 5·stove + 2·rope + 7·boat + 4·pan + 6·bag + map + 5·axe ≤ 14" in decisions
    assert "On 200 of 200 new tours" in decisions
    assert max(map(len, (table + decisions).splitlines())) <= 80


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_is_short_to_ask_for_and_fits(command: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    """-h and --help say the same, in 80 columns."""
    said = []
    for option in ("-h", "--help"):
        arguments = [option] if command is None else [command, option]
        app(arguments, standalone_mode=False, prog_name="unwritten", terminal_width=80, max_content_width=80)
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and "Usage: unwritten" in said[0]
    assert max(map(len, said[0].splitlines())) <= 80


CHOICES: dict[str, tuple[str, ...]] = {
    # what is typed, and what a shell must offer
    "unwritten ": tuple(COMMANDS),
    "unwritten demo ": ("all", "table", "puzzle", "decisions"),
    "unwritten sample ": ("orders", "shifts", "sensors"),
    "unwritten mine --rules groups,": ("groups,pairs",),
    "unwritten mine --types price=": ("price=skip", "price=bins:4"),
    "unwritten mine --noise ": ("auto",),
    "unwritten mine --missing ": ("category", "error"),
    "unwritten mine --sense ": ("max", "min"),
    "unwritten mine --delimiter ": ("tab",),
    "unwritten rules m --kind ": ("requires", "key"),
    "unwritten rules m --origin ": ("mined", "habit"),
    "unwritten rules m --format ": ("json", "markdown"),
    "unwritten export m --to ": ("lp", "gx", "dbt"),
    "unwritten solve m --engine ": ("auto",),
    "unwritten solve m --backend ": ("highs",),
}


@pytest.mark.parametrize("typed", CHOICES)
def test_completion_knows_every_choice(typed: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """What bash is offered behind the words that were typed."""
    monkeypatch.setenv("_UNWRITTEN_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split(" ")) - 1))
    with pytest.raises(SystemExit):
        app([], prog_name="unwritten")
    offered = capsys.readouterr().out.split()
    assert set(CHOICES[typed]) <= set(offered)


def test_words_that_are_longer_than_the_screen_stay_whole() -> None:
    """No word is broken, and a narrow screen keeps some room for text."""
    assert folded(f"id  {'x' * 30} y", 15, 4) == [f"id  {'x' * 30}", "    y"]
    assert folded(f"id  {'x' * 30}", 12, 4) == ["id", "x" * 30]
    assert folded("short", 80, 40) == ["short"]
