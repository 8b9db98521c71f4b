"""Checkpoints: a run that was killed goes on and ends with the same bytes; files that do not fit are refused."""

from __future__ import annotations

import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv
from stream_helpers import examples, odd_chunks, saved, sets, weighted
from typer.testing import CliRunner

import unwritten
from unwritten import Checkpoint
from unwritten.cli import app
from unwritten.errors import DataError, FormatError
from unwritten.formats import read_archive, write_archive
from unwritten.tables import Table

KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from stream_helpers import sets, weighted
import numpy as np, unwritten
from unwritten import Checkpoint

def batches(stop):
    data = list(zip(*(np.array_split(part, 12) for part in weighted()))) if sys.argv[4] else np.array_split(sets(), 12)
    for k, batch in enumerate(data):
        if k == stop:
            os.kill(os.getpid(), signal.SIGKILL)
        yield batch

options = {"cuts": sys.argv[4]} if sys.argv[4] else {"most_kept": 20_000}
unwritten.mine(lambda: batches(int(sys.argv[3])), checkpoint=Checkpoint(sys.argv[2], every=0), **options)
"""


class InterruptedRunError(Exception):
    """Stops a run in a test."""


def broken_off(chunks: list[Any], after: int) -> Iterator[Any]:
    """Yield the first chunks, then raise."""
    yield from chunks[:after]
    raise InterruptedRunError


@pytest.mark.parametrize("cuts", ["", "cuts.npy"])
def test_a_killed_run_goes_on(tmp_path: Path, cuts: str) -> None:
    """A run that is killed twice goes on, and its file has the bytes of a run that was never killed."""
    at, file = tmp_path / "run.checkpoint", str(tmp_path / cuts) if cuts else ""
    for stop in (5, 9):
        run = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(at), str(stop), file]
        assert subprocess.run(run, check=False).returncode == -signal.SIGKILL
        assert at.exists()
    assert read_archive(at)[0]["batches"] == 9
    if cuts:
        data: list[Any] = list(zip(*(np.array_split(part, 12) for part in weighted()), strict=True))
        options: dict[str, Any] = {"cuts": file}
    else:
        data, options = np.array_split(sets(), 12), {"most_kept": 20_000}
    taken: list[int] = []

    def counted() -> Iterator[Any]:
        for k, batch in enumerate(data):
            taken.append(k)
            yield batch

    resumed = unwritten.mine(counted, checkpoint=Checkpoint(at, every=0), **options)
    whole = unwritten.mine(data, **options | ({"cuts": str(tmp_path / "other.npy")} if cuts else {}))
    assert saved(resumed, tmp_path) == saved(whole, tmp_path)
    assert not at.exists()
    assert not list(tmp_path.glob(".*"))


def test_what_was_read_is_not_read_into_the_tally_again(tmp_path: Path) -> None:
    """Batches that the checkpoint counts are skipped, and only the first one is compared; later batches count once."""
    chunks, at = [chunk for chunk in odd_chunks(examples()) if len(chunk)], tmp_path / "c"
    with pytest.raises(DataError, match="InterruptedRunError"):
        unwritten.mine(broken_off(chunks, 4), checkpoint=Checkpoint(at, every=0))
    spoilt = [chunks[0], "no labels", None, 7, *chunks[4:]]
    model = unwritten.mine(spoilt, checkpoint=Checkpoint(at, keep=True))
    assert saved(model, tmp_path) == saved(unwritten.mine(examples()), tmp_path)
    assert at.exists()
    again = unwritten.mine(chunks, checkpoint=Checkpoint(at, resume=False))  # starts anew, though there is one
    assert saved(again, tmp_path) == saved(model, tmp_path)
    assert not at.exists()


def test_a_checkpoint_is_not_written_too_often(tmp_path: Path) -> None:
    """No checkpoint is written within the first `every` seconds."""
    with pytest.raises(DataError, match="InterruptedRunError"):
        unwritten.mine(broken_off(odd_chunks(examples()), 4), checkpoint=Checkpoint(tmp_path / "c", every=3600))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("other", "options"),
    [
        ("batches", {}),
        ("", {"rules": ["equalities"]}),
        ("", {"confidence": 0.5}),
        ("", {"sense": "min"}),
        ("", {"names": [f"n{j}" for j in range(12)]}),
        ("", {"bounds": (0, 9)}),
        ("", {"most_kept": 77_777}),
        ("", {"prior": [([1] * 12, "<=", 99)]}),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path, other: str, options: dict[str, Any]) -> None:
    """A checkpoint of other batches or options is refused with the cure, and its file stays."""
    chunks, at = np.array_split(examples(), 6), tmp_path / "c"
    with pytest.raises(DataError, match="InterruptedRunError"):
        unwritten.mine(broken_off(chunks, 4), checkpoint=Checkpoint(at, every=0))
    before = at.read_bytes()
    with pytest.raises(DataError, match="resume=False"):
        unwritten.mine(chunks[1:] if other else chunks, checkpoint=at, **options)
    assert at.read_bytes() == before
    with pytest.raises(DataError, match="batches but there are"):
        unwritten.mine(chunks[:2], checkpoint=at)


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    """A damaged or foreign file is refused with a FormatError and never overwritten."""
    chunks, at = np.array_split(examples(), 6), tmp_path / "c"
    with pytest.raises(DataError, match="InterruptedRunError"):
        unwritten.mine(broken_off(chunks, 4), checkpoint=Checkpoint(at, every=0))
    whole = at.read_bytes()
    header, arrays = read_archive(at)
    unwritten.mine(examples()).save(tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("header.json", "{}")
    hostile = [b"", b"a,b\n1,2\n", whole[:-30], whole[:400], (tmp_path / "model").read_bytes()]
    hostile.append((tmp_path / "zip").read_bytes())
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 255
    hostile.append(bytes(flipped))
    for content in hostile:
        at.write_bytes(content)
        for resume in (True, False):
            with pytest.raises(FormatError, match="delete it"):
                unwritten.mine(chunks, checkpoint=Checkpoint(at, resume=resume))
        assert at.read_bytes() == content
    lies: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"n": -1}, {}),
        ({"n": 10**9}, {}),
        ({"n": True}, {}),
        ({"batches": "4"}, {}),
        ({"thinned": 64}, {}),
        ({"mark": None}, {}),
        ({"names": ["a"]}, {}),
        ({"names": 3}, {}),
        ({}, {"counts": -arrays["counts"]}),
        ({}, {"counts": arrays["counts"][1:]}),
        ({}, {"seen": arrays["seen"] + 100}),
        ({}, {"seen": arrays["seen"].astype(float)}),
        ({}, {"gram": arrays["gram"][1:]}),
        ({}, {"gram": np.triu(arrays["gram"])}),
        ({}, {"gram": arrays["gram"] + np.diag([1] + [0] * 12)}),
        ({}, {"counts": arrays["counts"] + 2**62 * (np.arange(len(arrays["counts"])) < 4)}),  # their sum wraps round
        ({}, {"lower": arrays["upper"] + 1}),
        ({}, {"values": np.zeros(3)}),
        ({}, {"values": np.zeros(3), "first": np.zeros((1, 12), np.int64)}),
    ]
    for said, shown in lies:
        write_archive(at, header | said, arrays | shown)
        with pytest.raises(FormatError, match="delete it"):
            unwritten.mine(chunks, checkpoint=at)
    with pytest.raises(FormatError, match="folder"):
        unwritten.mine(chunks, checkpoint=Checkpoint(tmp_path / "no" / "such", every=0))


def test_cuts_beside_the_checkpoint_must_be_there(tmp_path: Path) -> None:
    """If the file of weights is missing, the checkpoint is refused with an error that says so."""
    labels, weights = weighted()
    chunks = list(zip(np.array_split(labels, 6), np.array_split(weights, 6), strict=True))
    at, cuts = tmp_path / "c", tmp_path / "cuts.npy"
    with pytest.raises(DataError, match="InterruptedRunError"):
        unwritten.mine(broken_off(chunks, 4), checkpoint=Checkpoint(at, every=0), cuts=cuts)
    (tmp_path / ".cuts.npy.part").unlink()
    with pytest.raises(DataError, match="resume=False"):
        unwritten.mine(chunks, checkpoint=at, cuts=cuts)


def _trips(rows: int = 30_000) -> pa.Table:
    rng = np.random.default_rng(0)
    adults, children = rng.integers(0, 5, rows), rng.integers(0, 4, rows)
    return pa.table(
        {"adults": adults, "children": children, "seats": adults + children, "car": rng.integers(0, 9, rows)}
    )


def test_a_table_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted run over a table goes on after the rows that were read, without encoding them again."""
    table, at = Table.of(_trips()), tmp_path / "c"
    whole = saved(unwritten.mine(table), tmp_path)
    encode, encoded = type(table.schema).encode, [0]

    def stopping(schema: Any, batch: Any) -> Any:
        encoded[0] += 1
        if encoded[0] == stop:
            raise InterruptedRunError
        return encode(schema, batch)

    monkeypatch.setattr(type(table.schema), "encode", stopping)
    stop = 4
    with pytest.raises(InterruptedRunError):
        unwritten.mine(table, checkpoint=Checkpoint(at, every=0))
    done = read_archive(at)[0]["batches"]
    assert done == 3
    stop, encoded[0] = 0, 0
    with pytest.raises(DataError, match="resume=False"):
        unwritten.mine(table, checkpoint=at, confidence=0.5)
    encoded[0] = 0
    assert saved(unwritten.mine(table, checkpoint=at), tmp_path) == whole
    assert encoded[0] == 1 + -(-30_000 // 8_192) - done
    assert not at.exists()


def test_the_command_takes_a_checkpoint(tmp_path: Path) -> None:
    """`unwritten mine --checkpoint` gives the same model and removes the checkpoint; it never overwrites a table."""
    path, at = tmp_path / "trips.csv", tmp_path / "c"
    csv.write_csv(_trips(2_000), path)
    for more in ([], ["--checkpoint", str(at)]):
        done = CliRunner().invoke(app, ["mine", str(path), "-o", str(tmp_path / f"{len(more)}.rules"), *more])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "0.rules").read_bytes() == (tmp_path / "2.rules").read_bytes()
    assert not at.exists()
    content = path.read_bytes()
    done = CliRunner().invoke(app, ["mine", str(path), "--checkpoint", str(path)])
    assert isinstance(done.exception, DataError)
    assert path.read_bytes() == content
    with pytest.raises(DataError, match="in memory"):
        unwritten.mine(Table.of(_trips(100)), noise=0.1, checkpoint=at)
    with pytest.raises(DataError, match="for tables and batches"):
        unwritten.mine(examples(), checkpoint=at)
