"""Commands in a fresh environment, where nothing is cached, and again; and the time that `import unwritten` takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from benchmarks.native.checkout import Checkout
from benchmarks.native.small_table import write_orders, write_wishes

TIMES = re.compile(r"\d+(\.\d+)? m?s\b")  # times in the output differ from run to run


@dataclass(frozen=True)
class CommandRun:
    """What one run of a command cost, and a digest of what it printed."""

    wall: float
    cpu: float
    digest: str


class FreshEnvironment:
    """A directory with an order table, as the home of commands; compiled code is cached in it, or nowhere."""

    def __init__(self, checkout: Checkout, directory: Path) -> None:
        self._checkout = checkout
        self._directory = directory
        write_orders(directory / "small.csv")
        write_wishes(directory / "wishes.csv")

    def forget(self) -> None:
        """Remove whatever was cached."""
        shutil.rmtree(self._directory / "cache", ignore_errors=True)

    def run(self, *arguments: str) -> CommandRun:
        """Run Python with these arguments, wait for it, and return what it cost."""
        cache = str(self._directory / "cache")
        environment = self._checkout.environment(HOME=cache, NUMBA_CACHE_DIR=cache)
        output = self._directory / "output.txt"
        start = perf_counter()
        with output.open("wb") as file:
            process = subprocess.Popen(
                [self._checkout.python, *arguments], cwd=self._directory, env=environment, stdout=file
            )
            _, status, usage = os.wait4(process.pid, 0)
        wall = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{' '.join(arguments)} in {self._checkout.root} failed: see its error above")
        text = TIMES.sub("", output.read_text(encoding="utf-8"))
        return CommandRun(wall, usage.ru_utime + usage.ru_stime, sha256(text.encode()).hexdigest()[:12])


COMMANDS = {
    "unwritten demo": ("-m", "unwritten", "demo"),
    "unwritten mine small.csv": ("-m", "unwritten", "mine", "small.csv"),
    "unwritten solve": ("-m", "unwritten", "solve", "small.rules", "wishes.csv"),
    "unwritten solve --engine groups": ("-m", "unwritten", "solve", "small.rules", "wishes.csv", "--engine", "groups"),
}


def cold_starts(checkouts: list[Checkout], command: str, times: int) -> list[tuple[CommandRun, CommandRun]]:
    """Run a command in a fresh environment and twice again, in turns, the same number of times in every checkout.

    Returns the fastest first run and the fastest later run of each checkout.
    """
    firsts: list[list[CommandRun]] = [[] for _ in checkouts]
    later: list[list[CommandRun]] = [[] for _ in checkouts]
    with ExitStack() as stack:
        directories = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in checkouts]
        environments = [FreshEnvironment(*pair) for pair in zip(checkouts, directories, strict=True)]
        if "small.rules" in COMMANDS[command]:
            for environment in environments:
                environment.run("-m", "unwritten", "mine", "small.csv", "-o", "small.rules")
        for _ in range(times):
            for environment, first, again in zip(environments, firsts, later, strict=True):
                environment.forget()
                first.append(environment.run(*COMMANDS[command]))
                again += [environment.run(*COMMANDS[command]) for _ in range(2)]
    return [
        (min(first, key=lambda run: run.wall), min(again, key=lambda run: run.wall))
        for first, again in zip(firsts, later, strict=True)
    ]


def import_seconds(checkouts: list[Checkout], times: int) -> list[float]:
    """Return how long a process that imports the library takes in each checkout, less one that imports nothing."""
    best = [[float("inf")] * 2 for _ in checkouts]
    for _ in range(times):
        for checkout, fastest in zip(checkouts, best, strict=True):
            for k, code in enumerate(("pass", "import unwritten")):
                start = perf_counter()
                subprocess.run([checkout.python, "-c", code], env=checkout.environment(), check=True, stderr=sys.stderr)
                fastest[k] = min(fastest[k], perf_counter() - start)
    return [with_import - without for without, with_import in best]
