"""The harness of `faults.py`: no fault in writing loses a file, and the harness finds a writer that does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a process for each fault")

HARNESS = Path(__file__).with_name("faults.py")


def faults(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the harness, after some statements."""
    program = f"import runpy, sys; sys.path.insert(0, {str(HARNESS.parent)!r}); sys.argv = {['', *arguments]!r}\n"
    program += f"{before}\nrunpy.run_path({str(HARNESS)!r}, run_name='__main__')"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_no_fault_loses_a_file() -> None:
    """A few faults of every kind in every job: files are old or new, and one sentence says what happened."""
    done = faults("--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 losses" in done.stdout.splitlines()[-1]


def test_the_harness_finds_a_careless_writer() -> None:
    """A writer that writes one file after the other, each in place, is found out."""
    careless = """
from pathlib import Path
import unwritten.exports.writing
def careless(texts):
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
unwritten.exports.writing.write_texts = careless
"""
    done = faults("--quick", "--only", "export dbt", before=careless)
    assert done.returncode == 1
    assert "neither the old files nor the new ones" in done.stdout
