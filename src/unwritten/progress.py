"""Progress of long work: one line on standard error in a terminal, one updated line in a notebook, else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

Progress = Callable[[str, int, int], None]
"""Called with what is being done, the units done and the units in all (0 if unknown)."""

DELAY = 1.0  # seconds of work before anything is shown, so that short calls stay quiet
PAUSE = 0.1  # seconds between two updates
BAR_WIDTH = 30  # characters of the bar


def silent(what: str, done: int, size: int) -> None:
    """Show nothing."""


@contextmanager
def shown_progress(progress: bool | Progress | None) -> Iterator[Progress]:
    """Provide the function to report progress to; clear the line at the end.

    Parameters
    ----------
    progress
        True shows progress, False does not, None shows it in a terminal and in a notebook. A function receives every
        report.
    """
    if callable(progress):
        yield progress
        return
    line: _TerminalLine | _NotebookLine | None = None
    if progress is not False:
        if _in_notebook():
            line = _NotebookLine()
        elif progress or sys.stderr.isatty():
            line = _TerminalLine()
    if line is None:
        yield silent
        return
    report = _Report(line, 0.0 if progress else DELAY)
    finished = Event()
    clock = Thread(target=report.show_seconds, args=(finished,), daemon=True)
    if isinstance(line, _TerminalLine):  # the output of a thread may land in another cell of a notebook
        clock.start()
    try:
        yield report
    finally:
        finished.set()
        if clock.ident is not None:
            clock.join()
        line.clear()


class _Report:
    """Shows progress on a line: after a delay, and at most once per PAUSE seconds."""

    def __init__(self, line: _TerminalLine | _NotebookLine, delay: float) -> None:
        self._line, self._next = line, monotonic() + delay
        self._step, self._start, self._lock = "", monotonic(), Lock()

    def show_seconds(self, finished: Event) -> None:
        """Show how long a step of unknown length has taken, once a second, until `finished` is set."""
        while not finished.wait(1.0):
            with self._lock:
                if self._step and monotonic() >= self._next:
                    self._line.show(f"{self._step} … {monotonic() - self._start:.0f} s")

    def __call__(self, what: str, done: int, size: int) -> None:
        with self._lock:
            self._report(what, done, size)

    def _report(self, what: str, done: int, size: int) -> None:
        step = "" if size else what
        if step != self._step:
            self._step, self._start = step, monotonic()
        if monotonic() < self._next:
            return
        self._next = monotonic() + PAUSE
        if not size:
            self._line.show(what)
            return
        share = min(1.0, done / size)
        filled = round(BAR_WIDTH * share)
        self._line.show(f"{what} {'█' * filled}{'░' * (BAR_WIDTH - filled)} {100 * share:3.0f} %")


class _TerminalLine:
    """One line of a terminal that is overwritten."""

    def __init__(self) -> None:
        self._length = 0

    def show(self, text: str) -> None:
        """Replace the line."""
        sys.stderr.write(f"\r{text.ljust(self._length)}")
        sys.stderr.flush()
        self._length = len(text)

    def clear(self) -> None:
        """Remove the line."""
        if self._length:
            sys.stderr.write(f"\r{' ' * self._length}\r")
            sys.stderr.flush()


class _NotebookLine:
    """One output of a notebook cell that is updated."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        """Replace the output."""
        from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

        data = {"text/plain": text}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def clear(self) -> None:
        """Empty the output."""
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


def _in_notebook() -> bool:
    """True if a Jupyter kernel runs this code."""
    return "ipykernel" in sys.modules and "IPython" in sys.modules
