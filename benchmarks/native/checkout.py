"""Checkout: a directory with one version of the library, and the Python that can run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import unwritten

BASELINE, BASELINE_PYTHON = "UNWRITTEN_BASELINE", "UNWRITTEN_BASELINE_PYTHON"
HERE = Path(__file__).resolve().parent
WITHOUT_BASELINE = (
    f"There is no version to compare with. `git worktree add ../baseline COMMIT` makes one; install it with "
    f"`python -m venv ../baseline/.venv && ../baseline/.venv/bin/pip install -e ../baseline`; then set {BASELINE} to "
    f"../baseline and {BASELINE_PYTHON} to ../baseline/.venv/bin/python."
)


@dataclass(frozen=True)
class Checkout:
    """One version of the library."""

    root: Path
    python: str
    package: Path  # the directory that `import unwritten` must find
    path: str  # PYTHONPATH

    @classmethod
    def this(cls) -> Checkout:
        """Return the checkout that this file is part of."""
        root = HERE.parents[1]
        inherited = [os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
        path = os.pathsep.join([str(root), *inherited])
        return cls(root, sys.executable, Path(unwritten.__file__).parent, path)

    @classmethod
    def baseline(cls) -> Checkout | None:
        """Return the checkout to compare with, or None if the environment names none."""
        if not os.environ.get(BASELINE):
            return None
        root = Path(os.environ[BASELINE]).resolve()
        path = os.pathsep.join([str(root / "src"), str(root)])
        # An absolute path, but with its links: they lead out of a virtual environment.
        python = os.path.abspath(os.environ.get(BASELINE_PYTHON, sys.executable))
        return cls(root, python, root / "src" / "unwritten", path)

    @property
    def commit(self) -> str:
        """The short name of the commit, or the name of the directory if it is no repository."""
        command = ["git", "-C", str(self.root), "rev-parse", "--short", "HEAD"]
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        return asked.stdout.strip() or self.root.name

    def environment(self, **extra: str) -> dict[str, str]:
        """Return the variables of a process that imports this version; linear algebra has one thread."""
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        return {**os.environ, **threads, "PYTHONPATH": self.path, **extra}

    def verify(self) -> None:
        """Raise unless the Python of this checkout imports the library from it."""
        command = [self.python, "-c", "import unwritten; print(unwritten.__file__)"]
        asked = subprocess.run(command, env=self.environment(), stdout=subprocess.PIPE, text=True, check=True)
        found = Path(asked.stdout.strip()).parent
        if found.resolve() != self.package.resolve():
            raise RuntimeError(
                f"{self.python} imports the library from {found}, not from {self.package}: install each version in a "
                f"virtual environment of its own, and set {BASELINE_PYTHON}"
            )

    @contextmanager
    def case(self, name: str, quick: bool) -> Iterator[RunningCase]:
        """Run a case in a process of its own, which ends with the block."""
        command = [self.python, str(HERE / "case.py"), name, *(["--quick"] if quick else [])]
        with subprocess.Popen(
            command, env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            try:
                yield RunningCase(f"{name} in {self.root}", process)
            finally:
                process.kill()


@dataclass(frozen=True)
class RunningCase:
    """The process of a case, which runs a measure when it is asked to."""

    name: str
    process: subprocess.Popen[str]

    def measures(self) -> dict[str, str]:
        """Wait until the case is set up; return the names of its measures and what a unit of each is."""
        units: dict[str, str] = self._answer()
        return units

    def run(self, measure: str) -> tuple[float, str]:
        """Run a measure once; return the seconds per unit and a digest of the result."""
        assert self.process.stdin is not None  # noqa: S101 it is a pipe
        self.process.stdin.write(measure + "\n")
        self.process.stdin.flush()
        seconds, digest = self._answer()
        return seconds, digest

    def _answer(self) -> Any:
        assert self.process.stdout is not None  # noqa: S101 it is a pipe
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the case {self.name} ended with exit code {self.process.wait()}: see its error above")
        return json.loads(line)
