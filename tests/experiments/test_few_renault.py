"""A quick run on car sales: two folds are held out, and some rules are compared with the manufacturer's."""

import os
from pathlib import Path

import pytest

from experiments import datasets
from experiments.few.renault import ALL, BROKEN, COUNT, IMPLIED, KINDS, LOST, PROMISE, PUBLISHED, SAMPLE, run
from experiments.result import Result, RunContext

pytest.importorskip("matplotlib")
pytest.importorskip("ortools")
pytestmark = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("renault")


@pytest.fixture(scope="module")
def result(out: Path) -> Result:
    return run(RunContext(out=out, quick=True))


def test_rules_of_each_kind_of_sale_hold_on_kinds_never_seen(result: Result) -> None:
    """At most one in two hundred held-out sales breaks a rule."""
    lost = result.facts["lost per fold"]
    assert len(lost[PUBLISHED.name]) == 2
    assert max(lost[PUBLISHED.name]) <= PROMISE
    assert result.ours(PUBLISHED.name, ALL, LOST) <= PROMISE


def test_most_rules_are_the_manufacturers_too(result: Result) -> None:
    """Most of a sample of rules hold for every van that can be made, and the others are reported."""
    assert result.facts["asked"][PUBLISHED.name] == SAMPLE
    share = result.ours(PUBLISHED.name, ALL, IMPLIED)
    assert share >= 80
    assert len(result.facts["not implied"][PUBLISHED.name]) == round(SAMPLE * (1 - share / 100))


def test_kinds_of_rules_add_up(result: Result) -> None:
    """The counts of the kinds of rules add up, and broken rules are reported."""
    for setting in (PUBLISHED,):
        for measure in (COUNT, BROKEN):
            parts = [result.ours(setting.name, kind, measure) for kind in KINDS if kind != ALL]
            assert result.ours(setting.name, ALL, measure) == pytest.approx(sum(parts))
        assert len(result.facts["broken"][setting.name]) == 2


def test_the_figure_is_drawn(result: Result, out: Path) -> None:
    """The figure is saved as PNG and SVG."""
    assert result.figures == ["renault"]
    assert all((out / f"renault.{ending}").stat().st_size > 1000 for ending in ("png", "svg"))
