"""The supervisor of a command: it passes signals on, clears up after a killed command, and dies with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
HANG = 60.0  # seconds

#: A command that holds Python's lock in compiled code for minutes, while it writes a file.
STUCK = """
import sys
from unwritten.cli.supervised import supervised
def command():
    from unwritten.formats.atomic import replacing
    with replacing("whole.rules") as file:
        file.write(b"half")
        print(__import__("os").getpid(), flush=True)
        sum(range(10 ** 12))
supervised(command)
"""


def stuck(folder: Path, ignored: int = 0) -> tuple[subprocess.Popen[str], int]:
    """Start such a command; return the supervisor, and the number of the process that works."""

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if ignored:
            signal.signal(ignored, signal.SIG_IGN)

    process = subprocess.Popen(
        [sys.executable, "-c", STUCK],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,  # noqa: PLW1509 no other thread runs
    )
    assert process.stdout
    worker = int(process.stdout.readline())
    assert len(os.listdir(folder)) == 1
    return process, worker


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_cannot_be_interrupted_is_stopped(number: int, tmp_path: Path) -> None:
    """A command that never looks up ends with 128 + the number, without a traceback and without half a file."""
    process, _ = stuck(tmp_path)
    process.send_signal(number)
    assert process.communicate(timeout=HANG) == ("", "")
    assert (process.returncode, os.listdir(tmp_path)) == (128 + number, [])


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    """Under nohup, the end of the terminal does not end the command."""
    process, _ = stuck(tmp_path, ignored=signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=HANG)
    assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize(("number", "words"), [(signal.SIGKILL, "want of memory"), (signal.SIGSEGV, "library crashed")])
def test_a_crash_is_a_sentence(number: int, words: str, tmp_path: Path) -> None:
    """If the system or a fault of a library ends the command, one line says so, and the exit code is 3."""
    process, worker = stuck(tmp_path)
    os.kill(worker, number)
    _, errors = process.communicate(timeout=HANG)
    assert words in errors and errors.count("\n") == 1
    assert (process.returncode, os.listdir(tmp_path)) == (3, [])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that another has ended")
def test_no_command_outlives_its_supervisor(tmp_path: Path) -> None:
    """If the supervisor is killed, the command dies, too."""
    process, worker = stuck(tmp_path)
    process.kill()
    process.communicate(timeout=HANG)  # the end of the pipe that the command holds
    for _ in range(100):
        if Path(f"/proc/{worker}/stat").exists() and Path(f"/proc/{worker}/stat").read_text().split()[2] != "Z":
            time.sleep(0.05)
            continue
        return
    pytest.fail("the command runs on")
