"""Cuts that stay in the partitions of a cluster: the same model and answers as with all of them here."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from stream_helpers import saved, weighted

import unwritten
from unwritten import budgets
from unwritten.errors import DataError, SolverError
from unwritten.samples import trees
from unwritten.sources.dask_cuts import FarRows

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

ENGINES = ["auto", "lazy", "explicit", "monolithic", "best-first"]


def parted(labels: Any, weights: Any, rows: int = 70) -> tuple[Any, Any]:
    """Both as arrays in chunks, those of the weights also of columns."""
    return da.from_array(labels, chunks=(rows, -1)), da.from_array(weights, chunks=(rows + 20, 4))


def told(decided: Any) -> list[tuple[Any, ...]]:
    """What was decided, and how sure it is."""
    return [(d.label.tolist(), d.value, d.bound, d.status, d.proven) for d in decided]


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many rows each request brought here."""
    counts: list[int] = []
    true = FarRows.__getitem__

    def counted(self: FarRows, which: Any) -> Any:
        rows = true(self, which)
        counts.append(len(np.atleast_2d(rows)) if rows.size else 0)
        return rows

    monkeypatch.setattr(FarRows, "__getitem__", counted)
    return counts


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("slack", ["auto", 0])
def test_the_same_model_and_answers(tmp_path: Path, sense: str, slack: Any, brought: list[int]) -> None:
    """The file has the same bytes; every engine answers alike; only a search brings rows, and only broken ones."""
    labels, weights = weighted()
    weights = weights if sense == "max" else -weights
    options = {"sense": sense, "slack": slack, "rules": ["pairs"]}
    near, far = unwritten.mine(labels, weights, **options), unwritten.mine(*parted(labels, weights), **options)
    assert isinstance(far.cuts.weights, FarRows)
    queries = np.random.default_rng(1).normal(size=(12, 6))
    wanted = near.decide(queries, engine="lazy")
    assert told(far.decide(queries, engine="lazy")) == told(wanted)
    assert 0 < max(brought) <= 20
    assert sum(brought) < len(far.cuts) * len(queries) / 4
    for engine in ENGINES:
        found = far.decide(queries, engine=engine)
        assert np.array_equal(found.labels, near.decide(queries, engine=engine).labels)
        assert found.values == pytest.approx(wanted.values)
    assert saved(far, tmp_path) == saved(near, tmp_path)
    assert far == near
    assert isinstance(pickle.loads(pickle.dumps(far)).cuts.weights, np.ndarray)  # noqa: S301


def test_listing_brings_no_rows(brought: list[int]) -> None:
    """Where labels are listed, they go to the cuts, and a verdict comes back."""
    labels, weights = weighted()
    far = unwritten.mine(*parted(labels, weights), rules=["pairs"])
    far.decide(weights[:5], engine="explicit")
    assert not brought


def test_frames_slack_and_matroids(tmp_path: Path) -> None:
    """Data frames, slack of one's own, and a matroid, which weights tell."""
    labels, weights = weighted()
    names = list("abcdef")
    left, right = pd.DataFrame(labels, columns=names), pd.DataFrame(weights, columns=names)
    near = unwritten.mine(left, right)
    parts = [dd.from_pandas(frame, npartitions=4) for frame in (left, right)]
    assert saved(unwritten.mine(*parts), tmp_path) == saved(near, tmp_path)
    gap = [da.from_array(rows, chunks=((100, 0, 200), -1)) for rows in (labels, weights)]
    assert saved(unwritten.mine(*gap), tmp_path) == saved(unwritten.mine(labels, weights), tmp_path)
    slack = np.linspace(0, 1, len(labels))
    far = unwritten.mine(*parted(labels, weights), slack=slack)
    assert saved(far, tmp_path) == saved(unwritten.mine(labels, weights, slack=slack), tmp_path)
    weights, labels = trees.sample(4, 300, seed=0)
    near, far = unwritten.mine(labels, weights), unwritten.mine(*parted(labels, weights))
    assert near.matroid is not None
    assert saved(far, tmp_path) == saved(near, tmp_path)


def test_thinned_labels_widen_the_cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only a sample of the labels is kept, all of them are held against the cuts in a second pass."""
    rng = np.random.default_rng(0)
    labels, weights = rng.integers(0, 2, (900, 9)), rng.normal(size=(900, 9))
    monkeypatch.setattr(budgets, "KEPT_LABEL_ENTRIES", 1_000)
    far = unwritten.mine(*parted(labels, weights, 128))
    stream = unwritten.mine([(labels, weights)], most_kept=1_000)
    assert saved(far, tmp_path) == saved(stream, tmp_path)
    assert (far.cuts.highest(labels) <= far.cuts.limits(far.variables)).all()


def test_a_lost_worker_costs_its_cuts_again(tmp_path: Path) -> None:
    """kill −9 of the worker that holds some of the cuts, between mining and asking: the same answers."""
    labels, weights = weighted()
    near = unwritten.mine(labels, weights, rules=["pairs"])
    queries = np.random.default_rng(1).normal(size=(4, 6))
    with (
        dask.config.set({"distributed.worker.daemon": False}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        far = unwritten.mine(*parted(labels, weights), rules=["pairs"])
        os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)
        assert told(far.decide(queries, engine="lazy")) == told(near.decide(queries, engine="lazy"))
        assert saved(far, tmp_path) == saved(near, tmp_path)
        late = unwritten.mine(*parted(labels, weights), rules=["pairs"])
    with pytest.raises(SolverError, match="ask while the cluster runs"):
        late.decide(queries, engine="lazy")
    with pytest.raises(SolverError, match="ask while the cluster runs"):
        late.save(tmp_path / "late.rules")
    assert not (tmp_path / "late.rules").exists()


def test_mistakes_are_named() -> None:
    """Weights that do not fit, labels that are not optimal, symmetries (which need all cuts here)."""
    labels, weights = weighted()
    far = parted(labels, weights)
    with pytest.raises(DataError, match="partitions"):
        unwritten.mine(far[0], parted(labels, weights[:100])[1])
    frames = [dd.from_pandas(pd.DataFrame(rows), npartitions=4) for rows in (labels, weights[:296])]
    with pytest.raises(DataError, match=r"there are 75 labels but 74 rows of weights"):
        unwritten.mine(*frames)
    worse = labels.copy()
    worse[211] = labels[211][::-1]
    with pytest.raises(DataError, match="the first is row 211"):
        unwritten.mine(*parted(worse, weights), slack=0)
    with pytest.raises(DataError, match="sense"):
        unwritten.mine(*far, sense="most")
    swapped = [[1, 0, 2, 3, 4, 5]]
    assert isinstance(unwritten.mine(*far, symmetries=swapped).cuts.weights, np.ndarray)
