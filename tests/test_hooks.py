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
    names = ["data/a.csv", "a.parquet", "README.md", "csv.py"]
    assert [name for name in names if re.search(hook["files"], name)] == names[:2]


def run_action(folder: Path, tables: str, options: str = "") -> subprocess.CompletedProcess[str]:
    """Run the last step of the action, as GitHub does."""
    step = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][-1]
    assert "${{" not in step["run"]
    fixed = {name: str(value) for name, value in step["env"].items() if "${{" not in str(value)}
    (folder / "installed").mkdir(exist_ok=True)
    given = {"PYTHON": sys.executable, "RUNNER_TEMP": str(folder / "installed"), "MODEL": "lamps.rules"}
    env = os.environ | fixed | given | {"TABLES": tables, "OPTIONS": options}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_action(folder: Path) -> None:
    """The last step checks every table, and fails if one of them is wrong."""
    done = run_action(folder, "*.csv", "--limit 3")
    assert done.returncode == 1
    assert re.search(r"fine.csv\n0 of 120 rows break.*wrong.csv\nrow 2\n", done.stdout, re.DOTALL), done.stdout
    assert run_action(folder, "fine.csv\nfine.csv\n").returncode == 0
    assert "no file matches" in run_action(folder, "none/*.csv").stderr
    none = run_action(folder, " \n")
    assert (none.returncode, none.stderr.startswith("unwritten: no tables are named")) == (2, True)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_the_action_runs_nothing_of_a_pull_request(folder: Path) -> None:
    """Names of files may hold any signs, and a module in the working folder is not imported."""
    odd = folder / "odd"
    odd.mkdir()
    shutil.copy(folder / "lamps.rules", odd)
    names = [
        "a b.csv",
        "it's.csv",
        '"x".csv',
        "$(touch ran).csv",
        "-rf.csv",
        "[a].csv",
        "::error::.csv",
        "ä;touch ran.csv",
    ]
    for name in names:
        shutil.copy(folder / "fine.csv", odd / name)
    (odd / "unwritten.py").write_text("open('ran', 'w')")
    done = run_action(odd, "*.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("0 of 120 rows break") == len(names)
    assert run_action(odd, "$(touch ran) `touch ran`", "; touch ran").returncode
    assert not (odd / "ran").exists()
