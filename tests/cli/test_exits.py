"""Exit codes: 0 and 1 are answers, 2 is the user's mistake, 3 the program's; no command harms what it reads."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import unwritten
from unwritten.cli import check as check_command
from unwritten.cli.app import main


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table, its model, a table with a wrong row, and one without rows."""
    folder = tmp_path_factory.mktemp("exits")
    rows = [("petrol", "yes", k % 5) for k in range(60)] + [("electric", "no", k % 5) for k in range(60)]
    text = "engine,exhaust,seats\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    (folder / "good.csv").write_text(text)
    (folder / "bad.csv").write_text(text + "petrol,no,1\n")
    (folder / "empty.csv").write_text("engine,exhaust,seats\n")
    unwritten.mine(str(folder / "good.csv")).save(folder / "m.rules")
    return folder


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the command line as a process would, and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["unwritten", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def shell(place: Path, line: str) -> tuple[int, str, str]:
    """Run a line of a shell, in which `unwritten` is the command line; return its exit code and both outputs."""
    command = f"{sys.executable} -c 'from unwritten.cli.app import main; main()'"
    done = subprocess.run(
        ["sh", "-c", line.replace("unwritten", command)], cwd=place, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="this system has no such shell")
@pytest.mark.parametrize(
    ("table", "verdict", "streams"),
    [("good.csv", 0, ">&-"), ("good.csv", 0, "<&- >&- 2>&-"), ("bad.csv", 1, "2>&-"), ("good.csv", 0, "2>/dev/full")],
)
def test_the_verdict_survives_closed_streams(place: Path, table: str, verdict: int, streams: str) -> None:
    """Whatever stream is closed or full, `check` exits with its verdict and prints no traceback."""
    code, _, complaint = shell(place, f"unwritten check m.rules {table} {streams}")
    assert (code, complaint) == (verdict, "")


@pytest.mark.skipif(os.name != "posix", reason="this system limits no memory")
def test_too_little_memory_is_said_as_such(place: Path) -> None:
    """With too little memory a command exits with 3, names memory, and blames no file."""
    code, _, complaint = shell(place, "ulimit -v 700000; unwritten mine good.csv")
    assert (code, complaint.count("\n")) == (3, 1)
    assert "not enough memory" in complaint and "good.csv" not in complaint


class _FullError(pa.ArrowMemoryError):  # type: ignore[misc]
    pass


def _out_of_memory(*_: object, **__: object) -> None:
    try:
        raise _FullError("malloc of size 64 failed")
    except pa.ArrowException as error:
        raise unwritten.errors.DataError("good.csv cannot be read as CSV: mend the file") from error


def _mistake(*_: object, **__: object) -> None:
    raise AttributeError("'NoneType' has no attribute\n'x'")


def _nested(*_: object, **__: object) -> None:
    _nested()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (_out_of_memory, "not enough memory"),
        (_mistake, "the program failed (AttributeError"),
        (_nested, "the program failed (RecursionError"),
    ],
)
def test_a_failure_of_the_program_is_exit_code_3(
    place: Path, fault: object, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure is one sentence and exit code 3; with --debug or UNWRITTEN_DEBUG the traceback comes first."""
    monkeypatch.setattr(check_command, "load_model", fault)
    arguments = ("check", place / "m.rules", place / "good.csv", "--json")
    assert run(monkeypatch, *arguments) == 3
    printed = capsys.readouterr()
    assert words in json.loads(printed.out)["error"]
    assert printed.err.count("\n") == 1 and "Traceback" not in printed.err
    assert run(monkeypatch, "--debug", *arguments) == 3
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("UNWRITTEN_DEBUG", "1")
    assert run(monkeypatch, *arguments) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_who_leaves_is_no_failure(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A broken pipe that a library meets ends the command quietly with 141, not with the verdict 1."""

    def broken(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(check_command, "load_model", broken)
    monkeypatch.setattr("unwritten.cli.exits.drop_output", lambda: None)
    assert run(monkeypatch, "check", place / "m.rules", place / "good.csv") == 141
    assert capsys.readouterr().err == ""


def test_a_check_of_no_rows(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A table without rows is a mistake in `check` and in `report`, unless --allow-empty accepts it."""
    assert run(monkeypatch, "check", place / "m.rules", place / "empty.csv") == 2
    assert "has no rows" in capsys.readouterr().err
    assert run(monkeypatch, "check", place / "m.rules", place / "empty.csv", "--allow-empty") == 0
    page = place / "page.html"
    assert run(monkeypatch, "report", place / "m.rules", "--table", place / "empty.csv", "-o", page) == 2
    assert not page.exists()


@pytest.mark.parametrize(
    "line",
    [
        "mine in.csv -o OUT --force",
        "mine in.csv more.csv -o OUT --force",
        "mine *.csv -o OUT --force",
        "mine in.csv --checkpoint OUT",
        "mine more.csv --weights in.csv -o OUT --force",
        "mine more.csv --keep in.csv -o OUT --force",
        "report m.rules --table in.csv -o OUT --force",
        "report in.csv -o OUT --force",
        "edit in.csv --drop x -o OUT --force",
        "export in.csv --to sql -o OUT --force",
    ],
)
@pytest.mark.parametrize("name", ["in.csv", "./../work/in.csv", "hard.link", "soft.link"])
def test_no_input_is_written_over(
    tmp_path: Path, line: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An output that is an input under any name is refused in one sentence, even with --force."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for each in ("in.csv", "more.csv", "m.rules"):
        (folder / each).write_text("a,b\n1,2\n")
    os.link("in.csv", "hard.link")
    os.symlink("in.csv", "soft.link")
    assert run(monkeypatch, *line.replace("OUT", name).split()) == 2
    assert re.fullmatch(r"unwritten: .* is an input of this command.*\n", capsys.readouterr().err)
    assert (folder / "in.csv").read_text() == "a,b\n1,2\n"


def test_a_page_never_replaces_its_model(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model whose name ends in .html is not overwritten by the page that is called so by default."""
    model = place / "model.html"
    model.write_bytes((place / "m.rules").read_bytes())
    assert run(monkeypatch, "report", model, "--force") == 2
    assert "is an input" in capsys.readouterr().err
    assert model.read_bytes() == (place / "m.rules").read_bytes()
