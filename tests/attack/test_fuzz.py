"""Hundreds of hostile inputs for every reader; `python tests/attack/fuzz.py --inputs 1000000` runs more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from attack import fuzz
from attack.mutators import zipped
from attack.readers import READERS

INPUTS = {"xcsp": 1_000, "lines": 1_000, "rule": 500, "loaded": 400, "doors": 150}
OTHERS = 200


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.filterwarnings("ignore")
def test_hostile_inputs(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each input is read, or refused with one plain sentence."""
    monkeypatch.chdir(tmp_path)
    counts = {"content": 0, "error": 0}
    for number in range(INPUTS.get(reader, OTHERS)):
        kind, what = fuzz.judged(reader, fuzz.made(reader, 11, number), tmp_path)
        assert kind in counts, f"{reader} {number}: {what}"
        counts[kind] += 1
    assert all(counts.values()), "the mutators break every input or none"


def test_inputs_can_be_made_again() -> None:
    """Seed, reader and number determine the bytes, whatever was made before."""
    for reader in ("csv", "xcsp", "rule", "row"):
        once = [fuzz.made(reader, 1, number) for number in range(5)]
        assert once == [fuzz.made(reader, 1, number) for number in reversed(range(5))][::-1]


def test_what_counts_as_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other exceptions, and messages with paths or without a cure, are findings."""
    faults = {
        "ValueError": ValueError("x"),
        "machine's path": fuzz_error(f"{tmp_path}/x is bad: mend it"),
        "without a cure": fuzz_error("bad"),
        "MemoryError": MemoryError(),
        "OutOfTimeError": fuzz.OutOfTimeError(),
    }
    for words, error in faults.items():

        def read(_: bytes, error: BaseException = error) -> None:
            raise error

        monkeypatch.setitem(READERS, "broken", fuzz_reader(read))
        kind, what = fuzz.judged("broken", b"", tmp_path)
        assert kind == "finding"
        assert words in what


def fuzz_error(text: str) -> Exception:
    from unwritten.errors import DataError

    return DataError(text)


def fuzz_reader(read: object) -> object:
    from attack.readers.common import Fuzzed

    return Fuzzed(lambda rng: b"", read, lambda: None)  # type: ignore[arg-type]


def test_the_command_runs(tmp_path: Path) -> None:
    """The script prints one line per reader, leaves no files, and exits with 0."""
    script = Path(fuzz.__file__).resolve()
    done = subprocess.run(
        [sys.executable, str(script), "--inputs", "40", "--reader", "xcsp", "--reader", "lines"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 findings in 40 inputs" in done.stdout
    assert os.listdir(tmp_path) == []


def test_zips_with_two_of_one_name() -> None:
    """The mutators can make a zip with two members of one name, although zipfile warns about it."""
    assert zipped([("a", b"1"), ("a", b"2")]).count(b"PK\x01\x02") == 2
