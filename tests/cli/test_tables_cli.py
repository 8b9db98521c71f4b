"""The commands for tables: what they print, write and refuse."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.csv as arrow_csv
import pytest
from typer.testing import CliRunner

import unwritten
from table_helpers import trips
from unwritten.cli import app
from unwritten.errors import UnwrittenError

RUNNER = CliRunner()


def run(*arguments: object, code: int = 0, stdin: str | None = None) -> str:
    """Run a command in this process and return what it printed on standard output."""
    done = RUNNER.invoke(app, [str(argument) for argument in arguments], input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.stdout


def refuses(words: str, *arguments: object) -> None:
    """Assert that a command fails with one sentence that contains these words."""
    with pytest.raises(UnwrittenError, match=words) as error:
        run(*arguments)
    assert "\n" not in str(error.value)


def misused(words: str, *arguments: object) -> None:
    """Assert that a wrong value of an option is refused with exit code 2 and these words."""
    done = RUNNER.invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "400"})
    assert done.exit_code == 2, done.output
    assert words in done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table of trips, its model, and the table with two rows damaged."""
    place = tmp_path_factory.mktemp("trips")
    table = trips(400)
    arrow_csv.write_csv(table, place / "trips.csv")
    rows = table.to_pydict()
    rows["visa"][16], rows["kind"][16] = "yes", "bus"
    rows["kind"][29] = "ship"
    arrow_csv.write_csv(type(table).from_pydict(rows), place / "bad.csv")
    run("mine", place / "trips.csv", "-o", place / "trips.rules")
    return place


def test_mine_shows_columns_and_rules(folder: Path, tmp_path: Path) -> None:
    """`mine` prints the kinds of the columns, then the rules, and saves the model."""
    shown = run("mine", folder / "trips.csv", "-o", tmp_path / "m.rules")
    columns, _, rest = shown.partition("2 rules from 400 rows")
    assert "kind                 category  3 values: air, bus, rail" in columns
    assert "visa                 boolean" in columns
    assert "seats = adults + children" in rest
    assert (tmp_path / "m.rules").exists()
    state = json.loads(run("mine", folder / "trips.csv", "--json", "--types", "adults=skip"))
    assert state["model"] is None
    assert state["columns"][0]["kind"] == "skip"
    assert state["rules"][0]["text"] == "visa = yes requires kind = air"


def test_columns_that_are_not_shown_take_one_note(tmp_path: Path) -> None:
    """Of many columns without variables the first are shown with the reason, and the rest are counted in a note."""
    rows = "".join(",".join(f"{(j + 1) * k / 8 + 0.001:.3f}" for j in range(60)) + "\n" for k in range(1, 41))
    (tmp_path / "wide.csv").write_text(",".join(f"x{j}" for j in range(60)) + "\n" + rows)
    done = RUNNER.invoke(app, ["mine", str(tmp_path / "wide.csv")])
    assert done.exit_code == 0
    assert done.stderr.count("takes no part") == 1
    assert "19 more columns like it are listed by --json" in done.stderr


def test_nothing_is_overwritten(folder: Path, tmp_path: Path) -> None:
    """A file that exists is overwritten only with --force."""
    target = tmp_path / "m.rules"
    target.write_text("mine")
    refuses("exists already: overwrite it with --force", "mine", folder / "trips.csv", "-o", target)
    refuses("exists already", "export", folder / "trips.rules", "--to", "lp", "-o", target)
    refuses("exists already", "report", folder / "trips.rules", "-o", target)
    refuses("exists already", "edit", folder / "trips.rules", "--add", "visa = no always")
    refuses("directory .* is missing", "mine", folder / "trips.csv", "-o", tmp_path / "no" / "m.rules")
    assert target.read_text() == "mine"
    run("mine", folder / "trips.csv", "-o", target, "--force")
    assert target.stat().st_size > 100


def test_rules_are_filtered_and_written_in_every_form(folder: Path) -> None:
    """`rules` prints text, JSON, CSV and Markdown, and filters by column, kind, origin, confidence and text."""
    model = folder / "trips.rules"
    assert "2 of 2 rules" in run("rules", model)
    assert "1 of 2 rules" in run("rules", model, "--column", "seats")
    assert "1 of 2 rules" in run("rules", model, "--kind", "requires", "--search", "AIR")
    assert "0 of 2 rules" in run("rules", model, "--origin", "given")
    assert "2 of 2 rules" in run("rules", model, "--confidence", "0.95")
    assert "0 of 2 rules" in run(
        "rules", model, "--confidence", "0.99"
    )  # so few rows show no rule of a table so surely
    assert {rule["kind"] for rule in json.loads(run("rules", model, "--json"))} == {"sum", "requires"}
    table = list(csv.DictReader(io.StringIO(run("rules", model, "--format", "csv"))))
    assert {row["rule"] for row in table} == {"seats = adults + children", "visa = yes requires kind = air"}
    assert run("rules", model, "--format", "markdown").startswith("| id | kind |")
    refuses("no rule has the column 'nope'", "rules", model, "--column", "nope")
    misused("'xml' is not one of 'text', 'json', 'csv', 'markdown'", "rules", model, "--format", "xml")
    misused("'me' is not one of 'mined', 'given'", "rules", model, "--origin", "me")


def test_check_names_rows_and_rules(folder: Path) -> None:
    """`check` prints each bad row and what is wrong with it, with exit code 1; without bad rows the exit code is 0."""
    model = folder / "trips.rules"
    assert "0 of 400 rows" in run("check", model, folder / "trips.csv")
    shown = run("check", model, folder / "bad.csv", code=1)
    assert "row 17\n  visa = yes requires kind = air" in shown
    assert "row 30\n  kind = ship was never seen" in shown
    assert "2 of 400 rows" in shown
    lines = [json.loads(line) for line in run("check", model, folder / "bad.csv", "--json", code=1).splitlines()]
    assert [line["row"] for line in lines[:-1]] == [17, 30]
    assert lines[-1]["summary"]["bad"] == 2
    assert run("check", model, folder / "bad.csv", "--limit", "0", code=1).startswith("… 2 more rows")


def test_explain_repairs_a_row(folder: Path) -> None:
    """`explain` takes a row of a table or a JSON object, and prints the broken rules and the smallest repair."""
    model = folder / "trips.rules"
    shown = run("explain", model, f"{folder / 'bad.csv'}:17", code=1)
    assert "visa = yes requires kind = air" in shown
    assert "visa: yes → no" in shown or "kind: bus → air" in shown
    row: dict[str, Any] = {"adults": 2, "children": 1, "seats": 4, "kind": "air", "visa": "no"}
    state = json.loads(run("explain", model, json.dumps(row), "--json", code=1))
    assert state["feasible"] is False
    assert "not right" not in run("explain", model, json.dumps(row | {"seats": 3}))
    refuses("no row 401", "explain", model, f"{folder / 'bad.csv'}:401")
    refuses("not a JSON object", "explain", model, "{nope")
    refuses("is not a row", "explain", model, "17")
    refuses("visa", "explain", model, '{"adults": 2}')


def test_solve_gives_rows_with_certificates(folder: Path, tmp_path: Path) -> None:
    """`solve` takes weights by variable and prints whole rows, each with value, bound, status and proof."""
    weights = tmp_path / "w.csv"
    weights.write_text("kind=air,visa,adults=2,seats=5\n5,3,1,1\n-5,3,0,0\n")
    rows = list(csv.DictReader(io.StringIO(run("solve", folder / "trips.rules", weights))))
    assert (rows[0]["kind"], rows[0]["visa"], rows[0]["adults"], rows[0]["seats"]) == ("air", "yes", "2", "5")
    assert (rows[0]["unwritten_value"], rows[0]["unwritten_status"]) == ("10", "optimal")
    assert rows[0]["unwritten_proof"] in ("data", "rules", "")
    assert rows[1]["visa"] == "no"
    (first, _) = (json.loads(line) for line in run("solve", folder / "trips.rules", weights, "--json").splitlines())
    assert first["row"]["kind"] == "air"
    assert first["engine"] and first["note"] == "" and first["forecast"] is None  # this model has no weights
    weights.write_text("kind=boat\n1\n")
    refuses("not a variable", "solve", folder / "trips.rules", weights)
    weights.write_text("visa\nx\n")
    refuses("is not a number", "solve", folder / "trips.rules", weights)
    for option, value in (("--engine", "'best-first'"), ("--backend", "'scipy'"), ("--proof", "'data'")):
        misused(value, "solve", folder / "trips.rules", weights, option, "magic")


def test_diff_tells_what_changed(folder: Path, tmp_path: Path) -> None:
    """`diff` takes models or tables, with exit code 0 for the same rules and 1 otherwise."""
    assert run("diff", folder / "trips.rules", folder / "trips.csv")
    table = trips(400, 3).to_pydict()
    table["visa"] = ["no" if kind == "rail" else "yes" for kind in table["kind"]]
    arrow_csv.write_csv(trips(1).from_pydict(table), tmp_path / "new.csv")
    shown = run("diff", folder / "trips.rules", tmp_path / "new.csv", code=1)
    assert "kind = rail exactly when visa = no" in shown or "visa = no" in shown
    assert json.loads(run("diff", folder / "trips.rules", tmp_path / "new.csv", "--json", code=1))


def test_edit_and_mine_again(folder: Path, tmp_path: Path) -> None:
    """`edit` drops, pins and adds rules, and `mine --keep` repeats these edits."""
    ids = {rule["text"]: rule["id"] for rule in json.loads(run("rules", folder / "trips.rules", "--json"))}
    edited = tmp_path / "edited.rules"
    run(
        *("edit", folder / "trips.rules", "-o", edited, "--drop", ids["visa = yes requires kind = air"]),
        *("--pin", ids["seats = adults + children"], "--add", "kind in {bus, rail} requires adults != 5"),
    )
    shown = run("rules", edited)
    assert shown.count("[given]") == 2
    run("mine", folder / "trips.csv", "-o", tmp_path / "again.rules", "--keep", edited)
    assert "visa" not in run("rules", tmp_path / "again.rules")
    refuses("nothing to edit", "edit", edited)
    refuses("no rule has the id", "edit", edited, "--drop", "zzz", "--force")
    refuses("shop", "edit", edited, "--add", "shop = 1 always", "--force")


@pytest.mark.parametrize("target", ["lp", "mps", "opb", "cpmpy", "ortools", "minizinc", "sql", "pandera"])
def test_export_to_every_target(folder: Path, tmp_path: Path, target: str) -> None:
    """`export` writes the same text to standard output and to a file."""
    text = run("export", folder / "trips.rules", "--to", target)
    assert len(text) > 200
    run("export", folder / "trips.rules", "--to", target, "-o", tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == text
    misused("'vhdl' is not one of 'lp', 'mps'", "export", folder / "trips.rules", "--to", "vhdl")


def test_export_to_dbt(folder: Path, tmp_path: Path) -> None:
    """`export --to dbt` writes several files into a folder, which may be there already."""
    text = run("export", folder / "trips.rules", "--to", "dbt")
    run("export", folder / "trips.rules", "--to", "dbt", "-o", tmp_path)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == text.count("==> ") > 1
    refuses("exists already", "export", folder / "trips.rules", "--to", "dbt", "-o", tmp_path)
    run("export", folder / "trips.rules", "--to", "dbt", "-o", tmp_path, "--force")


def test_report_is_one_page(folder: Path, tmp_path: Path) -> None:
    """The page of `report` holds the sentences."""
    run("report", folder / "trips.rules", "-o", tmp_path / "r.html")
    assert "seats = adults + children" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("ragged.csv", "a,b\n1,2\n3\n", "line 3 of ragged.csv has 1 cells"),
        ("twice.csv", "a,a\n1,2\n", "two columns named 'a'"),
        ("empty.csv", "a,\n1,2\n", "column 2 of empty.csv has no name"),
        ("none.csv", "", "is empty"),
        ("one.csv", "a\nx\n", "one example cannot show a rule"),
    ],
)
def test_bad_tables(tmp_path: Path, name: str, content: str, words: str) -> None:
    """A bad table is refused with one sentence, and no file is written."""
    (tmp_path / name).write_text(content)
    refuses(words, "mine", tmp_path / name, "-o", tmp_path / "m.rules")
    assert not (tmp_path / "m.rules").exists()


def test_a_column_of_nothing_is_left_out(tmp_path: Path) -> None:
    """A column without values is reported, and the others are mined."""
    (tmp_path / "t.csv").write_text("a,b,c\n" + "x,,p\ny,,q\n" * 20)
    shown = run("mine", tmp_path / "t.csv")
    assert "every value is missing" in shown
    assert "a" in shown


def test_a_model_for_other_columns(folder: Path, tmp_path: Path) -> None:
    """A table without the model's columns, and a file that is not a model, are refused."""
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    refuses("lacks the column 'adults'", "check", folder / "trips.rules", tmp_path / "t.csv")
    refuses("not a complete .rules file|damaged", "check", tmp_path / "t.csv", folder / "trips.csv")
    refuses("does not exist", "rules", tmp_path / "no.rules")


def test_standard_input_and_wrong_options(folder: Path) -> None:
    """`-` reads CSV from standard input; wrong options are refused with a sentence."""
    text = (folder / "trips.csv").read_text()
    assert "seats = adults + children" in run("mine", "-", stdin=text)
    assert "0 of 400 rows" in run("check", folder / "trips.rules", "-", stdin=text)
    refuses("is not NAME=KIND", "mine", folder / "trips.csv", "--types", "adults")
    refuses("which the table lacks", "mine", folder / "trips.csv", "--types", "nope=skip")
    refuses("neither a share nor auto", "mine", folder / "trips.csv", "--noise", "much")
    refuses("there is no miner", "mine", folder / "trips.csv", "--rules", "magic")
    refuses("confidence is 2", "mine", folder / "trips.csv", "--confidence", "2")
    misused("'best' is not one of 'max', 'min'", "mine", folder / "trips.csv", "--sense", "best")
    misused("'drop' is not one of 'category', 'error'", "mine", folder / "trips.csv", "--missing", "drop")


def test_as_processes(folder: Path, tmp_path: Path) -> None:
    """As a process, an error is one line on standard error, and a closed pipe ends a command silently."""
    unwritten = [sys.executable, "-m", "unwritten"]
    done = subprocess.run([*unwritten, "mine", tmp_path / "no.csv"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"unwritten: cannot read {tmp_path / 'no.csv'}: it does not exist, check the path\n"
    pipe = f"cat {folder / 'bad.csv'} | {sys.executable} -m unwritten check {folder / 'trips.rules'} - --json | head -1"
    done = subprocess.run(["bash", "-c", pipe], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["row"] == 17
    assert done.stderr == ""


def test_a_closed_pipe_changes_nothing_else(folder: Path, tmp_path: Path) -> None:
    """The reader of the output has ended: the model is saved all the same, and exit codes are what they would be."""
    asked = {
        ("mine", str(folder / "trips.csv"), "-o", str(tmp_path / "m.rules")): 0,
        ("check", str(folder / "trips.rules"), str(folder / "bad.csv")): 1,
        ("export", str(folder / "trips.rules"), "--to", "sql"): 0,
    }
    for arguments, code in asked.items():
        read, write = os.pipe()
        os.close(read)
        command = [sys.executable, "-m", "unwritten", *arguments]
        env = os.environ | {"PYTHONUNBUFFERED": "1"}
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, env=env, check=False)
        os.close(write)
        assert (done.returncode, done.stderr) == (code, "")
    assert unwritten.load(tmp_path / "m.rules").rules


def test_control_c_leaves_nothing_behind(tmp_path: Path) -> None:
    """SIGINT while a table is read: exit code 130, no traceback, no half-written file."""
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    command = [sys.executable, "-m", "unwritten", "mine", "-", "-o", str(tmp_path / "m.rules")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stderr
        process.stdin.write(b"a,b\n1,2\n")
        waiting = 1
        while waiting and process.poll() is None:  # until the command has read what is in the pipe, and waits for more
            time.sleep(0.01)
            waiting = struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))[0]
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert os.listdir(tmp_path) == []
