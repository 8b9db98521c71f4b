"""Cuts in a file: the same cuts and decisions as in memory, also in other processes; the file is never read whole."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stream_helpers import saved, weighted

import unwritten
from unwritten import budgets
from unwritten.errors import DataError


def _batches(n: int = 300, d: int = 6, size: int = 37) -> list[tuple[Any, Any]]:
    labels, weights = weighted(n, d)
    return [(labels[k : k + size], weights[k : k + size]) for k in range(0, n, size)]


def _both(tmp_path: Path, batches: list[tuple[Any, Any]], **options: Any) -> tuple[unwritten.Model, unwritten.Model]:
    at = tmp_path / "cuts.npy"
    return unwritten.mine(batches, **options), unwritten.mine(batches, cuts=at, **options)


@pytest.mark.parametrize(
    "options", [{}, {"rules": []}, {"sense": "min"}, {"slack": 1.0}, {"slack": np.linspace(0, 1, 300)}]
)
def test_the_same_cuts_and_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """The saved model has the bytes of one with cuts in memory and holds the cuts; all engines give the same values."""
    monkeypatch.setattr(budgets, "CUT_FILE_ENTRIES", 100)
    monkeypatch.setattr(budgets, "CUT_BLOCK_ENTRIES", 500)
    memory, disk = _both(tmp_path, _batches(), **options)
    assert isinstance(disk.cuts.weights, np.memmap)
    assert not list(tmp_path.glob(".*"))
    assert disk == memory
    assert saved(disk, tmp_path) == saved(memory, tmp_path)
    queries = np.random.default_rng(5).normal(size=(12, 6))
    disk = replace(disk, forecast=None)  # so that auto answers by the rules, as the other engines do
    whole = memory.decide(queries, engine="best-first")
    for settings in ({}, {"n_jobs": 3}, {"engine": "lazy"}, {"engine": "best-first"}, {"engine": "monolithic"}):
        decisions = disk.decide(queries, **settings)  # type: ignore[arg-type]
        assert np.allclose(decisions.values, whole.values)
    assert np.array_equal(disk.decide(queries, proof="data").proof, memory.decide(queries, proof="data").proof)
    disk.save(tmp_path / "model.rules")
    (tmp_path / "cuts.npy").unlink()
    loaded = unwritten.load(tmp_path / "model.rules")
    assert np.allclose(loaded.decide(queries).values, whole.values)


def test_auto_is_lazy_for_files(tmp_path: Path) -> None:
    """engine="auto" chooses lazy, which streams over the file, where it chooses best-first for cuts in memory."""
    memory, disk = _both(tmp_path, _batches(300, 24), rules=[])
    queries = np.random.default_rng(5).normal(size=(3, 24))
    there, here = disk.decide(queries), memory.decide(queries)
    assert all(name.startswith("lazy") for name in there.engine)
    assert set(here.engine) == {"best-first"}
    assert np.allclose(there.values, here.values)


def test_the_file_is_never_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Making cuts, computing their limits and finding broken ones takes a third of the memory of all weights."""
    n, d = 20_000, 60
    monkeypatch.setattr(budgets, "CUT_BLOCK_ENTRIES", 1 << 16)
    monkeypatch.setattr(budgets, "CUT_FILE_ENTRIES", 1 << 15)
    monkeypatch.setattr(budgets, "SET_EXAMPLES", 500)
    labels = np.eye(d, dtype=np.uint8)
    rng = np.random.default_rng(0)

    def batches() -> Any:
        for _ in range(0, n, 500):
            weights = rng.normal(size=(500, d))
            yield labels[weights.argmax(axis=1)], weights

    small = iter([weighted()])  # so that imports are not counted
    unwritten.mine(small, rules=[], cuts=tmp_path / "small.npy").decide(np.ones((1, 6)), engine="lazy")
    tracemalloc.start()
    try:
        model = unwritten.mine(batches(), rules=[], cuts=tmp_path / "cuts.npy")
        assert len(model.cuts) == n
        label = np.eye(d, dtype=np.int64)[:2].sum(axis=0)
        assert model._desk.program.broken_cuts(label).size
        model.decide(rng.normal(size=(1, d)), engine="lazy", time_limit=0.5)
        assert tracemalloc.get_traced_memory()[1] < n * d * 8 / 3
    finally:
        tracemalloc.stop()


def test_copies_map_the_same_file(tmp_path: Path) -> None:
    """A pickled model is small and maps the file in another process; a missing or different file is an error."""
    memory, disk = _both(tmp_path, _batches(1_000), rules=[])
    packed = pickle.dumps(disk)
    assert len(packed) < disk.cuts.weights.nbytes
    for twin in (pickle.loads(packed), copy.deepcopy(disk)):  # noqa: S301
        assert isinstance(twin.cuts.weights, np.memmap)
        assert twin == disk
    (tmp_path / "model").write_bytes(packed)
    code = "import pickle, sys; print(len(pickle.load(open(sys.argv[1], 'rb')).predict([[1.0] * 6])[0]))"
    run = [sys.executable, "-c", code, str(tmp_path / "model")]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout.split() == ["6"]
    np.save(tmp_path / "cuts.npy", np.zeros((3, 6)))
    with pytest.raises(DataError, match="another model"):
        pickle.loads(packed)  # noqa: S301
    (tmp_path / "cuts.npy").unlink()
    with pytest.raises(DataError, match="cannot be read here"):
        pickle.loads(packed)  # noqa: S301
    assert saved(pickle.loads(pickle.dumps(memory)), tmp_path) == saved(memory, tmp_path)  # noqa: S301


def test_what_cannot_be_on_disk_is_refused(tmp_path: Path) -> None:
    """Symmetries, an existing file of another kind and too little slack are errors that name the cure."""
    at = tmp_path / "cuts.npy"
    with pytest.raises(DataError, match="cuts='memory'"):
        unwritten.mine(_batches(), cuts=at, symmetries=[[1, 0, 2, 3, 4, 5]])
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match=r"not a \.npy file"):
        unwritten.mine(_batches(), cuts=tmp_path / "notes.txt")
    labels, weights = weighted()
    with pytest.raises(DataError, match="not optimal"):
        unwritten.mine([(labels, -weights)], cuts=at, slack=0)
    assert not list(tmp_path.glob(".*"))  # temporary files stay only if a checkpoint needs them
    assert len(unwritten.mine([([[1, 1], [1, 1]], [[1.0, 2.0], [0.5, 1.0]])], cuts=at, rules=[]).cuts) == 0
