"""What commands say about files and options that they cannot use, in words and as JSON."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest
from typer.testing import CliRunner

from table_helpers import trips
from unwritten.cli import app
from unwritten.cli.app import main

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table of trips in several formats, and its model."""
    place = tmp_path_factory.mktemp("formats")
    table = trips(300)
    rows = table.to_pylist()
    arrow_csv.write_csv(table, place / "trips.csv")
    (place / "trips.csv.zst").write_bytes(pa.compress((place / "trips.csv").read_bytes(), "zstd").to_pybytes())
    (place / "trips.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with sqlite3.connect(place / "trips.db") as database:
        database.execute(f"CREATE TABLE trips ({', '.join(table.column_names)})")
        marks = ", ".join("?" * table.num_columns)
        database.executemany(f"INSERT INTO trips VALUES ({marks})", [tuple(row.values()) for row in rows])
    assert RUNNER.invoke(app, ["mine", str(place / "trips.csv"), "-o", str(place / "trips.rules")]).exit_code == 0
    return place


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the command line as a process would, and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["unwritten", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


@pytest.mark.parametrize("name", ["trips.csv.zst", "trips.jsonl", "trips.db"])
def test_every_command_reads_other_formats(folder: Path, tmp_path: Path, name: str) -> None:
    """`mine`, `check`, `explain`, `diff` and `report` see the same rows in other formats."""
    table, model = str(folder / name), str(folder / "trips.rules")
    for arguments, words in (
        (["mine", table], "2 rules from 300 rows"),
        (["check", model, table], "0 of 300 rows"),
        (["explain", model, f"{table}:7"], ""),
        (["diff", model, table], "say the same"),
        (["report", model, "--table", table, "-o", str(tmp_path / "r.html")], "saved to"),
    ):
        done = RUNNER.invoke(app, arguments)
        assert (done.exit_code, done.exception) == (0, None), (arguments, done.output)
        assert words in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mine", "{}/none.csv", "--json"], "does not exist"),
        (["mine", "{}/empty.csv", "--json"], "is empty"),
        (["mine", "{}/cut.jsonl", "--json"], "not complete JSON"),
        (["mine", "{}/x.csv", "--json", "--bogus"], "No such option"),
        (["mine", "--json"], "Missing argument"),
        (["check", "{}/none.rules", "{}/x.csv", "--json"], "does not exist"),
        (["rules", "{}/x.csv", "--format", "json"], "x.csv"),
        (["check", "{model}", "{}/x.csv", "--json"], "lacks the column 'adults'"),
    ],
)
def test_failures_are_json_if_asked_for(
    folder: Path, tmp_path: Path, arguments: list[str], words: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """With --json a failure is one JSON object with error and cure on standard output, and the exit code is 2."""
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "cut.jsonl").write_text('{"a": 1}\n{"a"')
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    filled = [text.format(tmp_path, model=folder / "trips.rules") for text in arguments]
    assert run_main(monkeypatch, *filled) == 2
    printed = capsys.readouterr()
    failure = json.loads(printed.out)
    assert words in failure["error"]
    assert failure["cure"] and failure["error"].endswith(failure["cure"])
    assert printed.err.startswith("unwritten: ")


HOSTILE_FILES = {
    "blank.csv": (b"\n\n\n", "is empty"),
    "head.csv": (b"a,b,c\n", "has no rows"),
    "page.csv": (b"<html>404</html>", "has one line only, or a quote that is not closed"),
    "quote.csv": (b'"a,b\n1,2\n', "has one line only, or a quote that is not closed"),
    "ragged.csv": (b"a,b\n1,2\n3\n", "line 3 of ragged.csv has 1 cells where the first has 2"),
    "nul.csv": (b"\0\0\0\0", "is not text"),
    "twice.csv": (b"a,a\n1,2\n", "has two columns named 'a'"),
    "numbers.json": (b"[1, 2, 3]", "is not a JSON object"),
    "bad.parquet": (b"PAR1junkPAR1", "is not a complete Parquet file"),
    "bad.csv.gz": (b"\x1f\x8bjunk", "cannot be read"),
    "bad.xlsx": (b"PK\x03\x04junk", "cannot be read"),
    "bad.db": (b"SQLite format 3\0junk", "file is not a database"),
}


@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_hostile_files(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be a table is one clear sentence with its cure, as JSON too, and exit code 2."""
    content, words = HOSTILE_FILES[name]
    (tmp_path / name).write_bytes(content)
    assert run_main(monkeypatch, "mine", tmp_path / name, "--json") == 2
    failure = json.loads(capsys.readouterr().out)
    assert words in failure["error"]
    assert failure["cure"] and failure["error"].endswith(failure["cure"])


def test_exit_codes_stay_with_json(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --json the answer "no" is still exit code 1, and "yes" is 0."""
    model = folder / "trips.rules"
    assert run_main(monkeypatch, "check", model, folder / "trips.csv", "--json") == 0
    (tmp_path / "bad.csv").write_text("adults,children,seats,kind,visa\n1,1,3,air,no\n")
    assert run_main(monkeypatch, "check", model, tmp_path / "bad.csv", "--json") == 1
    assert '"error"' not in capsys.readouterr().out


def test_extra_columns_are_said(folder: Path, tmp_path: Path) -> None:
    """`check` names columns that the model does not know; the exit code stays 0."""
    text = (folder / "trips.csv").read_text().replace('"visa"', '"visa","my note"', 1)
    head, *lines = text.splitlines()
    (tmp_path / "more.csv").write_text("\n".join([head, *(f"{line},x" for line in lines)]) + "\n")
    done = RUNNER.invoke(app, ["check", str(folder / "trips.rules"), str(tmp_path / "more.csv")])
    assert done.exit_code == 0, done.output
    assert '1 column is unknown to the model and not checked: "my note"' in done.stdout
    done = RUNNER.invoke(app, ["check", str(folder / "trips.rules"), str(tmp_path / "more.csv"), "--json"])
    assert json.loads(done.stdout)["summary"]["extra_columns"] == ["my note"]


def test_rows_of_several_files_have_their_place(folder: Path, tmp_path: Path) -> None:
    """If several files are checked as one table, a row is named by its file and its number there."""
    bad = tmp_path / "bad.csv"
    bad.write_text("adults,children,seats,kind,visa\n1,1,2,air,no\n1,1,3,air,no\n")
    arguments = ["check", str(folder / "trips.rules"), str(folder / "trips.csv"), str(bad)]
    assert "row 2 of bad.csv" in RUNNER.invoke(app, arguments).stdout
    first = json.loads(RUNNER.invoke(app, [*arguments, "--json"]).stdout.splitlines()[0])
    assert (first["file"], first["row"]) == ("bad.csv", 2)
    done = RUNNER.invoke(app, ["mine", str(folder / "trips.csv"), str(folder / "trips.jsonl")])
    assert "trips.csv and 1 more file: 600 rows" in done.stdout


def test_words_and_dialects_on_the_command_line(tmp_path: Path) -> None:
    """--na, --decimal, --delimiter and --query reach the reader."""
    path = tmp_path / "t.csv"
    path.write_text("a;b\n" + "NA;1,5\nx;2,5\nunknown;-\n" * 20)
    levels = lambda *more: [  # noqa: E731
        column["levels"]
        for column in json.loads(
            RUNNER.invoke(app, ["mine", str(path), "--json", "--types", "b=category", *more]).stdout
        )["columns"]
    ]
    assert levels() == [["unknown", "x", None], ["1.5", "2.5", None]]
    assert levels("--na", "usual", "--na", "unknown") == [["x", None], ["1.5", "2.5", None]]
    assert levels("--na", "", "--decimal", ".") == [["NA", "unknown", "x"], ["-", "1,5", "2,5"]]
