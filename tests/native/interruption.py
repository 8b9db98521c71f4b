"""Ctrl-C while a kernel runs."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

import pytest


def seconds_to_stop(run: Callable[[], object], after: float = 0.2) -> float:
    """The seconds between Ctrl-C and the end of a call that would run for minutes.

    Kernels look for signals about every 10 ms, so that they stop within 50 ms. A busy machine may take longer to
    give them a turn: tests ask for less than a second.
    """
    sent = 0.0
    returned = False

    def interrupt() -> None:
        nonlocal sent
        sent = time.perf_counter()
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a worker of xdist would end at the signal
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            run()
            returned = True
            time.sleep(60)
        stopped = time.perf_counter()
    finally:
        signal.signal(signal.SIGINT, before)
    assert not returned, "the call ended before it was interrupted"
    return stopped - sent
