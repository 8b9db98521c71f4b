"""Watch what is opened and connected to while a file is read, also by libraries in C: inotify, and Python's audit."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

SECRET = "kept-to-myself-1f0c"
PORT = 47111  # of this machine, to which hostile files point
IN_OPEN, IN_CREATE, IN_DELETE, IN_NONBLOCK = 0x20, 0x100, 0x200, 0o4000
BESIDE = ("", "-wal", "-shm", "-journal", ".wal")  # files that belong to a database
FORBIDDEN = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "socket.connect",
    "os.fork",
    "urllib.Request",
)
LIBRARIES = (*sysconfig.get_paths().values(), sys.base_prefix, sys.prefix, Path(__file__).parents[3])
CALM = (
    *(str(Path(path).resolve()) for path in LIBRARIES),
    *("/usr", "/proc", "/sys", "/dev", "/etc/localtime", f"{tempfile.gettempdir()}/unwritten-"),
)


class Watched:
    """What was reached since the watch began."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self.allowed, self.forbidden = descriptor, set[str](), set[str]()

    def allow(self, name: str) -> None:
        """Let this file be opened, and those that belong to a database of this name; forget what was before."""
        self.allowed = {name + ending for ending in BESIDE}

    def judge(self) -> None:
        """Raise if another file of the folder was opened or made, or if anything forbidden was done."""
        reached = {name for name in _events(self._descriptor) if name not in self.allowed} | self.forbidden
        with suppress(BlockingIOError):
            _listener().accept()[0].close()
            reached.add("a connection")
        left = {name for name in os.listdir() if name not in SECRETS}
        for name in left:
            os.rename(name, tempfile.mkdtemp() + "/left")
        assert not reached, f"reached {sorted(reached)}"
        assert not left, f"left {sorted(left)}"


SECRETS = {"secret.txt", "secret.csv", "secret.parquet", "secret.db"}
_now: list[Watched] = []


@contextmanager
def watch() -> Iterator[Watched]:
    """Watch the working directory, in which there are secrets, and what Python does."""
    _hook()
    for name in SECRETS:
        if not Path(name).exists():
            Path(name).write_text(f"a,b\n{SECRET},1\n{SECRET},2\n")
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(IN_NONBLOCK)
    if libc.inotify_add_watch(descriptor, b".", IN_OPEN | IN_CREATE | IN_DELETE) < 0:
        raise OSError(ctypes.get_errno(), "the folder cannot be watched")
    watched = Watched(descriptor)
    _listener()
    _now.append(watched)
    try:
        yield watched
    finally:
        _now.pop()
        os.close(descriptor)


def _events(descriptor: int) -> Iterator[str]:
    """Yield the names of the files of the folder that were opened, made or deleted."""
    while True:
        try:
            data = os.read(descriptor, 2**16)
        except BlockingIOError:
            return
        while data:
            size = struct.unpack("iIII", data[:16])[3]
            yield data[16 : 16 + size].rstrip(b"\0").decode(errors="replace") or "the folder"
            data = data[16 + size :]


@cache
def _listener() -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind(("127.0.0.1", PORT))
    listening.listen()
    listening.setblocking(False)
    return listening


@cache
def _hook() -> None:
    def see(event: str, arguments: tuple[Any, ...]) -> None:
        if not _now:
            return
        if event in FORBIDDEN:
            _now[-1].forbidden.add(event)
        elif event == "open" and isinstance(arguments[0], str | bytes):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            spools = os.path.realpath(tempfile.gettempdir())  # files without a name are made in it
            is_spool = path == spools or (path.startswith(spools) and path.endswith(" (deleted)"))
            if os.path.dirname(path) != os.getcwd() and not path.startswith(CALM) and not is_spool:
                _now[-1].forbidden.add(f"open {path}")

    sys.addaudithook(see)
