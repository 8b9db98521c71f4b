"""The commands on a model with habits: they are said, and used only with --habits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from unwritten.cli import app

RULE, HABIT = "at most one of a = yes, b = yes, c = yes", "at least one of a = yes, b = yes, c = yes"


def run(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hundred choices of the best-paid of three jobs, and their model."""
    folder = tmp_path_factory.mktemp("habits")
    pay = np.random.default_rng(0).uniform(0.1, 1, (200, 3)).round(3)
    chosen = np.eye(3, dtype=bool)[pay.argmax(axis=1)]
    rows = [["yes" if taken else "no" for taken in row] for row in chosen]
    for name, lines in (("jobs", rows), ("pay", pay.tolist()), ("nothing", [["no"] * 3]), ("costs", [[-1, -2, -3]])):
        text = "\n".join(",".join(map(str, line)) for line in [["a", "b", "c"], *lines])
        (folder / f"{name}.csv").write_text(text + "\n", encoding="utf-8")
    run("mine", folder / "jobs.csv", "--weights", folder / "pay.csv", "-o", folder / "jobs.rules")
    return folder


def test_habits_are_printed(folder: Path) -> None:
    """`mine` and `rules` print habits after the rules, and mark them."""
    mined = run("mine", folder / "jobs.csv", "--weights", folder / "pay.csv")
    assert mined.index(RULE) < mined.index("1 habit: all rows do this too") < mined.index(f"{HABIT}  [habit]")
    listed = run("rules", folder / "jobs.rules")
    assert listed.splitlines()[-1] == "1 of 1 rules, 1 of 1 habits"
    assert f"{HABIT}  [habit]" in listed
    (habit,) = json.loads(run("rules", folder / "jobs.rules", "--origin", "habit", "--json"))
    assert (habit["text"], habit["origin"]) == (HABIT, "habit")
    state = json.loads(run("mine", folder / "jobs.csv", "--weights", folder / "pay.csv", "--json"))
    assert [rule["text"] for rule in state["rules"]] == [RULE]
    assert [rule["text"] for rule in state["habits"]] == [HABIT]


def test_habits_are_used_by_choice(folder: Path) -> None:
    """Without --habits, taking no job is allowed; with it, it is not."""
    model = folder / "jobs.rules"
    assert "no,no,no,0,0,optimal" in run("solve", model, folder / "costs.csv")
    assert "yes,no,no,-1,-1,optimal,rules" in run("solve", model, folder / "costs.csv", "--habits")
    run("check", model, folder / "nothing.csv")
    assert "exactly one of" in run("check", model, folder / "nothing.csv", "--habits", code=1)
    assert "+ 1 a + 1 b + 1 c <= 1" in run("export", model, "--to", "lp")
    assert "+ 1 a + 1 b + 1 c = 1" in run("export", model, "--to", "lp", "--habits")
    assert "it is against a habit" in run("explain", model, '{"a": "no", "b": "no", "c": "no"}')
