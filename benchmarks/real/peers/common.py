"""What the scripts of the other tools share: frames in, alarms out."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd

FILES = ("held-out", "swap", "typo", "shift")

#: From a frame of training rows to a function from a frame to the places of its rows that raise an alarm, and the
#: number of its rules
Tool = Callable[[pd.DataFrame], tuple[Callable[[pd.DataFrame], set[int]], int]]


def run(name: str, tool: Tool, typed: bool = True) -> None:
    """Learn from the training rows in a folder, check the other files in it, and write what was found.

    With `typed`, columns of numbers are numbers, and text in them is an alarm; otherwise every cell is text.
    """
    folder = Path(sys.argv[1])
    start = perf_counter()
    train = pd.read_csv(folder / "train.csv", low_memory=False, dtype=None if typed else str)
    truths = [column for column in train if pd.api.types.is_bool_dtype(train[column])]
    train[truths] = train[truths].astype(str).astype(object)
    numeric = [column for column in train if pd.api.types.is_numeric_dtype(train[column])]
    train[numeric] = train[numeric].astype(float)
    check, rules = tool(train)
    learnt = perf_counter()
    alarms = {}
    for file in FILES:
        frame, not_numbers = _read(folder / f"{file}.csv", numeric)
        alarms[file] = sorted(check(frame) | not_numbers)
    peak = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
    outcome: dict[str, Any] = {
        "seconds": learnt - start,
        "check_seconds": perf_counter() - learnt,
        "peak_gib": int(peak[1]) / 2**20 if peak else None,
        "rules": rules,
        "alarms": alarms,
        "rule_alarms": alarms,
    }
    (folder / f"{name}.json").write_text(json.dumps(outcome), encoding="utf-8")


def _read(path: Path, numeric: list[str]) -> tuple[pd.DataFrame, set[int]]:
    """Return a frame with the types of training; text where training had numbers is an alarm."""
    frame = pd.read_csv(path, low_memory=False)
    wrong: set[int] = set()
    for column in numeric:
        values = pd.to_numeric(frame[column], errors="coerce")
        wrong.update(frame.index[values.isna() & frame[column].notna()].tolist())
        frame[column] = values.astype(float)
    for column in set(frame) - set(numeric):
        frame[column] = frame[column].astype(object).where(frame[column].isna(), frame[column].astype(str))
    return frame, wrong
