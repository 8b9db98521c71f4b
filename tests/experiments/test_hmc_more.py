"""A quick run of the ways to decode: one small generated hierarchy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from experiments import datasets
from experiments.result import RunContext
from experiments.scorers import hmc_more
from experiments.scorers.forests import forest_sample


def test_generated_labels_are_closed_under_parents() -> None:
    """Equal seeds give equal samples, and labels are unions of paths: some column contains every other one."""
    features, labels = forest_sample(200, 40, seed=3)
    again = forest_sample(200, 40, seed=3)
    np.testing.assert_array_equal(features, again[0])
    np.testing.assert_array_equal(labels, again[1])
    together = labels.T @ labels
    children = np.flatnonzero(labels[:, 4:].any(axis=0)) + 4  # the first labels are roots
    contained = (together[children] == np.diag(together)[children][:, None]).sum(axis=1) > 1
    assert contained.all()


def test_quick_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Auto matches at least as many labels as the estimator alone, and its probabilities rank as well."""
    monkeypatch.delenv(datasets.VARIABLE, raising=False)
    result = hmc_more.run(RunContext(out=tmp_path, quick=True))
    (case,) = {row.case for row in result.rows}
    auto, threshold = (result.ours(case, way, hmc_more.EM) for way in ("auto", "threshold"))
    assert auto >= threshold
    precision = [result.ours(case, way, hmc_more.PRECISION) for way in ("auto", "threshold")]
    assert precision[0] >= precision[1] - 0.005
    assert len(result.facts[case]["auto chose"]) == 1
