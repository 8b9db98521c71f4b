"""A quick run on hidden inequalities."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from experiments import datasets
from experiments.registry import load_experiment
from experiments.result import RunContext

pytestmark = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


def test_limits_answer_what_cuts_cannot(tmp_path: Path) -> None:
    """From 800 examples, limits answer nearly all fresh queries; cuts alone and seen labels answer fewer."""
    result = load_experiment("random-constraints")(RunContext(tmp_path, quick=True))
    for rows in (1, 4):
        case = f"{rows} hidden rows, 800 examples"
        right = {method: result.ours(case, method, "right") for method in ("seen labels", "cuts", "limits")}
        assert right["limits"] >= 94
        assert max(right["seen labels"], right["cuts"]) < 70
