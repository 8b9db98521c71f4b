"""Temporary files are limited, and nothing stays of them."""

import gc
import io
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import pytest

from unwritten import budgets, temporary
from unwritten.errors import DataError
from unwritten.tables.table_opening import open_table
from unwritten.temporary import Spool, temporary_path

FEED = """
import sys, unwritten.tables.table_opening as reader
class Endless:
    def read(self, size):
        print("reading", flush=True)
        return bytes(2**16)
reader.open_table(Endless())
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(params=["without a name", "with a name"])
def spools(request, folder, monkeypatch):
    """Both kinds of spools: the one of Linux, and that of other systems."""
    if request.param == "with a name":
        monkeypatch.setattr(temporary, "OWN_FILES", folder / "not there")
    elif not temporary.OWN_FILES.is_dir():
        pytest.skip("only Linux lists the open files of a process")
    return folder


def test_a_stream_is_read_as_often_as_needed(spools):
    """Every pass over a stream sees all of its rows, also passes at the same time."""
    reader = open_table(io.BytesIO(b"a,b\n" + b"1,2\n" * 1000))
    first, second = reader.batches(), reader.batches()
    assert [next(first)[0].num_rows, next(second)[0].num_rows] == [1000, 1000]
    assert sum(batch.num_rows for batch, _ in reader.batches()) == 1000


def test_a_spool_goes_with_its_reader(spools):
    """A pass that has begun ends, although nobody holds the reader any more; then the file is gone."""
    rows = open_table(io.BytesIO(b"a,b\n" + b"1,2\n" * 1000)).batches()
    assert sum(batch.num_rows for batch, _ in rows) == 1000
    del rows
    gc.collect()
    assert not list(spools.iterdir())


def test_a_spool_has_a_limit(spools, monkeypatch):
    """A stream without an end is refused with a cure, and leaves nothing on the disk."""
    monkeypatch.setattr(budgets, "SPOOL_BYTES", 10 * 2**20)
    with open("/dev/zero", "rb") as endless, pytest.raises(DataError, match=r"more than 10 MiB: give the path"):
        open_table(endless)
    gc.collect()
    assert not list(spools.iterdir())


def test_the_answer_of_a_database_has_a_limit(spools, tmp_path_factory, monkeypatch):
    """A query whose answer is too large is refused with a cure of its own."""
    place = tmp_path_factory.mktemp("data") / "shop.db"
    with sqlite3.connect(place) as connection:
        connection.execute("create table t (a)")
        connection.executemany("insert into t values (?)", ((k,) for k in range(50_000)))
    assert sum(batch.num_rows for batch, _ in open_table(place).batches()) == 50_000
    monkeypatch.setattr(budgets, "SPOOL_BYTES", 2**18)
    with pytest.raises(DataError, match=r"the answer of shop.db needs .* select less"):
        open_table(place)
    gc.collect()
    assert not list(spools.iterdir())


def test_a_database_in_a_pipe_is_refused(folder, tmp_path_factory):
    """SQLite and DuckDB read files in their places: one that comes through a pipe has none."""
    place = tmp_path_factory.mktemp("data") / "shop.db"
    with sqlite3.connect(place) as connection:
        connection.execute("create table t (a)")
    connection.close()
    with pytest.raises(DataError, match="save it under such a name"), open(place, "rb") as stream:
        open_table(stream)


@pytest.mark.skipif(not temporary.OWN_FILES.is_dir(), reason="only Linux lists the open files of a process")
def test_a_kill_leaves_no_spool(folder):
    """A process that is killed while it copies a stream leaves nothing."""
    process = subprocess.Popen(
        [sys.executable, "-c", FEED], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(folder)}
    )
    with process:
        assert process.stdout and process.stdout.readline()
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert not list(folder.iterdir())


def test_a_temporary_path_is_removed_whatever_happens(tmp_path):
    """The file goes on an error; one that was moved away stays."""
    with pytest.raises(KeyboardInterrupt), temporary_path(tmp_path / "a") as path:
        path.write_text("half")
        raise KeyboardInterrupt
    with temporary_path(tmp_path / "b") as path:
        path.write_text("whole")
        path.rename(tmp_path / "kept")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_full_disk_is_said(folder, monkeypatch):
    """If the disk is full, the sentence says so."""
    spool = Spool("the input", "give less")

    class Full:
        def write(self, data):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "_file", Full())
    with pytest.raises(DataError, match=r"No space left on device\): give less"):
        spool.write(b"x")
