"""The options of an experiment, and its result: numbers beside the paper's, facts and figures."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from unwritten.formats import write_text

PACKAGES = ("unwritten", "numpy", "scipy", "python-flint", "highspy", "scikit-learn", "torch", "matplotlib")


Q = TypeVar("Q")
F = TypeVar("F")


@dataclass
class RunContext:
    """The options of a run. The experiment calls `say` with one line per step, to show its progress."""

    out: Path
    quick: bool = False
    seed: int = 0
    data: Path | None = None
    say: Callable[[str], None] = field(default=lambda _: None)

    def pick(self, quick: Q, full: F) -> Q | F:
        """Return the first value in a quick run, the second in a full one."""
        return quick if self.quick else full


@dataclass(frozen=True)
class ResultRow:
    """One number beside the paper's. `spread` is the standard deviation over seeds, or None for a single seed."""

    case: str
    model: str
    measure: str
    paper: float | None
    ours: float
    spread: float | None = None

    @property
    def difference(self) -> float | None:
        """Our number minus the paper's."""
        return None if self.paper is None else self.ours - self.paper


@dataclass
class Result:
    """The rows to print, facts for the tests, the names of the figures, and notes for the reader."""

    name: str
    title: str
    rows: list[ResultRow] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    started: float = field(default_factory=perf_counter)

    def add(
        self, case: str, model: str, measure: str, paper: float | None, ours: float, spread: float | None = None
    ) -> None:
        """Add a row."""
        self.rows.append(ResultRow(case, model, measure, paper, float(ours), spread))

    def ours(self, case: str, model: str, measure: str) -> float:
        """Return our number in one row."""
        return next(r.ours for r in self.rows if (r.case, r.model, r.measure) == (case, model, measure))

    def save(self, context: RunContext) -> Path:
        """Write `results.json` beside the figures; an interrupted write leaves no partial file."""
        context.out.mkdir(parents=True, exist_ok=True)
        path = context.out / "results.json"
        content = {
            "name": self.name,
            "title": self.title,
            "quick": context.quick,
            "seed": context.seed,
            "seconds": round(perf_counter() - self.started, 2),
            "python": platform.python_version(),
            "versions": {name: number for name in PACKAGES if (number := _version(name))},
            "rows": [asdict(row) | {"difference": row.difference} for row in self.rows],
            "facts": self.facts,
            "figures": self.figures,
            "notes": self.notes,
        }
        write_text(path, json.dumps(content, indent=2, default=float, ensure_ascii=False) + "\n")
        return path


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
