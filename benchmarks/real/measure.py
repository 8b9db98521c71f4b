"""Run one tool on one prepared table, and turn its alarms into shares."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[2]
FILES = ("held-out", "swap", "typo", "shift")
SCRIPTS = {
    "unwritten": ["-m", "benchmarks.real.ours"],
    "tdda": [str(ROOT / "benchmarks/real/peers/tdda_tool.py")],
    "pandera": [str(ROOT / "benchmarks/real/peers/pandera_tool.py")],
    "desbordante": [str(ROOT / "benchmarks/real/peers/desbordante_tool.py")],
}


@dataclass(frozen=True)
class Outcome:
    """What one tool did with one table; shares are of rows, and None where there is nothing to measure."""

    refused: str
    seconds: float
    check_seconds: float | None = None
    peak_gib: float | None = None
    rules: int | None = None
    false_alarms: float | None = None
    rule_false_alarms: float | None = None
    noticed: dict[str, float | None] | None = None
    spill: float = 0.0
    sure: int | None = None
    sure_broken: int | None = None
    texts: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def run_tool(tool: str, interpreter: str, folder: Path, limit: float) -> dict[str, Any]:
    """Run a tool as a process on the files in a folder; return what it wrote, or why it failed."""
    result = folder / f"{tool}.json"
    result.unlink(missing_ok=True)
    start = perf_counter()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    try:
        done = subprocess.run(
            [interpreter, *SCRIPTS[tool], str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=limit,
            check=False, env=environment,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"refused": f"more than {limit:.0f} s", "seconds": limit}
    if not result.exists():
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return {"refused": f"fails: {last[:120]}", "seconds": perf_counter() - start}
    return dict(json.loads(result.read_text(encoding="utf-8")))


def judged(raw: dict[str, Any], places: dict[str, list[int]], held_out: int) -> Outcome:
    """Return the shares; a damaged row counts as noticed if it raises an alarm that it did not raise before.

    `spill` is the largest share of rows that nobody damaged and that raise a new alarm: a tool that blames a whole
    column for one cell notices nothing in particular.
    """
    if raw.get("refused"):
        return Outcome(raw["refused"], raw["seconds"])
    alarms = {file: set(rows) for file, rows in raw["alarms"].items()}
    before = alarms["held-out"]
    noticed = {
        way: len((alarms[way] - before) & set(rows)) / len(rows) if rows else None for way, rows in places.items()
    }
    spilt = [len(alarms[way] - before - set(rows)) / held_out for way, rows in places.items() if rows]
    return Outcome(
        "",
        raw["seconds"],
        raw["check_seconds"],
        raw["peak_gib"],
        raw["rules"],
        len(before) / held_out,
        len(raw["rule_alarms"]["held-out"]) / held_out,
        noticed,
        max(spilt, default=0.0),
        raw.get("sure"),
        raw.get("sure_broken"),
        tuple(raw.get("texts", ())),
        tuple(raw.get("broken", ())),
    )
