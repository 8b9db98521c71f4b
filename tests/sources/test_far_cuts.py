"""Cuts that stay in the partitions of a cluster: the same model and answers as with all cuts in memory."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from stream_helpers import predicted, saved, weighted

import unwritten
from unwritten import budgets
from unwritten.errors import DataError, SolverError
from unwritten.samples import trees
from unwritten.sources.dask_cuts import DaskRows

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

PRINT_DIGEST = """
import hashlib, sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import unwritten
from stream_helpers import predicted, saved
labels, weights = predicted(1500, 41)
model = unwritten.mine(labels, weights, rules=["pairs"])
batches = [(labels[k : k + 333], weights[k : k + 333]) for k in range(0, 1500, 333)]
thinned = unwritten.mine(batches, rules=["pairs"], most_kept=10_000)
with tempfile.TemporaryDirectory() as folder:
    print([hashlib.sha256(saved(each, Path(folder))).hexdigest() for each in (model, thinned)])
"""
ENGINES = ["auto", "lazy", "explicit", "monolithic", "best-first"]


def parted(labels: Any, weights: Any, rows: int = 70) -> tuple[Any, Any]:
    """Labels and weights as Dask arrays in different chunks; those of the weights divide the columns too."""
    return da.from_array(labels, chunks=(rows, -1)), da.from_array(weights, chunks=(rows + 20, 4))


def answers(decisions: Any) -> list[tuple[Any, ...]]:
    """Every decision's label, value, bound and status, and whether it is proven."""
    return [(d.label.tolist(), d.value, d.bound, d.status, d.proven) for d in decisions]


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The number of rows that each request fetched from the partitions."""
    counts: list[int] = []
    original = DaskRows.__getitem__

    def counted(self: DaskRows, which: Any) -> Any:
        rows = original(self, which)
        counts.append(len(np.atleast_2d(rows)) if rows.size else 0)
        return rows

    monkeypatch.setattr(DaskRows, "__getitem__", counted)
    return counts


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("slack", ["auto", 0])
def test_the_same_model_and_answers(tmp_path: Path, sense: str, slack: Any, fetched: list[int]) -> None:
    """The file and the answers of every engine are the same; the lazy engine fetches only rows that are broken."""
    labels, weights = weighted()
    weights = weights if sense == "max" else -weights
    options = {"sense": sense, "slack": slack, "rules": ["pairs"]}
    near, far = unwritten.mine(labels, weights, **options), unwritten.mine(*parted(labels, weights), **options)
    assert isinstance(far.cuts.weights, DaskRows)
    queries = np.random.default_rng(1).normal(size=(12, 6))
    wanted = near.decide(queries, engine="lazy")
    assert answers(far.decide(queries, engine="lazy")) == answers(wanted)
    assert 0 < max(fetched) <= 20
    assert sum(fetched) < len(far.cuts) * len(queries) / 4
    for engine in ENGINES:
        decisions = far.decide(queries, engine=engine)
        assert np.array_equal(decisions.labels, near.decide(queries, engine=engine).labels)
        assert decisions.values == pytest.approx(wanted.values)
    assert saved(far, tmp_path) == saved(near, tmp_path)
    assert far == near
    assert isinstance(pickle.loads(pickle.dumps(far)).cuts.weights, np.ndarray)  # noqa: S301


def test_listing_fetches_no_rows(fetched: list[int]) -> None:
    """The explicit engine sends its labels to the partitions and receives verdicts."""
    labels, weights = weighted()
    far = unwritten.mine(*parted(labels, weights), rules=["pairs"])
    far.decide(weights[:5], engine="explicit")
    assert not fetched


def test_frames_slack_and_matroids(tmp_path: Path) -> None:
    """Data frames, empty chunks, given slack, and a matroid that the weights reveal give the same files too."""
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
    """If only a sample of the labels is kept, a second pass tests all labels against the cuts and adds slack."""
    rng = np.random.default_rng(0)
    labels, weights = rng.integers(0, 2, (900, 9)), rng.normal(size=(900, 9))
    monkeypatch.setattr(budgets, "KEPT_LABEL_ENTRIES", 1_000)
    far = unwritten.mine(*parted(labels, weights, 128))
    stream = unwritten.mine([(labels, weights)], most_kept=1_000)
    assert saved(far, tmp_path) == saved(stream, tmp_path)
    assert (far.cuts.highest(labels) <= far.cuts.limits(far.variables)).all()


@pytest.mark.parametrize("sense", ["max", "min"])
def test_chunks_of_any_size_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sense: str) -> None:
    """With slack in every cut, the file has the same bytes in memory, in batches, on disk and on Dask."""
    labels, weights = predicted(500, 23)
    options: dict[str, Any] = {"sense": sense, "rules": ["pairs"]}
    whole = unwritten.mine(labels, weights, **options)
    assert (whole.cuts.slack > 0).mean() > 0.9
    expected = saved(whole, tmp_path)
    for rows in (1, 37, 256, 499):
        batches = [(labels[k : k + rows], weights[k : k + rows]) for k in range(0, len(labels), rows)]
        assert saved(unwritten.mine(batches, **options), tmp_path) == expected
        monkeypatch.setattr(budgets, "CUT_FILE_ENTRIES", 17 * rows)
        disk = unwritten.mine(batches, cuts=tmp_path / "cuts.npy", **options)
        assert saved(disk, tmp_path) == expected
        if rows > 1:
            assert saved(unwritten.mine(*parted(labels, weights, rows), **options), tmp_path) == expected


def test_kernels_and_threads_give_the_same_bytes() -> None:
    """The bytes do not depend on the kernel or the number of threads of BLAS."""
    folder = Path(__file__).parent
    digests = set()
    for settings in (
        {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "2"},
        {"OPENBLAS_NUM_THREADS": "1"},
        {"OPENBLAS_NUM_THREADS": "2"},
    ):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "OPENBLAS_"))}
        command = [sys.executable, "-c", PRINT_DIGEST, str(folder)]
        run = subprocess.run(command, env=inherited | settings, capture_output=True, text=True, check=True)
        digests.add(run.stdout)
    assert len(digests) == 1


def test_a_lost_worker_costs_its_cuts_again(tmp_path: Path) -> None:
    """If a worker that holds cuts is killed after mining, its cuts are made again, and answers are the same."""
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
        assert answers(far.decide(queries, engine="lazy")) == answers(near.decide(queries, engine="lazy"))
        assert saved(far, tmp_path) == saved(near, tmp_path)
        late = unwritten.mine(*parted(labels, weights), rules=["pairs"])
    with pytest.raises(SolverError, match="ask while the cluster runs"):
        late.decide(queries, engine="lazy")
    with pytest.raises(SolverError, match="ask while the cluster runs"):
        late.save(tmp_path / "late.rules")
    assert not (tmp_path / "late.rules").exists()


def test_mistakes_are_named() -> None:
    """Weights that do not match and labels that are not optimal are refused; symmetries bring all cuts into memory."""
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
