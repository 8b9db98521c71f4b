"""A command in a process of its own, which its supervisor can stop whatever it does, and clear up after.

Some libraries cannot be interrupted from within: they hold Python's lock for minutes, or wait for nothing. So the
process that the user started only waits. Its child does the work, and dies of a signal as the system has it, at once;
the supervisor then removes temporary files, shows the cursor, and exits with 128 + the number of the signal. It imports
next to nothing, so that this holds from the first moments of a command on.
"""

from __future__ import annotations

import os
import signal
import sys

from unwritten.lazy_names import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 0.5  # seconds for a library with a signal handler of its own, before the child is killed
CLEAR_LINE, SHOW_CURSOR = "\r\x1b[K", "\x1b[?25h"
FAILED = 3  # the exit code of a program that failed


def supervised(command: Callable[[], None]) -> None:
    """Run a command; where a process cannot be forked, without a supervisor."""
    if sys.platform == "win32":
        command()
        return
    _open_standard_streams()
    stops = [number for number in _stop_signals() if signal.getsignal(number) is not signal.SIG_IGN]  # as nohup has it
    names, telling = os.pipe()
    life, held = os.pipe()
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [*stops, signal.SIGCHLD])
    child = os.fork()
    for number in stops:
        signal.signal(number, signal.SIG_DFL if child == 0 else _note)
    if child:
        signal.signal(signal.SIGCHLD, _note)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if child:
        os.close(telling)
        os._exit(_Supervisor(child, names, woken).exit_code())
    for end in (names, held, woken, waking):
        os.close(end)
    _die_with(life)
    from unwritten import temporary

    temporary.tell(telling)
    command()


class _Supervisor:
    """Passes signals on to the child, and learns the names of its temporary files."""

    def __init__(self, child: int, names: int, woken: int) -> None:
        self._child, self._names, self._woken = child, names, woken
        self._files: set[bytes] = set()
        self._unread = b""
        self._stopped_by = 0
        os.set_blocking(names, False)

    def exit_code(self) -> int:
        """Wait for the child, clear up after it, and return the exit code for it."""
        status = self._status()
        while self._read_names():
            pass
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        import contextlib

        for path in self._files:
            with contextlib.suppress(OSError):
                os.unlink(path)
        with contextlib.suppress(OSError, ValueError, AttributeError):  # the terminal may have gone
            if sys.stderr.isatty():
                sys.stderr.write(CLEAR_LINE + SHOW_CURSOR)
            number = self._stopped_by or os.WTERMSIG(status)
            if number not in _stop_signals():
                sys.stderr.write(_epitaph(number))
            sys.stderr.flush()
        return 128 + number if number in _stop_signals() else FAILED

    def _status(self) -> int:
        """Wait until the child has ended; once it was told to, not for long."""
        import select
        import time

        sources, end = [self._names, self._woken], float("inf")
        while True:
            done, status = os.waitpid(self._child, os.WNOHANG)
            if done:
                return status
            rest = max(0.0, end - time.monotonic())
            ready = select.select(sources, [], [], None if end == float("inf") else rest)[0]
            if self._names in ready and not self._read_names():
                sources.remove(self._names)
            if self._woken in ready:
                for number in os.read(self._woken, 64):
                    if number != signal.SIGCHLD:
                        os.kill(self._child, number)
                        self._stopped_by = self._stopped_by or number
                        end = min(end, time.monotonic() + PATIENCE)
            if time.monotonic() >= end:
                os.kill(self._child, signal.SIGKILL)

    def _read_names(self) -> bool:
        """Take in names of temporary files that came and went; False if there are none."""
        try:
            data = os.read(self._names, 1 << 16)
        except BlockingIOError:
            return False
        *whole, self._unread = (self._unread + data).split(b"\0")
        for name in whole:
            (self._files.add if name[:1] == b"+" else self._files.discard)(name[1:])
        return bool(data)


def _open_standard_streams() -> None:
    """Open what the caller has closed, as in `>&-`, so that no pipe takes its place and is written to by a library."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def _note(*_: object) -> None:
    """Do nothing: the wake-up pipe has the number of the signal."""


def _die_with(life: int) -> None:
    """Let Linux end this process if the other end of a pipe is closed, because the supervisor was killed."""
    import fcntl

    if sys.platform == "linux":
        fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
        try:
            os.read(life, 1)  # it was killed before this was set
        except BlockingIOError:
            return
        os._exit(FAILED)


def _epitaph(number: int) -> str:
    """Say what ended the child."""
    if number == signal.SIGKILL:
        return (
            "unwritten: the system ended the command, most often for want of memory: give it less data or more memory\n"
        )
    name = signal.Signals(number).name
    return f"unwritten: a library crashed ({name}): please report it with the command, and try other options\n"


def _stop_signals() -> tuple[signal.Signals, ...]:
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
