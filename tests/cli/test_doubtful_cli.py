"""`unwritten rules --doubtful`: rules that too few rows show are listed apart, with what is missing."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from unwritten.cli import app

RULE = "trim = sport exactly when roof = yes"


def run(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def mined(folder: Path, rows: int) -> Path:
    """The model of a table of this many rows, all of which obey the rule."""
    lines = ["trim,roof", *(("base,no", "sport,yes")[k % 2] for k in range(rows))]
    (folder / "cars.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("mine", folder / "cars.csv", "-o", folder / "cars.rules")
    return folder / "cars.rules"


def test_a_rule_of_few_rows_is_listed_as_doubtful_only(tmp_path: Path) -> None:
    """Forty rows without an exception are too few: the rule is held back, and says how many more rows it needs."""
    model = mined(tmp_path, 40)
    assert RULE not in run("rules", model)
    assert json.loads(run("rules", model, "--json")) == []
    listed = run("rules", model, "--doubtful")
    assert RULE in listed
    assert "more examples would settle it" in listed
    held = json.loads(run("rules", model, "--doubtful", "--json"))
    assert held
    for rule in held:
        assert rule["text"].startswith(RULE)
        assert rule["needed"] > 0
        assert rule["confidence"] < 0.95
        assert 1 / 40 < rule["bound"] < 1


def test_a_rule_of_many_rows_is_listed_with_how_often_it_may_break(tmp_path: Path) -> None:
    """Four hundred rows show the same rule: it is stated, with a bound, and nothing is doubtful."""
    model = mined(tmp_path, 400)
    heading, line, count = run("rules", model).splitlines()
    assert heading.split() == ["id", "rows", "sure", "breaks", "rule"]
    assert "≤ 1 in " in line
    assert RULE in line
    assert count == "1 of 1 rules"
    (stated,) = json.loads(run("rules", model, "--json"))
    assert stated["needed"] == 0
    assert 0 < stated["bound"] < 0.05
    assert json.loads(run("rules", model, "--doubtful", "--json")) == []
