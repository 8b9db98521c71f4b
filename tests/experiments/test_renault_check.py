"""A quick run of checking car sales: two folds and a few damaged sales."""

import os
from pathlib import Path

import pytest

from experiments import datasets
from experiments.result import Result, RunContext
from experiments.tables.renault_check import ALARMS, DAMAGED, FIRST, FOUND, HELD, run

pytest.importorskip("matplotlib")
pytest.importorskip("ortools")
pytestmark = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    out: Path = tmp_path_factory.mktemp("renault-check")
    found = run(RunContext(out=out, quick=True))
    assert (out / "renault-check.svg").stat().st_size > 1000
    return found


def test_sales_raise_no_false_alarms(result: Result) -> None:
    """At most one in two hundred held-out sales of each fold raises a false alarm."""
    assert result.ours("Renault", HELD, ALARMS) <= 0.5
    assert max(result.facts["alarms per fold"]) <= 0.5


def test_damage_is_found_and_explained(result: Result) -> None:
    """Nine in ten damaged sales are flagged, and eight in ten repairs name the damaged column."""
    assert result.ours("Renault", DAMAGED, FOUND) >= 90
    assert result.ours("Renault", DAMAGED, FIRST) >= 80
