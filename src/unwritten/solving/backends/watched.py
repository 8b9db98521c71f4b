"""WatchedBackend: a solver that runs far past its time limit is abandoned, so that another can be asked."""

from __future__ import annotations

from dataclasses import replace
from threading import Event, Thread
from time import monotonic

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends.backend import Backend, Limits, Reply, Rows


class HungError(RuntimeError):
    """A breakdown of a solver that may still be running, so that nothing may use it any more."""


class WatchedBackend:
    """A back end whose calls always end: with a time limit, each runs in a thread that can be abandoned."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._abandoned = False

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Return the solver's reply; raise `HungError` if there is none after twice the time limit and some seconds."""
        if self._abandoned:
            raise HungError("the solver is still busy with an earlier query")
        if limits.time_limit is None:
            return self._backend.solve(objective, limits, pinned)
        call = _Call(self._backend, objective, limits, pinned)
        try:
            return call.reply(limits, 2 * limits.time_limit + budgets.SOLVER_GRACE_SECONDS)
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
        self._stop = Event()  # for this call alone
        self._ended = Event()  # `Thread.is_alive` is wrong on Python 3.11 after Ctrl-C in `Thread.join`
        self._reply: Reply | None = None
        self._error: BaseException | None = None
        own = replace(limits, stop=self._stop)
        self._thread = Thread(target=self._run, args=(backend, objective, own, pinned), daemon=True)

    def _run(self, backend: Backend, objective: FloatArray, limits: Limits, pinned: IntArray | None) -> None:
        try:
            self._reply = backend.solve(objective, limits, pinned)
        except BaseException as error:  # noqa: BLE001 raised again in `reply`
            self._error = error
        finally:
            self._ended.set()

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    def reply(self, limits: Limits, seconds: float) -> Reply:
        """Ask, and wait for the reply, at most `seconds` and then a while for the solver to stop."""
        deadline = monotonic() + seconds
        try:
            self._thread.start()
            while self.running and monotonic() < deadline:
                self._ended.wait(budgets.SOLVER_POLL_SECONDS)
                if limits.stop.is_set():
                    self._stop.set()
        finally:  # late, or Ctrl-C: most solvers can be told to stop, and are then fit for use
            if self.running:
                self._stop.set()
                self._ended.wait(budgets.SOLVER_GRACE_SECONDS)
        if self._error is not None:
            raise self._error
        if self._reply is None:
            raise HungError(f"the solver gave no reply within {seconds:g} s; the time limit is {limits.time_limit:g} s")
        return self._reply
