"""Commands in a fresh environment, where nothing is cached, and again; and the time that `import unwritten` takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
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


def cold_starts(checkout: Checkout, command: str, times: int) -> tuple[CommandRun, CommandRun]:
    """Run a command in a fresh environment and again, several times; return the fastest first and second run."""
    firsts, seconds = [], []
    with tempfile.TemporaryDirectory() as directory:
        environment = FreshEnvironment(checkout, Path(directory))
        if "small.rules" in COMMANDS[command]:
            environment.run("-m", "unwritten", "mine", "small.csv", "-o", "small.rules")
        for _ in range(times):
            environment.forget()
            firsts.append(environment.run(*COMMANDS[command]))
            seconds.append(environment.run(*COMMANDS[command]))
    return min(firsts, key=lambda run: run.wall), min(seconds, key=lambda run: run.wall)


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
