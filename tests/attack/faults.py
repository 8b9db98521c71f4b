"""Make every call fail, one at a time: python tests/attack/faults.py [--quick] [--only NAME].

Each job writes files over older ones. Its n-th call of the system fails, for every n, as on a full or broken disk; its
n-th function call runs out of memory; and every file is refused its n-th byte. After each fault the files are the old
ones or the new ones, whole; nothing else is left; and one sentence tells what went wrong, with exit code 2 or 3.
A fault point that breaks one of these promises is a loss.
"""

from __future__ import annotations

import argparse
import builtins
import errno
import io
import os
import shutil
import signal
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

from fault_jobs import JOBS, Job, write_old_files

FILE_CALLS = ("read", "readinto", "readline", "write", "flush", "seek", "tell", "truncate", "close")
SYSTEM_CALLS = ("open", "replace", "rename", "unlink", "mkdir", "rmdir", "truncate")
CODES = {"full disk": errno.ENOSPC, "broken disk": errno.EIO}
KINDS = (*CODES, "memory", "file size")
POINTS = {"memory": 100, "file size": 30}  # fault points of one job; every call of the system is one
QUICK_POINTS = 3  # of a job and a kind
SECONDS = 100  # after which a run counts as hanging


@dataclass(frozen=True)
class Outcome:
    """How one run ended: its exit code, its complaint, the calls it made, and the files in its folder."""

    code: int
    complaint: str
    calls: int
    files: dict[str, bytes | None]


class Fault:
    """Counts calls, and makes the n-th of them fail; 0 lets all succeed."""

    def __init__(self, folder: Path, n: int, error: Callable[[], BaseException]) -> None:
        self.folder, self.n, self.error, self.calls = folder, n, error, 0

    def count(self) -> None:
        """Count a call, or fail."""
        self.calls += 1
        if self.calls == self.n:
            raise self.error()

    def concerns(self, path: object) -> bool:
        """Return whether a call is about a file of the job."""
        return not isinstance(path, int) and os.path.abspath(path).startswith(str(self.folder))


class FaultyFile:
    """A file whose calls are counted."""

    def __init__(self, file: Any, fault: Fault) -> None:
        self._file, self._fault = file, fault

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._file, name)
        if name not in FILE_CALLS:
            return real

        def called(*arguments: Any) -> Any:
            try:
                self._fault.count()
            except OSError:
                if name == "close":
                    real()
                raise
            return real(*arguments)

        return called

    def __enter__(self) -> FaultyFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)


@contextmanager
def faulty_system(fault: Fault) -> Iterator[None]:
    """Count all calls of the system that are about files of the job."""
    real_open = builtins.open

    def opened(path: Any, *a: Any, **k: Any) -> Any:
        if not fault.concerns(path):
            return real_open(path, *a, **k)
        fault.count()
        return FaultyFile(real_open(path, *a, **k), fault)

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def called(path: Any, *a: Any, **k: Any) -> Any:
            if fault.concerns(path):
                fault.count()
            return real(path, *a, **k)

        return called

    patches = [mock.patch.object(builtins, "open", opened), mock.patch.object(io, "open", opened)]
    patches.append(mock.patch.object(os, "fsync", lambda _: fault.count()))  # no power fails here, and disks are slow
    patches += [mock.patch.object(os, name, counted(getattr(os, name))) for name in SYSTEM_CALLS]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


@contextmanager
def scarce_memory(fault: Fault) -> Iterator[None]:
    """Count all calls of functions of the package."""

    def profile(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_globals.get("__name__", "").startswith("unwritten."):
            fault.count()

    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)


@contextmanager
def small_files(fault: Fault) -> Iterator[None]:
    """Refuse to let a file become larger than the place of the fault."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if fault.n:
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.n, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def run(job: Job, folder: Path, kind: str, n: int) -> Outcome:
    """Run a job with a fault in a process of its own, in a fresh folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(folder.with_name("old"), folder)
    return _in_a_child(job, folder, kind, n)


def prepared(place: Path) -> None:
    """Write the old files, and import what the jobs need, but start no threads here: a fork would lose them."""
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            write_old_files(place / "warm")
            os.chdir(place / "warm")
            for job in JOBS[:4]:
                job.run()
        write_old_files(place / "old")
        (place / "modules").write_text("\n".join(sys.modules))
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("the jobs cannot be prepared")
    for name in (place / "modules").read_text().split():
        with suppress(ImportError):
            import_module(name)


def _in_a_child(job: Job, folder: Path, kind: str, n: int) -> Outcome:
    said = folder.with_name("said")
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        os.chdir(folder)
        code, calls, complaint = _run_here(job, folder, kind, n)
        said.write_text(f"{code}\n{calls}\n{complaint}")
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        return Outcome(-os.WTERMSIG(status), "the process was ended by a signal", 0, files_in(folder))
    code, calls, complaint = said.read_text().split("\n", 2)
    return Outcome(int(code), complaint, int(calls), files_in(folder))


def _run_here(job: Job, folder: Path, kind: str, n: int) -> tuple[int, int, str]:
    from unwritten.cli.exits import exit_code

    fails_with = MemoryError if kind == "memory" else lambda: OSError(CODES[kind], os.strerror(CODES[kind]))
    fault = Fault(folder, n, fails_with)
    faults = {"memory": scarce_memory, "file size": small_files}.get(kind, faulty_system)
    complaints = io.StringIO()

    def faulty() -> int:
        with faults(fault):
            return job.run()

    with open(folder.with_name("printed"), "w") as printed, redirect_stderr(complaints):
        out = printed if kind in ("memory", "file size") or not job.prints else FaultyFile(printed, fault)
        with redirect_stdout(out):  # type: ignore[type-var]
            code = exit_code(faulty)
    return code, fault.calls, complaints.getvalue()


def files_in(folder: Path) -> dict[str, bytes | None]:
    """Return the content of every file below a folder; folders have none."""
    return {str(path.relative_to(folder)): content(path) if path.is_file() else None for path in folder.rglob("*")}


def content(path: Path) -> bytes:
    """Return the bytes of a file; of an archive those of its parts, which may be laid out in several ways."""
    try:
        with zipfile.ZipFile(path) as archive:
            return b"".join(f"{name}: ".encode() + archive.read(name) for name in archive.namelist())
    except zipfile.BadZipFile:
        return path.read_bytes()


def loss(job: Job, folder: Path, old: Outcome, new: Outcome, got: Outcome) -> str:
    """Return which promise a run has broken; nothing if it kept all."""
    lines = [line.removeprefix("unwritten: ") for line in got.complaint.splitlines()]
    sentences = [line for line in lines if line and not line.startswith("note: ")]
    failed = got.code in (2, 3)
    if got.code not in (new.code, 2, 3):
        return f"exit code {got.code}"
    if failed and (len(sentences) != 1 or ": " not in sentences[0]):
        return f"{len(sentences)} sentences"
    allowed = (old.files, new.files) if failed else (new.files,)
    some = {name for name in job.may_stay if failed or f"{name} could not be removed" in got.complaint}
    if not any(_without(some, got.files) == _without(some, files) for files in allowed):
        names = {name for name in {*got.files, *new.files} - some if got.files.get(name) != new.files.get(name)}
        return f"neither the old files nor the new ones: {', '.join(sorted(names))[:200]}"
    for name in some & {*old.files, *new.files}:
        if got.files.get(name) not in [files.get(name) for files in allowed]:
            return f"{name} is neither old nor new"
    if failed and job.may_stay:
        again = _in_a_child(job, folder, KINDS[0], 0)
        if (again.code, again.files) != (new.code, new.files):
            return f"not mended by a second run: {again.code} {again.complaint[:200]}"
    return ""


def _without(names: set[str], files: dict[str, bytes | None]) -> dict[str, bytes | None]:
    return {name: content for name, content in files.items() if name not in names}


def attack(job: Job, place: Path, quick: bool) -> tuple[Counter[str], list[str]]:
    """Try the fault points of a job; return how many there were of each kind, and the losses."""
    folder, tried, losses = place / "work", Counter[str](), []
    old = Outcome(0, "", 0, files_in(place / "old"))
    for kind in KINDS:
        new = run(job, folder, kind, 0)
        if new.code not in (0, 1):
            return tried, [f"{job.name}: fails without a fault: {new.complaint}"]
        sizes = [len(content) for name, content in new.files.items() if content and old.files.get(name) != content]
        last = max(sizes, default=0) - 1 if kind == "file size" else new.calls
        most = min(POINTS.get(kind, last), QUICK_POINTS if quick else last)
        for n in sorted({1 + k * last // most for k in range(most)} if last > 0 else ()):
            got = run(job, folder, kind, n)
            tried[kind] += 1
            if what := loss(job, folder, old, new, got):
                losses.append(f"{job.name}, {kind} {n}: {what} ({got.complaint.strip()[-300:]})")
    return tried, losses


def main() -> int:
    """Attack the jobs and print what was tried and lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few fault points of each job")
    parser.add_argument("--only", default="", help="only jobs whose name contains this")
    chosen = parser.parse_args()
    tried, losses = Counter[str](), []
    with tempfile.TemporaryDirectory() as name:
        prepared(Path(name))
        for job in JOBS:
            if chosen.only in job.name:
                points, lost = attack(job, Path(name), chosen.quick)
                tried += points
                losses += lost
                print(f"{job.name:<20} {points.total():>6} fault points, {len(lost)} losses", flush=True)  # noqa: T201
    print(*losses, sep="\n")  # noqa: T201
    parts = ", ".join(f"{count:,} {kind}" for kind, count in tried.items())
    print(f"{tried.total():,} fault points ({parts}), {len(losses)} losses")  # noqa: T201
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
