"""A quick run of hierarchical classification: its shape and key facts."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unwritten
from experiments import datasets
from experiments.paper import hmc, published
from experiments.paper.hmc_scores import HmcScore
from experiments.registry import load_experiment
from experiments.result import Result, RunContext
from unwritten.errors import DataError

pytest.importorskip("torch")
pytest.importorskip("matplotlib")
needs_data = pytest.mark.skipif(not os.environ.get(datasets.VARIABLE), reason=f"{datasets.VARIABLE} is not set")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hmc")


@pytest.fixture(scope="module")
def result(out: Path) -> Result:
    context = RunContext(out=out, quick=True)
    found = load_experiment("hmc")(context)
    found.save(context)
    return found


@needs_data
def test_the_table_has_every_method_and_measure(result: Result) -> None:
    """The table shows one base model in detail beside the paper's numbers, in percentages."""
    (case,) = result.facts["detailed base models"]
    for method, paper in published.HMC.items():
        for measure, theirs in zip(published.HMC_MEASURES, paper, strict=True):
            (row,) = [r for r in result.rows if (r.case, r.model, r.measure) == (case, method, measure)]
            assert row.paper == theirs
            assert 0 <= row.ours <= 100


@needs_data
def test_mined_models_are_feasible_and_above_their_baseline(result: Result) -> None:
    """For every base model Inner, Outer+EQ and Outer+Latent give the same paths and beat the threshold."""
    assert result.facts["always feasible"]
    assert result.facts["always above Baseline"]
    assert result.facts["equal EM of Inner, Outer+EQ, Outer+Latent"]
    assert len(result.facts["base models"]) == 2
    for method in hmc.MINED:
        assert result.ours(hmc.ALL, method, "least feasibility") == 100
        assert result.ours(hmc.ALL, method, "least gain in EM") > 5


@needs_data
def test_outer_is_a_relaxation_of_inner(result: Result) -> None:
    """With slack, Outer is never better than Inner."""
    assert result.facts["Outer never above Inner"]


@needs_data
def test_the_appendix_is_implied_and_has_the_same_points(result: Result) -> None:
    """The mined rules (rank 638) imply all 91 rules of the appendix (rank 544); only the 63 paths obey either."""
    facts = result.facts
    assert facts["rules of the appendix"] == facts["of these implied by what is mined"] == 91
    assert facts["mined rows that the appendix does not imply"] > 0
    assert (facts["rank of the mined equalities"], facts["rank mined with latents"]) == (34, 638)
    assert facts["rank of the appendix"] == 544
    assert set(facts["integer points"].values()) == {63}
    assert facts["integer points are the paths"]
    assert facts["paths"] == 63
    assert facts["test paths not seen in training"] == 0


@needs_data
def test_the_figure_is_there(result: Result, out: Path) -> None:
    """The figure is saved as PNG and SVG beside the results."""
    assert result.figures == ["hmc"]
    for name in ("hmc.png", "hmc.svg", "results.json"):
        assert (out / name).stat().st_size > 1000


def test_cuts_can_join_rules_that_were_mined_before() -> None:
    """Adding a base model's cuts to rules mined once gives the model that is mined from its weights."""
    rng = np.random.default_rng(0)
    labels = np.eye(5, dtype=np.int64)[rng.integers(0, 5, 60)]
    weights = labels + rng.normal(0, 0.6, labels.shape) - 0.5
    for lifts in ((), "pairs"):
        rules = unwritten.mine(labels, rules=["equalities"], lifts=lifts)
        outer = unwritten.mine(labels, weights, rules=[])
        mined = unwritten.mine(labels, weights, rules=["equalities"], lifts=lifts)
        assert len(rules.rules.equalities)
        assert replace(rules, cuts=outer.cuts, forecast=mined.forecast) == mined


def hard_outer(seconds: float, monkeypatch: pytest.MonkeyPatch) -> tuple[HmcScore, HmcScore]:
    """Score Outer on a few rows of a weak scorer, and Inner on the same rows."""
    monkeypatch.setattr(hmc, "WEAK_SECONDS", seconds)
    rng = np.random.default_rng(1)
    labels = np.eye(6, dtype=np.int64)[rng.integers(0, 6, 80)]
    weights = labels + rng.normal(0, 1.0, labels.shape) - 0.5
    data = hmc.ImclefData(weights, labels[:40], weights, labels[40:], list("abcdef"))
    outer = unwritten.mine(data.labels, weights[:40], rules=[], names=data.names)
    base = hmc.BaseNetwork(1, 1e-3, 1, weights[:40], weights[40:])
    inner = outer.predict(base.test, engine="inner")
    return hmc._hard_outer(outer, base, data, inner, seed=0), hmc._score(inner, data.test_labels, data.paths)


def test_undecided_queries_leave_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """With enough time the score is one number below Inner's; with too little it is a range around that number."""
    exact, inner = hard_outer(60.0, monkeypatch)
    assert exact.undecided == 0
    assert exact.em == exact.at_most <= inner.em
    hasty, _ = hard_outer(1e-9, monkeypatch)
    assert hasty.em <= exact.em <= hasty.at_most


def test_absent_data_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the files are absent, the error says where to get them."""
    monkeypatch.delenv(datasets.VARIABLE, raising=False)
    with pytest.raises(DataError, match="C-HMCNN"):
        hmc.run(RunContext(out=tmp_path, quick=True))
