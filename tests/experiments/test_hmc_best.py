"""A quick run of scorers with mined rules: a quarter of the rows, and a few epochs."""

import os
from pathlib import Path

import numpy as np
import pytest

from experiments import datasets
from experiments.result import Result, RunContext

pytest.importorskip("matplotlib")
pytest.importorskip("torch")
hmc_best = pytest.importorskip("experiments.scorers.hmc_best")
needs_data = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    out: Path = tmp_path_factory.mktemp("hmc-best")
    found = hmc_best.run(RunContext(out=out, quick=True))
    assert (out / "hmc-best.svg").stat().st_size > 1000
    return found


@needs_data
def test_decoding_lifts_every_scorer(result: Result) -> None:
    """Mined rules make SVMs and nets right more often, and every label feasible."""
    svm = hmc_best.SVM
    assert result.ours(svm, hmc_best.DECODED, hmc_best.EM) > result.ours(svm, hmc_best.THRESHOLD, hmc_best.EM) + 5
    assert result.ours(svm, hmc_best.DECODED, hmc_best.FEASIBLE) == 100
    assert result.ours(svm, hmc_best.THRESHOLD, hmc_best.FEASIBLE) < 95
    nets = "nets, 6 epochs"
    assert result.ours(nets, "BCE loss, decoded", hmc_best.EM) > result.ours(nets, "BCE loss, threshold", hmc_best.EM)
    assert result.facts["mined"]["labels"] >= 50


@needs_data
def test_a_loss_over_the_mined_set_learns_faster(result: Result) -> None:
    """After five epochs the CRF loss beats cross-entropy, with equal settings and with its own learning rate."""
    for title in ("equal settings", "own learning rate"):
        assert result.ours(hmc_best.SHORT, f"CRF over BCE, {title}", "points") > 5


@needs_data
def test_decoding_is_cheap_and_right(result: Result) -> None:
    """Decoding gives the same values as one program of all rows; how much faster it is depends on the machine."""
    assert result.facts["same values"]
    assert result.ours(hmc_best.DECODE, hmc_best.DECODED, "times faster") > 100


def test_planted_rules_help_on_every_draw() -> None:
    """On overlapping labels thresholds break the rules, and decoding is more accurate for each seed."""
    from experiments.scorers.planted import before_and_after, planted

    for seed in range(2):
        before, after, feasible = before_and_after(seed)
        assert after > before + 5
        assert feasible < 90
    labels = planted(0)[1]
    assert np.array_equal(labels[:, 4], labels[:, 0] | labels[:, 1])
    assert not (labels[:, 2] & labels[:, 3]).any()


def test_local_classifiers_follow_the_tree() -> None:
    """On separable data every predicted label is a path, and right."""
    from sklearn.tree import DecisionTreeClassifier

    from experiments.scorers.hierarchy_given import local_classifiers

    names = ["a", "a/x", "a/y", "b"]
    paths = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]])
    which = np.random.default_rng(0).integers(0, 3, 60)
    features = np.eye(3)[which]
    found = local_classifiers(names, (features, paths[which]), features, DecisionTreeClassifier)
    assert np.array_equal(found, paths[which])
