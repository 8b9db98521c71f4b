"""TDDA: constraints discovered from training rows, with regular expressions, and failing rows detected."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from common import run


def tdda(train: pd.DataFrame) -> tuple[Callable[[pd.DataFrame], set[int]], int]:
    """Discover constraints of each column: type, range, sign, length, allowed values, patterns, uniqueness, nulls."""
    from tdda.constraints import detect_df, discover_df

    constraints = discover_df(train, inc_rex=True)
    path = Path(tempfile.mkdtemp()) / "train.tdda"
    path.write_text(constraints.to_json(), encoding="utf-8")

    def check(frame: pd.DataFrame) -> set[int]:
        found = detect_df(frame, str(path)).detected()
        return set() if found is None else set(found.index.tolist())

    return check, sum(len(field.constraints) for field in constraints.fields.values())


if __name__ == "__main__":
    run("tdda", tdda)
