"""The library writes no files of its own accord, and needs no home directory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: Prints every path that Python opens for writing, makes, renames or removes; numba's cache is not in use here.
WATCHED = """
import os, sys
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
assert "numba" not in sys.modules
"""


def written(code: str, folder: Path) -> list[str]:
    """The writes of a process without a home directory that runs code in a folder."""
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "USERPROFILE")}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python's own cache is not the library's
    command = [sys.executable, "-c", WATCHED + code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_mining_writes_nothing(tmp_path: Path) -> None:
    """Importing the library and mining equalities leave the disk as it is."""
    assert written(MINED, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_saved_model_is_the_only_write(tmp_path: Path) -> None:
    """Saving writes inside the directory of the file only: the watch sees it, so that it can fail."""
    writes = written(f"{MINED}\nmodel.save('m.rules')", tmp_path)
    assert writes
    paths = {(tmp_path / write.split(maxsplit=1)[1]).parent for write in writes}
    assert paths == {tmp_path}
    assert [path.name for path in tmp_path.iterdir()] == ["m.rules"]
