"""Watched: a solver that runs far past its time limit is left behind, and another has its turn."""

from __future__ import annotations

from dataclasses import replace
from threading import Event, Thread
from time import monotonic

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends.base import Backend, Limits, Reply, Rows


class HungError(RuntimeError):
    """A breakdown like others, but one whose solver may still be running: nothing may touch it."""


class Watched:
    """A back end whose calls end: with a time limit each runs in a thread of its own, which can be left behind."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._lost = False

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """The solver's reply; `HungError` if there is none in twice the time limit and some seconds."""
        if self._lost:
            raise HungError("it is still busy with an earlier query")
        if limits.time_limit is None:
            return self._backend.solve(objective, limits, pinned)
        call = _Call(self._backend, objective, limits, pinned)
        try:
            return call.reply(limits, 2 * limits.time_limit + budgets.SOLVER_GRACE_SECONDS)
        finally:
            self._lost = call.running

    def add(self, rows: Rows) -> None:
        """Add rows for the queries to come."""
        self._backend.add(rows)

    def drop_added(self) -> None:
        """Take away every added row; of a solver that is lost, nothing."""
        if not self._lost:
            self._backend.drop_added()


class _Call:
    def __init__(self, backend: Backend, objective: FloatArray, limits: Limits, pinned: IntArray | None) -> None:
        self._stop = Event()  # of this call alone
        self._reply: Reply | None = None
        self._error: BaseException | None = None
        own = replace(limits, stop=self._stop)
        self._thread = Thread(target=self._run, args=(backend, objective, own, pinned), daemon=True)
        self._thread.start()

    def _run(self, backend: Backend, objective: FloatArray, limits: Limits, pinned: IntArray | None) -> None:
        try:
            self._reply = backend.solve(objective, limits, pinned)
        except BaseException as error:  # noqa: BLE001 it is raised where the answer is awaited
            self._error = error

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def reply(self, limits: Limits, seconds: float) -> Reply:
        deadline = monotonic() + seconds
        try:
            while self.running and monotonic() < deadline:
                self._thread.join(budgets.SOLVER_POLL_SECONDS)
                if limits.stop.is_set():
                    self._stop.set()
        finally:  # late, or Ctrl-C: most solvers can be told, and then are whole
            if self.running:
                self._stop.set()
                self._thread.join(budgets.SOLVER_GRACE_SECONDS)
        if self._error is not None:
            raise self._error
        if self._reply is None:
            raise HungError(f"no reply within {seconds:g} s, though the time limit is {limits.time_limit:g} s")
        return self._reply
