"""The hook of pre-commit and the action of GitHub run `unwritten check`, and fail if a row breaks a rule."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unwritten
from unwritten.samples.sample_tables import sample_csv

ROOT = Path(__file__).parent.parent
yaml = pytest.importorskip("yaml", reason="needs PyYAML")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of shifts, a table that obeys it, and one that does not."""
    place = tmp_path_factory.mktemp("hooks")
    text = sample_csv("shifts", rows=400)
    (place / "fine.csv").write_text(text)
    unwritten.mine(place / "fine.csv").save(place / "shifts.rules")
    head, first, *rest = text.splitlines()
    cells = first.split(",")
    cells[head.split(",").index("hours")] = "9"
    (place / "wrong.csv").write_text("\n".join([head, ",".join(cells), *rest]))
    return place


def run(command: list[str], folder: Path, **variables: str) -> int:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, cwd=folder, env=os.environ | {"PATH": path} | variables, check=False)
    return done.returncode


def test_the_hook(folder: Path) -> None:
    """pre-commit puts the arguments and the changed files behind the entry."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    entry = shlex.split(hook["entry"])
    assert run([*entry, "shifts.rules", "fine.csv"], folder) == 0
    assert run([*entry, "shifts.rules", "wrong.csv"], folder) == 1


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_action(folder: Path) -> None:
    """The last step checks every table, and fails if one of them is wrong; no input is part of the script."""
    step = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][-1]
    assert "${{" not in step["run"]
    script = ["bash", "-e", "-c", step["run"]]
    given = {"MODEL": "shifts.rules", "OPTIONS": "--limit 3"}
    assert run(script, folder, TABLES="fine.csv", **given) == 0
    assert run(script, folder, TABLES="*.csv", **given) == 1
