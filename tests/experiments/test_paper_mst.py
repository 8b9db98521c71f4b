"""A quick run on spanning trees: its shape and key facts."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments import datasets
from experiments.paper import nets
from experiments.paper.mst import MODELS, ONE_BATCH
from experiments.paper.published import MST as PAPER
from experiments.paper.published import MST_MEASURES as MEASURES
from experiments.registry import load_experiment
from experiments.result import Result, RunContext
from unwritten.errors import DataError, MissingPackageError
from unwritten.samples import trees

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

TESTED = ["fresh", "file"] if os.environ.get(datasets.VARIABLE) else ["fresh"]
CASES = [f"{size} {tested}" for tested in TESTED for size in ("500", "1,000")]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mst")


@pytest.fixture(scope="module")
def result(out: Path) -> Result:
    return load_experiment("mst")(RunContext(out=out, quick=True))


def test_every_model_has_its_four_numbers_in_every_case(result: Result) -> None:
    """Rows are percentages with a spread over seeds; the paper has no numbers at these sizes."""
    rows = {(row.case, row.model, row.measure): row for row in result.rows}
    assert len(rows) == len(result.rows)
    assert {case for case, _, _ in rows} == set(CASES)
    for case in CASES:
        for model in ("NN", ONE_BATCH, *MODELS):
            for measure in MEASURES:
                row = rows[case, model, measure]
                assert 0 <= row.ours <= 100
                assert row.paper is None
                assert (row.spread is None) == (model.startswith("NN") and case.endswith("file"))


@pytest.mark.parametrize("case", CASES)
def test_mined_models_keep_their_guarantees(result: Result, case: str) -> None:
    """Training queries are answered rightly, Inner answers with trees, and a tree that Outer answers is the best."""
    assert {result.ours(case, model, "train EM") for model in MODELS} == {100}
    assert result.ours(case, "Inner", "feasibility") == 100
    for model in ("Outer", "Outer+EQ"):
        assert result.ours(case, model, "feasibility") == result.ours(case, model, "test EM")


def test_the_equality_helps(result: Result) -> None:
    """Outer+EQ is at least as good as Outer on average, and far better than a network."""
    mean = {
        model: np.mean([result.ours(case, model, "test EM") for case in CASES]) for model in ("NN", "Outer", "Outer+EQ")
    }
    assert mean["Outer+EQ"] >= mean["Outer"]
    assert mean["Outer+EQ"] > mean["NN"] + 10


def test_whatever_is_proven_is_right(result: Result) -> None:
    """No proven answer is wrong, every query is answered, and the one rule mined is that a tree has six edges."""
    facts = result.facts
    assert facts["proven"] > 0
    assert facts["wrong among the proven"] == 0
    assert facts["unanswered"] == 0
    assert facts["proven by the data alone"] <= facts["proven"]
    assert {row.ours for row in result.rows if row.measure == "right among the proven"} == {100}
    assert len(facts["rules"]) == 1
    assert "exactly six of" in facts["rules"][0]


def test_networks_are_chosen_once_per_case(result: Result) -> None:
    """Each case names its layers, their dev results and the seeds that its networks were trained with."""
    facts = result.facts
    assert facts["seeds"] == [0, 1]
    assert set(facts["layers"]) == set(facts["dev EM"]) == set(CASES)
    assert set(facts["layers"].values()) <= {1, 2, 3}
    assert {case: seeds for case, seeds in facts["network seeds"].items() if case.endswith("fresh")} == {
        case: [0, 1] for case in CASES if case.endswith("fresh")
    }


def test_figures_and_notes(result: Result, out: Path) -> None:
    """The figure is saved as PNG and SVG, and a note explains that the test file is absent."""
    assert result.figures == ["mst"]
    assert all((out / f"mst.{ending}").stat().st_size > 1000 for ending in ("png", "svg"))
    left_out = [note for note in result.notes if "test file is left out" in note]
    assert bool(left_out) == (TESTED == ["fresh"])


def test_the_papers_numbers_cover_both_sizes() -> None:
    """The paper has four percentages for each model at 10,000 and 20,000 examples."""
    assert list(PAPER) == [10_000, 20_000]
    for numbers in PAPER.values():
        assert list(numbers) == ["NN", *MODELS]
        assert all(len(row) == len(MEASURES) for row in numbers.values())


def test_networks_depend_on_nothing_but_their_seeds() -> None:
    """The same seeds give the same probabilities, and training improves them."""
    weights, labels = trees.sample(4, n=300, seed=0)
    error = []
    for epochs in (0, 20, 20):
        net = nets.mlp(6, 6, hidden=10, layers=2, seed=3)
        assert nets.train(net, weights, labels, epochs=epochs, lr=1e-2, seed=4) >= 0
        error.append(float(np.abs(nets.probabilities(net, weights) - labels).mean()))
    assert error[0] > error[1] == error[2]


def test_networks_say_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network without layers, and a missing torch, are errors that name the cure."""
    with pytest.raises(DataError, match="at least 1"):
        nets.mlp(6, 6, hidden=10, layers=0, seed=0)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match=r"unwritten\[torch\]"):
        nets.mlp(6, 6, hidden=10, layers=1, seed=0)
