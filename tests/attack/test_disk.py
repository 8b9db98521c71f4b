"""Full disks, killed writers, and files that change while they are read: old files survive, and errors are ours.

A killed writer may leave one temporary file (`.<16 hex digits>.rules.tmp`) beside the model. It is never read again
and can be deleted.
"""

from __future__ import annotations

import builtins
import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unwritten
from unwritten.errors import DataError, FormatError, UnwrittenError
from unwritten.formats import write_text
from unwritten.tables import Table

TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.rules\.tmp")


def model(k: int = 4) -> unwritten.Model:
    return unwritten.mine(np.eye(k, dtype=int), rules=["equalities"])


class Failing:
    """A file whose n-th call of a method fails, as on a full or broken disk."""

    def __init__(self, file: Any, budget: list[int], code: int) -> None:
        self._file, self._budget, self._code = file, budget, code

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._file, name)
        if name not in ("write", "flush", "seek", "tell", "close"):
            return real

        def called(*a: Any) -> Any:
            self._budget[0] -= 1
            if self._budget[0] == 0:
                if name == "close":
                    real()
                raise OSError(self._code, os.strerror(self._code))
            return real(*a)

        return called

    def __enter__(self) -> Failing:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_every_step_of_a_save_may_fail(tmp_path: Path, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever call on the file fails, the old model is unchanged and no other file remains."""
    path = tmp_path / "m.rules"
    model(3).save(path)
    before, true, failures = path.read_bytes(), builtins.open, 0
    for step in range(1, 400):
        budget = [step]

        def opened(*a: Any, _budget: list[int] = budget, **k: Any) -> Any:
            file = true(*a, **k)
            return Failing(file, _budget, code) if "x" in str(a[1:] or k.get("mode")) else file

        with monkeypatch.context() as patch:
            patch.setattr(builtins, "open", opened)
            try:
                model(4).save(path)
            except FormatError as error:
                failures += 1
                assert os.strerror(code) in str(error)
                assert "\n" not in str(error)
                assert path.read_bytes() == before
                assert os.listdir(tmp_path) == ["m.rules"]
                continue
        assert unwritten.load(path) == model(4)  # no call failed, or only a `tell` that zip files can do without
        if budget[0] > 0:
            break
        path.write_bytes(before)
    assert failures > 20
    assert unwritten.load(path) == model(4)


@pytest.mark.parametrize("call", ["os.fsync", "os.replace", "os.path.realpath"])
def test_every_call_of_the_system_may_fail(tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a system call fails, neither a model nor a text file is changed."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path, page = tmp_path / "m.rules", tmp_path / "x.html"
    model(3).save(path)
    write_text(page, "old")
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(call, fail)
        for write in (lambda: model(4).save(path), lambda: write_text(page, "new")):
            with pytest.raises(FormatError, match="No space left on device"):
                write()
    assert (path.read_bytes(), page.read_text()) == (before, "old")
    assert sorted(os.listdir(tmp_path)) == ["m.rules", "x.html"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_device() -> None:
    """A model cannot be saved to a device; a full standard output ends a command with one sentence."""
    with pytest.raises(FormatError, match="not an ordinary file"):
        model().save("/dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "unwritten", "--version"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "unwritten: cannot read or write (No space left on device): free some space, or choose another path"
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory(tmp_path: Path) -> None:
    """Saving into a read-only directory fails with one sentence and keeps the old file."""
    path = tmp_path / "m.rules"
    model(3).save(path)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(FormatError, match="Permission denied"):
            model(4).save(path)
    finally:
        tmp_path.chmod(0o700)
    assert unwritten.load(path) == model(3)


WRITER = """
import sys, numpy as np, unwritten
models = [unwritten.mine(np.eye(k, dtype=int), rules=["equalities"]) for k in (30, 40)]
print("ready", flush=True)
while True:
    for model in models:
        model.save(sys.argv[1])
        print("saved", flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_writers_killed_one_after_the_other(tmp_path: Path) -> None:
    """After each kill the file is one of the two models, and each kill leaves at most one temporary file."""
    path = tmp_path / "m.rules"
    wanted = [model(30), model(40)]
    wanted[0].save(path)
    rng = np.random.default_rng(0)
    for killed in range(1, 5):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            for _ in range(1 + rng.integers(1, 20)):  # "ready", then "saved" after each save
                child.stdout.readline()
            child.kill()
        assert unwritten.load(path) in wanted
        beside = [name for name in os.listdir(tmp_path) if name != "m.rules"]
        assert len(beside) <= killed
        assert all(TEMPORARY.fullmatch(name) for name in beside)
    wanted[0].save(path)  # the temporary files do not disturb
    assert unwritten.load(path) == wanted[0]


# files that change


FRAME = pa.table({"a": ["x", "y"] * 500, "b": [1, 2] * 500, "c": [str(k % 7) for k in range(1000)]})
OTHER = pa.table({"a": ["x", "new", "y"] * 400, "b": [1, 2, 99] * 400, "c": ["q"] * 1200})
WIDER = pa.table({"z": [1.5] * 10, "a": ["x"] * 10, "b": [1] * 10, "c": ["1"] * 10, "d": [None] * 10})


def _csv(table: pa.Table, path: Path) -> None:
    import pyarrow.csv as arrow_csv

    arrow_csv.write_csv(table, path)


def _arrow(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)


WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {".csv": _csv, ".parquet": pq.write_table, ".arrow": _arrow}


def _cut(path: Path) -> None:
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size // 2)


def _grown(path: Path) -> None:
    with open(path, "ab") as file:
        file.write(b'"x",1,"3"\n')


CHANGES: dict[str, Callable[[Path], Any]] = {
    "gone": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "cut": _cut,
    "grown": _grown,
    "noise": lambda path: path.write_bytes(os.urandom(2_000)),
    "other rows": lambda path: WRITERS[path.suffix](OTHER, path),
    "other columns": lambda path: WRITERS[path.suffix](WIDER, path),
    "a directory": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_that_changes_between_passes(tmp_path: Path, suffix: str, change: str) -> None:
    """Reading the file again, and mining it, fail with one sentence that contains no path of this machine."""
    path = tmp_path / f"t{suffix}"
    WRITERS[suffix](FRAME, path)
    table = Table.of(path)
    CHANGES[change](path)
    for use in (table.labels, lambda: unwritten.mine(table)):
        with pytest.raises(DataError) as caught:
            use()
        assert "\n" not in str(caught.value)
        assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_that_changes_during_a_pass(tmp_path: Path, suffix: str, change: str) -> None:
    """The change is noticed, whether batches are left to read (Arrow) or only the end of the pass (CSV, Parquet)."""
    path = tmp_path / f"t{suffix}"
    WRITERS[suffix](FRAME, path)
    table = Table.of(path)
    blocks = table.reader.batches()
    next(blocks)
    CHANGES[change](path)
    with pytest.raises(UnwrittenError):
        for _ in blocks:
            pass


def test_an_unchanged_file_can_be_read_again(tmp_path: Path) -> None:
    """Reading an unchanged file twice raises no error."""
    for suffix, write in WRITERS.items():
        path = tmp_path / f"t{suffix}"
        write(FRAME, path)
        table = Table.of(path)
        assert np.array_equal(table.labels(), table.labels())
