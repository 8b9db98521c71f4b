"""A process that answers integer programs with scipy, which nothing else can interrupt: it is killed.

Run as a program, it reads programs from standard input and writes answers to standard output; both are arrays behind
their number of bytes. It ends when its input does. What HiGHS prints goes nowhere.
"""

from __future__ import annotations

import io
import os
import queue
import subprocess
import sys
import threading
from typing import IO, Any

import numpy as np

Arrays = dict[str, Any]
_idle: list[ScipyProcess] = []


class ScipyProcess:
    """A running process; it serves one program at a time."""

    def __init__(self) -> None:
        self._owner, self._has_begun = os.getpid(), False
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C in the terminal does not reach it
        )

    @classmethod
    def lent(cls) -> ScipyProcess:
        """Return an idle process, or a new one; a forked process must not use those of its parent."""
        while _idle:
            process = _idle.pop()
            if process._owner == os.getpid() and process._process.poll() is None:
                return process
        return cls()

    def answer(self, program: Arrays) -> Arrays | None:
        """Send a program and return the answer, or None if the process was killed meanwhile."""
        try:
            _send(self._process.stdin, program)
            return _received(self._process.stdout)
        except (BrokenPipeError, ValueError):
            return None

    def wait(self) -> None:
        """Wait until the process has begun, which takes longer than most programs."""
        if not self._has_begun:
            _received(self._process.stdout)
            self._has_begun = True

    def give_back(self) -> None:
        """Let others use the process; one that was killed is not lent."""
        _idle.append(self)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()


def _send(pipe: IO[bytes] | None, arrays: Arrays) -> None:
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    data = packed.getvalue()
    if pipe:
        pipe.write(len(data).to_bytes(8, "little") + data)
        pipe.flush()


def _received(pipe: IO[bytes] | None) -> Arrays | None:
    """Return the next arrays, or None at the end of the pipe."""
    size = int.from_bytes(pipe.read(8) if pipe else b"", "little")
    data = pipe.read(size) if pipe and size else b""
    if not data or len(data) < size:
        return None
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


def _solved(program: Arrays) -> Arrays:
    """Return scipy's message, and its point and bound if it has any."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    blocks = []
    if len(program["row_lower"]):
        matrix = csr_array((program["values"], program["columns"], program["starts"]), shape=program["shape"])
        blocks.append(LinearConstraint(matrix, program["row_lower"], program["row_upper"]))
    result = milp(
        program["costs"],
        integrality=np.ones(len(program["costs"])),
        bounds=Bounds(program["lower"], program["upper"]),
        constraints=blocks,
        options={"mip_rel_gap": float(program["gap"]), "time_limit": float(program["seconds"])},
    )
    answer: Arrays = {"message": np.array(result.message)}
    if result.x is not None:
        answer["point"] = result.x
        if result.mip_dual_bound is not None:
            answer["bound"] = np.array(result.mip_dual_bound, np.float64)
    return answer


def _serve() -> None:
    """Answer programs until the input ends, also in the middle of one."""
    from scipy.optimize import milp

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    programs: queue.SimpleQueue[Arrays] = queue.SimpleQueue()

    def read() -> None:
        while program := _received(sys.stdin.buffer):
            programs.put(program)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    _send(answers, {"begun": np.array(milp is not None)})
    while True:
        try:
            answer = _solved(programs.get())
        except (ValueError, MemoryError, RuntimeError) as error:
            answer = {"message": np.array(f"{type(error).__name__}: {error}")}
        _send(answers, answer)


if __name__ == "__main__":
    _serve()
