"""WatchedBackend: every call of a solver can be stopped, and ends, even if the solver itself does not."""

from __future__ import annotations

import atexit
from dataclasses import replace
from threading import Event, Thread
from time import monotonic

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends.backend import Backend, Limits, Reply, Rows

LATE, LATE_SECONDS = 1.1, 0.05  # times its limit, and seconds, after which a solver that goes on is told to stop


class HungError(RuntimeError):
    """A breakdown of a solver that may still be running, so that nothing may use it any more."""


class WatchedBackend:
    """A back end each of whose calls runs in a thread of its own, which is told to stop, and else abandoned.

    So Ctrl-C is heard while a solver runs, and a solver that looks at its time too rarely is stopped.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._abandoned = False

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Return the solver's reply; raise `HungError` if it does not end when it must."""
        if self._abandoned:
            raise HungError("the solver is still busy with an earlier query")
        call = _Call(self._backend, objective, limits, pinned)
        try:
            return call.reply(limits)
        finally:
            self._abandoned = call.running

    def add(self, rows: Rows) -> None:
        """Add rows for the queries that follow."""
        self._backend.add(rows)

    def drop_added(self) -> None:
        """Remove every added row, unless the solver was abandoned."""
        if not self._abandoned:
            self._backend.drop_added()


class _Call:
    """One call of a solver in a thread of its own."""

    def __init__(self, backend: Backend, objective: FloatArray, limits: Limits, pinned: IntArray | None) -> None:
        self._backend = backend
        self._stop = Event()  # for this call alone
        self._ended = Event()  # `Thread.is_alive` is wrong on Python 3.11 after Ctrl-C in `Thread.join`
        self._reply: Reply | None = None
        self._error: BaseException | None = None
        own = replace(limits, stop=self._stop)
        self._thread = Thread(target=self._run, args=(objective, own, pinned), daemon=True)

    def _run(self, objective: FloatArray, limits: Limits, pinned: IntArray | None) -> None:
        try:
            self._reply = self._backend.solve(objective, limits, pinned)
        except BaseException as error:  # noqa: BLE001 raised again in `reply`
            self._error = error
        finally:
            self._ended.set()

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    def reply(self, limits: Limits) -> Reply:
        """Ask, and wait for the reply; tell the solver to stop when it must, and then wait a little longer."""
        limit = float("inf") if limits.time_limit is None else LATE * limits.time_limit + LATE_SECONDS
        began, told = monotonic(), float("inf")
        try:
            self._thread.start()
            while self.running and monotonic() < told + budgets.SOLVER_GRACE_SECONDS:
                self._ended.wait(min(budgets.SOLVER_POLL_SECONDS, max(0.01, began + limit - monotonic())))
                if limits.stop.is_set() or monotonic() > began + limit:
                    told = min(told, monotonic())
                    self._interrupt()
        finally:  # also on Ctrl-C: a solver that has stopped is fit for use
            end = monotonic() + budgets.SOLVER_STOP_SECONDS
            while self.running and self._thread.ident is not None and monotonic() < end:
                self._interrupt()
                self._ended.wait(0.02)
            if self.running:  # Python must not end while the solver may still call it
                atexit.register(self._ended.wait, budgets.SOLVER_EXIT_SECONDS)
        if self._error is not None:
            raise self._error
        if self._reply is None:
            raise HungError(f"the solver gave no reply within {monotonic() - began:.2g} s, and did not stop")
        return self._reply

    def _interrupt(self) -> None:
        """Tell the solver to stop; the caller repeats this, because a solver that has not begun yet ignores it."""
        self._stop.set()
        if self.running:
            self._backend.interrupt()
