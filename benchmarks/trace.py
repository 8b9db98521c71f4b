"""Count the files and functions of the library that a call enters: `python -m benchmarks.trace`.

The fewer there are, the less a reader has to follow. A call is made once before it is counted, so that imports and
compilation do not count. Comprehensions and lambdas are part of the function around them.
"""  # noqa: A005 it is always imported as benchmarks.trace

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

import unwritten
from benchmarks.timing import MarkdownTable
from unwritten.data import IntArray

PACKAGE = f"{Path(unwritten.__file__).parent}/"


@dataclass
class Trace:
    """The functions of the library that were entered, by their file and name."""

    functions: set[tuple[str, str]] = field(default_factory=set)

    @property
    def files(self) -> set[str]:
        """The files of these functions."""
        return {file for file, _ in self.functions}

    def enter(self, code: CodeType) -> None:
        """Record a function, if it belongs to the library."""
        if code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<"):
            self.functions.add((code.co_filename, code.co_qualname))


def trace(call: Callable[[], object]) -> Trace:
    """Make a call, and record every function of the library that it enters, in all threads."""
    entered = Trace()

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            entered.enter(frame.f_code)

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return entered


def labels(n: int = 300) -> IntArray:
    """Generate 0/1 labels of three one-hot groups, in which a choice of the first requires one of the second."""
    rng = np.random.default_rng(0)
    first, second, third = rng.integers(0, 4, (3, n))
    second[first == 0] = 0
    return np.concatenate([np.eye(4, dtype=np.int64)[choice] for choice in (first, second, third)], axis=1)


def rows(n: int = 300) -> pa.Table:
    """Generate categorical columns that obey the same rule."""
    choices = labels(n).reshape(n, 3, 4).argmax(axis=2)
    return pa.table({name: [f"{name}{k}" for k in choices[:, j]] for j, name in enumerate(("trim", "engine", "seats"))})


def calls(path: Path) -> dict[str, Callable[[], object]]:
    """Return the traced calls by name; `path` is a CSV file."""
    import dask.array as da

    examples = labels()
    model = unwritten.mine(path)
    return {
        "mine(array)": lambda: unwritten.mine(examples),
        "mine(csv)": lambda: unwritten.mine(path),
        "check(csv)": lambda: model.check(path),
        "mine(dask)": lambda: unwritten.mine(da.from_array(examples, chunks=(100, -1))),  # type: ignore[no-untyped-call]
    }


def traced() -> MarkdownTable:
    """Trace every call."""
    table = MarkdownTable("Files and functions of the library that a call enters")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        arrow_csv.write_csv(rows(), path)
        for name, call in calls(path).items():
            call()
            entered = trace(call)
            table.add(call=name, files=len(entered.files), functions=len(entered.functions))
    return table


if __name__ == "__main__":
    print(traced())
