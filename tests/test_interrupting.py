"""A quick share of `tests/interrupting.py`: what is stopped ends, and leaves nothing behind."""

import signal
import subprocess
import sys
import time

import pytest

import interrupting

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
PATIENCE = 20.0  # seconds: far above a second on a busy machine, far below what the solvers would take


@pytest.mark.parametrize("only", ["mine a pipe", "solve, gurobi", "check without end", "lazy cpsat 2", "lazy scipy 1"])
def test_it_stops(only: str) -> None:
    """A command, and a solver under the library, end soon after a signal and leave neither files nor tracebacks."""
    outcomes = interrupting.run(1, seed=1, only=only, rows=30_000)
    assert [fault for outcome in outcomes.values() for fault in outcome.faults] == []
    assert max((second for outcome in outcomes.values() for second in outcome.seconds), default=0.0) < PATIENCE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_second_of_a_command(number: int) -> None:
    """A signal during the imports gives 128 + its number and no traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "unwritten", "demo"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 ignored in the background
    )
    time.sleep(0.4)
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (128 + number, "")
