"""The library writes no files of its own accord, and needs no home directory, no cache and no rights."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from environments import AS_NOBODY

SMOKE = Path(__file__).parent / "smoke.py"
#: Prints every path that Python opens for writing, makes, renames or removes.
WATCHED = """
import os, runpy, sys
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES:
        print("open", arguments[0])
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate"):
        print(event, arguments[0])
sys.addaudithook(watch)
"""
MINED = """
import unwritten
model = unwritten.mine([[1, 0], [0, 1]] * 5, rules=["equalities"])
assert [rule.text for rule in model.rules] == ["exactly one of y0, y1"], model.rules
"""
#: Makes the file system read-only, then runs a command as nobody, who can read every file.
HARDENED = f'mount -o remount,bind,ro / && exec {" ".join(AS_NOBODY)} "$@"'
CANNOT_WRITE = """
import os, pathlib, tempfile
assert os.getuid() == 65534
for folder in (".", "/", os.path.dirname(os.__file__)):
    try:
        pathlib.Path(folder, "probe").touch()
    except OSError:
        continue
    raise SystemExit(f"{folder} can be written")
"""
VANS = "".join(f"{engine},{plug},{n % 7}\n" for n in range(80) for engine, plug in (("diesel", "no"), ("volt", "yes")))


def run(command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without a home directory; Python writes no bytecode, which is its own cache."""
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "USERPROFILE", "TMPDIR")}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def written(code: str, folder: Path) -> list[str]:
    """The writes of a process that runs code in a folder."""
    done = run([sys.executable, "-c", WATCHED + code], folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def hardened(command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder as an unprivileged user of a system whose files are read-only."""
    return run(["unshare", "--mount", "sh", "-c", HARDENED, "sh", *command], folder)


@pytest.fixture
def read_only(tmp_path: Path) -> Path:
    """A folder in which a hardened process cannot write."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("needs root, to mount the file system read-only and to become another user")
    if not all(shutil.which(tool) for tool in ("unshare", "mount", "setpriv")):
        pytest.skip("needs unshare, mount and setpriv")
    if hardened(["true"], tmp_path).returncode != 0:
        pytest.skip("needs the right to mount the file system read-only")
    done = hardened([sys.executable, "-c", CANNOT_WRITE], tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_mining_writes_nothing(tmp_path: Path) -> None:
    """Importing the library and mining equalities leave the disk as it is."""
    assert written(MINED, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_no_search_writes_anything(tmp_path: Path) -> None:
    """Every compiled search, of the miners and of the engines, leaves the disk as it is."""
    assert written(f"runpy.run_path({str(SMOKE)!r}, run_name='__main__')", tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_saved_model_is_the_only_write(tmp_path: Path) -> None:
    """Saving writes inside the directory of the file only: the watch sees it, so that it can fail."""
    writes = written(f"{MINED}\nmodel.save('m.rules')", tmp_path)
    assert writes
    paths = {(tmp_path / write.split(maxsplit=1)[1]).parent for write in writes}
    assert paths == {tmp_path}
    assert [path.name for path in tmp_path.iterdir()] == ["m.rules"]


def test_the_command_needs_no_rights(read_only: Path) -> None:
    """`unwritten mine` prints the rules of a table as an unprivileged user of a read-only system."""
    (read_only / "vans.csv").write_text(f"engine,plug,paint\n{VANS}", encoding="utf-8")
    done = hardened([sys.executable, "-m", "unwritten", "mine", "vans.csv"], read_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert "engine = volt exactly when plug = yes" in done.stdout


def test_no_search_needs_rights(read_only: Path) -> None:
    """Every compiled search runs as an unprivileged user of a read-only system."""
    done = hardened([sys.executable, SMOKE], read_only)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
