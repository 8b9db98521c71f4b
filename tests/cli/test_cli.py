"""The command line, run as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

HANG = 600  # seconds after which a process counts as hung
UNWRITTEN = [sys.executable, "-m", "unwritten"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*UNWRITTEN, *arguments], capture_output=True, text=True, timeout=HANG, check=False)


def test_demo_learns_sudoku_and_solves() -> None:
    """From 700 grids the demo finds exactly the rules of Sudoku and solves every puzzle it shows."""
    done = run("demo", "puzzle", "--grids", "700")
    assert done.returncode == 0, done.stderr
    assert "yes, exactly" in done.stdout
    assert done.stdout.count("the puzzle's only solution") == 4
    assert done.stdout.count("exactly one of") == 4  # cells, rows, columns, boxes
    assert "by the data alone: one of the mined grids" in done.stdout
    assert done.stderr == ""  # no progress in a pipe


def test_demo_with_few_grids_says_what_that_means() -> None:
    """100 grids are enough for the rules; 20 are not, and the demo says so."""
    done = run("demo", "puzzle", "--grids", "100")
    assert done.returncode == 0, done.stderr
    assert "yes, exactly" in done.stdout
    done = run("demo", "puzzle", "--grids", "20")
    assert done.returncode == 0, done.stderr
    assert "no: that takes more grids" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["demo", "--grids", "1"], 2, "Invalid value for '--grids'"),
        (["demo", "--seed", "x"], 2, "Invalid value for '--seed'"),
        (["nonsense"], 2, "No such command"),
        (["--version"], 0, "unwritten 0."),
        (["--help"], 0, "demo"),
        (["-h"], 0, "demo"),
        ([], 0, "unwritten demo  "),
        (["demo", "--help"], 0, "Example: unwritten demo"),
        (["demo", "-h"], 0, "Example: unwritten demo"),
    ],
)
def test_use_and_misuse(arguments: list[str], code: int, words: str) -> None:
    """Help and version exit with 0, wrong use with 2 and a sentence, never a traceback."""
    done = run(*arguments)
    assert done.returncode == code
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error() -> None:
    """`unwritten demo decisions | head -1` ends quietly."""
    shell = f"{sys.executable} -m unwritten demo decisions | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.stdout.startswith("───")
    assert done.stderr == ""


def test_control_c_stops_cleanly() -> None:
    """SIGINT in mid-run gives exit code 130 and no traceback; the status line on a terminal shows when work began."""
    pty = pytest.importorskip("pty")
    terminal, stderr = pty.openpty()
    process = subprocess.Popen(
        [*UNWRITTEN, "demo", "puzzle", "--grids", "100000"],
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | {"TERM": "xterm"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 ignored in the background
    )
    os.close(stderr)
    with open(terminal, "rb", buffering=0) as screen:
        shown = b""
        while b"generating and mining" not in shown:
            piece = _piece(screen.fileno())
            assert piece, shown.decode()
            shown += piece
        process.send_signal(signal.SIGINT)
        while piece := _piece(screen.fileno()):
            shown += piece
    process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in shown


def _piece(terminal: int) -> bytes:
    """Read what a terminal shows next; nothing if the process on it has ended."""
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux reports the end of the last process on a terminal as an error
        return b""
