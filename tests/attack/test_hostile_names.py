"""Hostile names and values in every command: no terminal obeys them, and no spreadsheet runs them."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import unwritten
from unwritten.cli.app import main
from unwritten.exports import TARGETS

#: Control characters except newline and tab, and characters that change the direction of text.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
NAMES = [
    "plain",
    "\x1b[31mred\x1b]0;title\x07",
    "c1 \x9b2J\x85",
    "rtl \u202eevil\u2066",
    "'; DROP TABLE decisions; --",
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "=cmd|' /C calc'!A0",
    "+SUM(1;2)",
    "@x",
    "-2+3|cmd",
    "__import__('os').system('id')",
    "two\nlines\r\tand | pipes ](http://x)",
    "n" * 10_000,
    "requires",
    "*/ -- # \\ % {0} `x` &amp;",
    "nul-free \x7f\ufeff",
]


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command; return its exit code and both outputs, which must hold no raw control character."""
    sys.argv = ["unwritten", *map(str, arguments)]
    try:
        main()
        code = 0
    except SystemExit as ending:
        code = int(ending.code or 0)
    out, error = capsys.readouterr()
    for text in (out, error):
        control = RAW.search(text)
        assert control is None, (arguments[0], text[max(0, control.start() - 40) : control.end() + 40])
    assert "Traceback" not in error
    return code, out, error


@pytest.fixture(autouse=True)
def _arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr("warnings.showwarning", lambda *_: None)


def rows(n: int, seed: int) -> list[list[str]]:
    """Generate rows in which the first column determines the second, and the others hold hostile values."""
    rng = np.random.default_rng(seed)
    table = []
    for _ in range(n):
        k = int(rng.integers(0, 3))
        row = [NAMES[1 + k], NAMES[4 + k] if k else rng.choice(NAMES[4:6])]
        row += [str(rng.choice([NAMES[j], NAMES[(j + 5) % len(NAMES)]])) for j in range(2, len(NAMES))]
        table.append([str(cell) for cell in row])
    return table


def write(path: Path, names: list[str], table: list[list[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *table])
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write tables, models of a table and of labels, and weights."""
    folder = tmp_path_factory.mktemp("hostile")
    write(folder / "good.csv", NAMES, rows(250, 0))
    bad = rows(30, 1)
    bad[3][0] = "\x1b[2Jnew"
    bad[4][1] = NAMES[7]
    write(folder / "bad.csv", NAMES, bad)
    model = unwritten.mine(unwritten.Table.of(str(folder / "good.csv")), rules=["pairs", "groups"])
    assert len(model.sentences)
    model.save(folder / "table.rules")
    unwritten.mine(unwritten.Table.of(str(folder / "bad.csv")), rules=["pairs"]).save(folder / "other.rules")
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, (200, len(NAMES) + 1))
    labels[:, 1] = 1 - labels[:, 0]
    labels[:, 3] = labels[:, 2] & labels[:, 4]
    labels[:, -1] = labels[:, -2]
    plain = unwritten.mine(labels, names=[*NAMES, "half \ud800"], rules=["pairs", "equalities"])
    assert len(plain.sentences)
    plain.save(folder / "plain.rules")
    for each in (model, plain):
        names = [name for name in each.variables.names if "\ud800" not in name]
        kind = "table" if each is model else "plain"
        write(folder / f"{kind}.weights.csv", names, [[str(k % 3) for k in range(len(names))]])
    return folder


def test_mine_check_and_diff(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters are escaped in columns, values, rules, findings and differences; JSON keeps them."""
    target = place / "again \x1b[1m.rules"
    assert command(capsys, "mine", place / "good.csv", "-o", target, "--rules", "pairs", "--force")[0] == 0
    state = json.loads(command(capsys, "mine", place / "good.csv", "--json", "--rules", "pairs")[1])
    assert [column["name"] for column in state["columns"]] == NAMES
    assert command(capsys, "check", place / "table.rules", place / "bad.csv")[0] == 1
    findings = [
        json.loads(line)
        for line in command(capsys, "check", place / "table.rules", place / "bad.csv", "--json")[1].splitlines()
    ]
    assert any(each.get("unknown") == [{"column": NAMES[0], "value": "\x1b[2Jnew"}] for each in findings[:-1])
    assert command(capsys, "diff", place / "table.rules", place / "other.rules")[0] == 1
    json.loads(command(capsys, "diff", place / "table.rules", place / "other.rules", "--json")[1])


@pytest.mark.parametrize("kind", ["table", "plain"])
def test_rules_in_every_form(place: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, JSON, CSV and Markdown have one line per rule, no formula, no HTML, and no cell that ends early."""
    path = place / f"{kind}.rules"
    sentences = unwritten.load(path).sentences
    lines = command(capsys, "rules", path)[1].splitlines()
    assert len(lines) == len(sentences) + 2
    state = json.loads(command(capsys, "rules", path, "--json")[1])
    assert [each["text"] for each in state] == [sentence.text for sentence in sentences]
    table = list(csv.reader(io.StringIO(command(capsys, "rules", path, "--format", "csv")[1])))
    assert len(table) == len(sentences) + 1
    assert not [cell for row in table for cell in row if cell[:1] in tuple("=+-@")]
    page = command(capsys, "rules", path, "--format", "markdown")[1].splitlines()
    assert len(page) == len(sentences) + 2
    for line in page[2:]:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 7
        assert "<" not in line
        assert "](" not in line


@pytest.mark.parametrize("kind", ["table", "plain"])
def test_explain_and_solve(place: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Repairs, similar rows and answers are printed safely; the CSV of answers holds no formula."""
    path, weights = place / f"{kind}.rules", place / f"{kind}.weights.csv"
    if kind == "table":
        assert command(capsys, "explain", path, f"{place / 'bad.csv'}:4", "--time-limit", "2")[0] == 1
        state = json.loads(command(capsys, "explain", path, f"{place / 'bad.csv'}:5", "--json", "--time-limit", "2")[1])
        assert state["nearest"]
    else:
        row = dict.fromkeys(unwritten.load(path).variables.names, 1)
        assert command(capsys, "explain", path, json.dumps(row), "--time-limit", "2")[0] == 1
    code, out, _ = command(capsys, "solve", path, weights)
    assert code == 0
    header, answer = csv.reader(io.StringIO(out))
    assert len(header) == len(answer)
    for cell in (*header, *answer):
        assert cell[:1] not in tuple("=+@") and not re.match(r"-(?!\d+(\.\d*)?$)", cell)
    assert json.loads(command(capsys, "solve", path, weights, "--json")[1])["status"] == "optimal"
    code, _, error = command(capsys, "explain", path, '{"\\u001b[31m": 1}')
    assert code == 2
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("kind", ["table", "plain"])
@pytest.mark.parametrize("target", TARGETS)
def test_export(place: Path, kind: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An export on standard output holds no control characters or is refused; in files only SQL keeps them."""
    path = place / f"{kind}.rules"
    code, out, error = command(capsys, "export", path, "--to", target)
    if code:
        assert code == 2
        assert len(error.splitlines()) == 1
        assert not out
    saved = tmp_path / "x"
    if command(capsys, "export", path, "--to", target, "-o", saved)[0] == 0:
        files = [each for each in saved.rglob("*") if each.is_file()] if saved.is_dir() else [saved]
        assert files
        for each in files:
            assert target == "sql" or each.suffix == ".sql" or RAW.search(each.read_text(encoding="utf-8")) is None
    if target in ("cpmpy", "ortools", "pandera") and saved.exists():
        compile(saved.read_text(encoding="utf-8"), "x", "exec")


@pytest.mark.parametrize("kind", ["table", "plain"])
def test_report(place: Path, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page holds no script from a name and no raw control character."""
    assert command(capsys, "report", place / f"{kind}.rules", "-o", tmp_path / "x.html")[0] == 0
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert RAW.search(page) is None
    assert "<script>alert" not in page
    assert "<img" not in page


def test_sentences_with_controls_are_read_back(place: Path) -> None:
    """A sentence that `unwritten rules` prints with escapes can be given to `unwritten edit`."""
    model = unwritten.load(place / "table.rules")
    for sentence in model.sentences:
        assert sentence.text.isprintable()
        assert unwritten.rules.parse_rule(sentence.text, model.variables, model.schema)


def test_errors_and_wrong_arguments(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A message that quotes what a person typed is one line, with control characters escaped."""
    for arguments in (
        ("rules", place / "table.rules", "--column", "\x1b[31m\nx"),
        ("rules", place / "\x1b[31m.rules"),
        ("mine", place / "a\x1b[31m\nb.csv"),
        ("edit", place / "table.rules", "--add", "\x1b[31m requires \u202e", "-o", place / "x.rules"),
        ("check", place / "table.rules", place / "table.weights.csv"),
        ("solve", place / "plain.rules", place / "good.csv"),
        ("mine", place / "good.csv", "--types", "\x1b[31m=category"),
    ):
        code, _, error = command(capsys, *arguments)
        assert code == 2, arguments
        assert len(error.splitlines()) == 1, error
