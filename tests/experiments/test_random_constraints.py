"""A quick run on hidden inequalities."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from experiments import datasets
from experiments.limits import random_constraints
from experiments.registry import load_experiment
from experiments.result import RunContext

needs_data = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


@needs_data
def test_limits_answer_what_cuts_cannot(tmp_path: Path) -> None:
    """From 800 examples, limits answer nearly all fresh queries; cuts alone and seen labels answer fewer."""
    result = load_experiment("random-constraints")(RunContext(tmp_path, quick=True))
    for case in ("binary, 1 hidden row", "binary, 4 hidden rows"):
        right = {method: result.ours(case, method, "800 examples") for method in ("Inner", "Outer", "Outer + limits")}
        assert right["Outer + limits"] >= 94
        assert max(right["Inner"], right["Outer"]) < 70
    assert (tmp_path / "random-constraints-binary.svg").exists()


def test_a_full_run_can_be_put_together_from_parts(tmp_path: Path) -> None:
    """Outcomes that were measured elsewhere give the same tables, with what is known of dataset 0 beside them."""
    part = {"Inner": 10.0, "Outer": 40.0, "Outer + limits": 98.0, "rows stated": 4, "s to mine": 2.0}
    parts = [part | {"proven, not right": 0, "suspects": [710]}, part | {"proven, not right": 1, "suspects": []}]
    setting = random_constraints.Setting("binary", 4)
    result = random_constraints.tabulated(RunContext(tmp_path), {setting: {1_600: parts}})
    case = "binary, 4 hidden rows"
    assert result.ours(case, "Outer + limits", "1,600 examples") == 98.0
    assert result.ours(f"{case}, 1,600 examples", "Outer + limits", "proven, not right") == 1
    assert any("ILP-Loss 92.8 %" in note for note in result.notes)
    assert any("Named as suspects: 710; other suspects: 0" in note for note in result.notes)
