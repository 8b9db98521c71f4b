"""Fuzzing: feed every reader with changed inputs. Each must be read, or be refused with one `UnwrittenError`.

    python tests/attack/fuzz.py [--inputs N] [--seed S] [--reader NAME] [--keep DIRECTORY]

Anything else is a finding: another exception, a message of several lines or with a path of this machine in it, more
than 5 seconds of processor time or half a gibibyte of memory for one input, or a process that dies. Inputs are read in
child processes. The seed, the reader and the number of an input make the same input again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 5  # the most processor time for one input
PATIENCE = 300.0  # seconds without output after which a child counts as hung
ADDRESSES = 6 * 2**30  # bytes of address space of a child; libraries reserve some of it without use
GROWTH = 512 * 2**20  # the most bytes by which one input may raise the memory of a child
WRITTEN = 256 * 2**20  # the most bytes of a file that a child may write


class OutOfTimeError(BaseException):
    """Raised when an input takes too much processor time; no reader may catch it."""


@dataclass
class FuzzOutcome:
    """How many inputs were read, refused or findings, and the findings."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[int, str]] = field(default_factory=list)

    def add(self, kind: str, number: int, what: str) -> None:
        """Count one more input."""
        self.counts[kind] += 1
        if kind == "finding":
            self.findings.append((number, what))


def made(reader: str, seed: int, number: int) -> bytes:
    """Make input `number` of a reader."""
    from attack.readers import READERS

    return READERS[reader].make(random.Random(f"{seed}/{reader}/{number}"))


def judged(reader: str, data: bytes, here: Path) -> tuple[str, str]:
    """Read one input, and return `content`, `error` or `finding` with what is wrong; files are written in `here`."""
    from attack.readers import READERS
    from unwritten.errors import UnwrittenError
    from unwritten.tables.quoting import shown

    try:
        READERS[reader].read(data)
    except UnwrittenError as error:
        text = str(error)
        if "\n" in text or shown(text) != text:
            return "finding", f"a message that is not one plain line: {text!r}"[:600]
        if str(here) in text or "site-packages" in text or "/src/unwritten/" in text:
            return "finding", f"a message with the machine's path: {text}"[:600]
        if ": " not in text and ", " not in text:
            return "finding", f"a message without a cure: {text}"
        return "error", ""
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 whatever it is, it is a finding
        where = "".join(traceback.format_exception(error)[-4:])
        return "finding", f"{type(error).__name__}: {error!s:.300}\n{where[-1500:]}"
    return "content", ""


def work(reader: str, seed: int, first: int, last: int) -> None:
    """Judge inputs in a child process, and print the verdicts line by line."""
    from attack.readers import READERS

    warnings.simplefilter("ignore")
    os.nice(10)
    say = sys.stdout
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        READERS[reader].prepare()
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))
        signal.signal(signal.SIGPROF, _late)
        for number in range(first, last):
            data = made(reader, seed, number)
            say.write(f"at {number}\n")
            say.flush()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            kind, what = judged(reader, data, Path(here))
            signal.setitimer(signal.ITIMER_PROF, 0)
            grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
            if kind != "finding" and grown > GROWTH:
                kind, what = "finding", f"took {grown >> 20} MiB"
            say.write(f"was {json.dumps([kind, number, what])}\n")
        say.write("done\n")
        say.flush()
        os.chdir("/")


def _late(*_: object) -> None:
    raise OutOfTimeError(f"more than {SECONDS} s")


def run(reader: str, seed: int, first: int, last: int) -> FuzzOutcome:
    """Judge inputs `first` to `last` of a reader in children; one that dies or hangs is a finding."""
    outcome = FuzzOutcome()
    while first < last:
        command = [sys.executable, __file__, "--work", reader, str(seed), str(first), str(last)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            at, whole = _follow(child, outcome)
            hung = child.poll() is None
            child.kill()
        if whole:
            break
        number = first if at is None else at
        what = "the process could not begin" if at is None else "the process hung" if hung else "the process died"
        what = f"{what} ({child.returncode})"
        outcome.add("finding", number, what)
        if at is None:
            break
        first = number + 1
    return outcome


def _follow(child: subprocess.Popen[bytes], outcome: FuzzOutcome) -> tuple[int | None, bool]:
    """Read what a child prints; return the number of its last input, and whether it finished."""
    at, rest, deadline = None, b"", time.monotonic() + 2 * PATIENCE
    assert child.stdout is not None
    while time.monotonic() < deadline:
        if not select.select([child.stdout], [], [], 1.0)[0]:
            continue
        piece = os.read(child.stdout.fileno(), 2**16)
        if not piece:
            child.wait()
            return at, False
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            word, _, value = line.partition(b" ")
            if word == b"at":
                at, deadline = int(value), time.monotonic() + PATIENCE
            elif word == b"was":
                outcome.add(*json.loads(value))
            elif word == b"done":
                return at, True
    return at, False


def main() -> int:
    """Fuzz all readers or some, and print the findings."""
    from attack.readers import READERS

    parser = argparse.ArgumentParser(description="Fuzz the readers.")
    parser.add_argument("--inputs", type=int, default=20_000, help="in all, shared between the readers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", choices=list(READERS), action="append")
    parser.add_argument("--keep", type=Path, help="a directory for the inputs of findings")
    asked = parser.parse_args()
    readers = asked.reader or list(READERS)
    each, found = max(1, asked.inputs // len(readers)), 0
    for reader in readers:
        began, outcome = time.monotonic(), FuzzOutcome()
        chunk = READERS[reader].chunk
        for first in range(0, each, chunk):
            part = run(reader, asked.seed, first, min(first + chunk, each))
            outcome.counts.update(part.counts)
            for number, what in part.findings:
                sys.stdout.write(f"  FINDING {reader} --seed {asked.seed}, input {number}: {what}\n")
                if asked.keep:
                    asked.keep.mkdir(parents=True, exist_ok=True)
                    (asked.keep / f"{reader}-{asked.seed}-{number}").write_bytes(made(reader, asked.seed, number))
            sys.stdout.flush()
            outcome.findings += part.findings
        found += len(outcome.findings)
        spent = time.monotonic() - began
        sys.stdout.write(f"{reader:<9} {each:>9,} inputs in {spent:6.0f} s: {dict(sorted(outcome.counts.items()))}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{found} findings in {each * len(readers):,} inputs\n")
    return 1 if found else 0


if __name__ == "__main__":
    tests = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(tests), str(tests.parent)]
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], *map(int, sys.argv[3:]))
    else:
        sys.exit(main())
