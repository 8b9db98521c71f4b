"""The hook of pre-commit and the action of GitHub run `unwritten check`, and fail if a row breaks a rule."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unwritten

ROOT = Path(__file__).parent.parent
yaml = pytest.importorskip("yaml", reason="needs PyYAML")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of lamps, a table that obeys it, and one that does not."""
    place = tmp_path_factory.mktemp("hooks")
    rows = [f"{size},{colour},{'hot' if colour == 'red' else 'cold'}" for size in "SML" for colour in ("red", "blue")]
    (place / "fine.csv").write_text("\n".join(["size,colour,heat", *rows * 20]))
    (place / "wrong.csv").write_text("size,colour,heat\nS,red,hot\nM,red,cold\n")
    unwritten.mine(place / "fine.csv", rules=["groups", "equalities", "pairs"]).save(place / "lamps.rules")
    return place


def test_the_hook() -> None:
    """pre-commit puts the arguments and the changed files behind the entry, which fails if a row is wrong."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert shlex.split(hook["entry"]) == ["unwritten", "check"]
    assert (hook["language"], hook["require_serial"]) == ("python", True)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_action(folder: Path) -> None:
    """The last step checks every table, and fails if one of them is wrong; no input is part of the script."""
    step = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][-1]
    assert "${{" not in step["run"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = os.environ | {"PATH": path, "MODEL": "lamps.rules", "TABLES": "*.csv", "OPTIONS": "--limit 3"}
    command = ["bash", "-e", "-c", step["run"]]
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"fine.csv\n0 of 120 rows break.*wrong.csv\nrow 2\n", done.stdout, re.DOTALL), done.stdout
