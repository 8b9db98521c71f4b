"""Dask: threads, processes and a cluster that loses a worker all give the bytes of one array."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from stream_helpers import examples, odd_chunks, saved, sets, weighted

import unwritten
from unwritten import budgets
from unwritten.errors import DataError, MissingPackageError

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

PARTS = 6
POLL = 0.02  # seconds between two looks for a condition
HANG_POLLS = 15_000  # looks after which a wait counts as hung


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes of one thread each."""
    with (
        dask.config.set({"distributed.worker.daemon": False}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as found,
    ):
        yield found


def test_one_model_four_ways(tmp_path: Path, cluster: Any) -> None:
    """In memory, in odd chunks, on Dask threads and on Dask processes, the model's file has the same bytes."""
    labels = examples()
    parts = da.from_array(labels, chunks=(71, 5))
    files = [saved(unwritten.mine(labels), tmp_path), saved(unwritten.mine(odd_chunks(labels)), tmp_path)]
    with dask.config.set(scheduler="threads"):
        files.append(saved(unwritten.mine(parts), tmp_path))
    with distributed.Client(cluster, set_as_default=True):
        files.append(saved(unwritten.mine(parts), tmp_path))
    assert len(set(files)) == 1


def test_frames_and_files(tmp_path: Path) -> None:
    """Data frames with empty partitions and lists of Parquet files give the model of the whole frame."""
    frame = pd.DataFrame(examples(), columns=[f"c{j}" for j in range(12)])
    whole = saved(unwritten.mine(frame, confidence=0.9), tmp_path)
    parts = dd.from_pandas(frame, npartitions=PARTS)
    assert saved(unwritten.mine(parts, confidence=0.9), tmp_path) == whole
    some = parts[parts["c0"] + parts["c1"] >= 0]
    assert saved(unwritten.mine(some, confidence=0.9), tmp_path) == whole
    paths = []
    for k, rows in enumerate([slice(0, 100), slice(100, 100), slice(100, None)]):
        paths.append(tmp_path / f"{k}.parquet")
        frame.iloc[rows].to_parquet(paths[-1])
    assert saved(unwritten.mine(paths, confidence=0.9), tmp_path) == whole
    assert saved(unwritten.mine([str(path) for path in paths], confidence=0.9), tmp_path) == whole


def test_weights_are_brought_together(tmp_path: Path) -> None:
    """With weights, partitions are loaded into this process, because cuts need all labels and all weights."""
    labels, weights = weighted()
    whole = saved(unwritten.mine(labels, weights), tmp_path)
    parts = da.from_array(labels, chunks=(50, 6))
    assert saved(unwritten.mine(parts, da.from_array(weights, chunks=(70, 6))), tmp_path) == whole
    assert saved(unwritten.mine(parts, weights), tmp_path) == whole
    assert saved(unwritten.mine(parts, noise=0.01), tmp_path) == saved(unwritten.mine(labels, noise=0.01), tmp_path)


def test_thinned_partitions_are_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If only a sample of the labels is kept, partitions are read again, and the model equals that of the stream."""
    monkeypatch.setattr(budgets, "KEPT_LABEL_ENTRIES", 18_000)
    labels = sets()
    model = unwritten.mine(da.from_array(labels, chunks=(997, -1)))
    assert "at least one of y6, y7, y8" in {rule.text for rule in model.rules}
    assert model.total == len(labels)
    assert saved(model, tmp_path) == saved(unwritten.mine([labels], most_kept=18_000), tmp_path)


def _has_begun(folder: str | Path, process: int) -> bool:
    """True if a process has begun to read a partition."""
    return any(path.name.endswith(f"-{process}") for path in Path(folder).iterdir())


def _partition(k: int, folder: str, victim: int) -> Any:
    """A partition that records each attempt; the victim waits to be killed, and the others wait for the victim."""
    Path(folder, f"{k}-{os.getpid()}").touch()
    for _ in range(HANG_POLLS):
        if os.getpid() != victim and _has_begun(folder, victim):
            break
        time.sleep(POLL)
    return np.array_split(examples(), PARTS)[k]


def test_a_lost_worker_costs_a_retry(tmp_path: Path, cluster: Any) -> None:
    """If one of two workers is killed, its partitions are read again, and the bytes are the same."""
    traces = tmp_path / "traces"
    traces.mkdir()
    sizes = [len(part) for part in np.array_split(examples(), PARTS)]
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        victim = min(client.run(os.getpid).values())
        partitions = [dask.delayed(_partition)(k, str(traces), victim) for k in range(PARTS)]
        parts = da.concatenate(
            [da.from_delayed(part, (size, 12), np.int64) for part, size in zip(partitions, sizes, strict=True)]
        )

        def kill() -> None:
            for _ in range(HANG_POLLS):
                if _has_begun(traces, victim):
                    break
                time.sleep(POLL)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        model = unwritten.mine(parts)
        killer.join()
    assert saved(model, tmp_path) == saved(unwritten.mine(examples()), tmp_path)
    assert len(list(traces.iterdir())) > PARTS


BAD = [
    (lambda: da.from_array(np.array([[0.5, 1.0]] * 4), chunks=2), "partition [01]: .*0.5"),  # a fraction
    (lambda: da.from_array(np.array([1, 2, 3]), chunks=2), "two dimensions"),  # a row
    (lambda: dask.delayed([[1, 0]]), "array or data frame"),  # not a collection of rows
    (lambda: dd.from_pandas(pd.DataFrame({"a": ["x", "y"]}), npartitions=1), "partition 0: .*text"),
    (lambda: da.zeros((0, 3), dtype=int), "empty"),
    (lambda: ["no-such.parquet"], "no-such.parquet"),
]


@pytest.mark.parametrize(("labels", "message"), BAD)
def test_bad_partitions_are_named(labels: Any, message: str) -> None:
    """An error about a bad partition says what is wrong and in which partition."""
    with pytest.raises(DataError, match=message):
        unwritten.mine(labels())


def test_partitions_must_be_alike(tmp_path: Path) -> None:
    """Files with other columns are refused, and so are files with weights."""
    pd.DataFrame({"a": [1, 0], "b": [0, 1]}).to_parquet(tmp_path / "a.parquet")
    pd.DataFrame({"a": [1, 0], "c": [0, 1]}).to_parquet(tmp_path / "b.parquet")
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    with pytest.raises(DataError, match="same columns"):
        unwritten.mine(paths)
    with pytest.raises(DataError, match="or give batches"):
        unwritten.mine(paths, np.zeros((4, 2)))


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Dask, the error about a list of files names the extra to install."""
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(MissingPackageError, match=r"unwritten\[dask\]"):
        unwritten.mine(["a.parquet"])
