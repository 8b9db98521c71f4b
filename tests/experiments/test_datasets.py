"""The loader of the public data sets; tests that need the data are skipped if it is absent."""

import lzma
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from experiments import datasets
from unwritten.errors import DataError
from unwritten.samples import sudoku, trees

needs_data = pytest.mark.skipif(
    not os.environ.get(datasets.VARIABLE), reason=f"set {datasets.VARIABLE} to the directory of the data sets"
)


@needs_data
def test_satnet_puzzles_and_solutions() -> None:
    """There are 10,000 puzzles with 31 to 42 clues, and every solution is valid and keeps the clues."""
    puzzles, solutions = datasets.satnet()
    assert puzzles.shape == solutions.shape == (10_000, 81)
    assert puzzles.dtype == solutions.dtype == np.int64
    assert ((puzzles == 0) | (puzzles == solutions)).all()
    assert (sudoku.one_hot(solutions[:500]) @ sudoku.true_rules().T == 1).all()
    clues = (puzzles > 0).sum(axis=1)
    assert (clues.min(), clues.max()) == (31, 42)
    assert all(len(sudoku.solutions(puzzle)) == 1 for puzzle in puzzles[:20])


@needs_data
def test_mst_labels_are_the_minimum_trees() -> None:
    """The paper's 500 labels are trees of the least total distance."""
    distances, labels = datasets.mst_test()
    assert distances.shape == labels.shape == (500, 21)
    assert trees.is_tree(labels, 7).all()
    assert np.array_equal(trees.best(-distances, 7), labels)


@needs_data
@pytest.mark.parametrize(("split", "n"), [("train", 10_000), ("test", 1006)])
def test_imclef_labels_are_paths(split: str, n: int) -> None:
    """Each image has one class per level, 63 paths in all, and a child's parent is always set."""
    features, labels, names = datasets.imclef(split)
    assert features.shape == (n, 80)
    assert labels.shape == (n, 96)
    assert len(set(names)) == 96
    assert len(np.unique(labels, axis=0)) == 63
    depth = np.array([name.count("/") for name in names])
    for level in range(3):
        assert (labels[:, depth == level].sum(axis=1) == 1).all()
    for child, name in enumerate(names):
        if "/" in name:
            parent = names.index(name.rpartition("/")[0])
            assert (labels[:, child] <= labels[:, parent]).all()


@needs_data
def test_renault_sales_and_folds() -> None:
    """There are 8,252 sales of 44 columns, 939 distinct ones, with 164 values; equal sales share one of ten folds."""
    columns, values, folds = datasets.renault()
    assert values.shape == (8252, 44)
    assert len(set(columns)) == 44
    assert sum(len(np.unique(column)) for column in values.T) == 164
    distinct, which = np.unique(values, axis=0, return_inverse=True)
    assert len(distinct) == 939
    assert folds.dtype == np.int64
    assert np.bincount(folds).tolist() == [830, 825, 825, 825, 825, 825, 825, 825, 826, 821]
    assert len(set(zip(which.ravel().tolist(), folds.tolist(), strict=True))) == 939


@needs_data
def test_unpacked_copies_with_other_line_ends_are_accepted(tmp_path: Path) -> None:
    """A data set that is saved unpacked and with CRLF line endings is accepted."""
    plain = tmp_path / "mst" / "test.txt"
    plain.parent.mkdir()
    packed = datasets.find("mst-test")
    text = lzma.decompress(packed.read_bytes()) if packed.suffix == ".xz" else packed.read_bytes()
    plain.write_bytes(text.replace(b"\n", b"\r\n"))
    assert datasets.find("mst-test", tmp_path) == plain
    assert np.array_equal(datasets.mst_test(tmp_path)[0], datasets.mst_test()[0])


def test_absent_sets_name_their_origin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If a data set is absent, the error says where to get it, where to save it and how to name the directory."""
    monkeypatch.delenv(datasets.VARIABLE, raising=False)
    for name, source in datasets.SOURCES.items():
        with pytest.raises(DataError, match=f"needs a data directory.*github.com.*{datasets.VARIABLE}"):
            datasets.find(name)
        with pytest.raises(DataError, match=f"was not found in .*{source.file}"):
            datasets.find(name, tmp_path)


def test_the_argument_comes_before_the_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A directory in the call comes first; the directory in the variable is used for files that it lacks."""
    file = datasets.SOURCES["satnet"].file
    for place in ("hand", "variable"):
        (tmp_path / place / "sudoku").mkdir(parents=True)
        (tmp_path / place / file).touch()
    monkeypatch.setenv(datasets.VARIABLE, str(tmp_path / "variable"))
    assert datasets.find("satnet", tmp_path / "hand") == tmp_path / "hand" / file
    assert datasets.find("satnet", tmp_path) == tmp_path / "variable" / file


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: b"", "checksum differs"),  # nothing in it
        (lambda: b"no xz at all", "cannot be read"),  # not packed
        (lambda: lzma.compress(b"1,2\n"), "checksum differs"),  # another content
        (lambda: lzma.compress(bytes(2**27), preset=0), "checksum differs"),  # a bomb is cut off
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, content: Callable[[], bytes], message: str) -> None:
    """A file with other content is refused, and the error says where to get the right one."""
    path = tmp_path / datasets.SOURCES["satnet"].file
    path.parent.mkdir()
    path.write_bytes(content())
    with pytest.raises(DataError, match=f"{message}.*get it again from"):
        datasets.satnet(tmp_path)


def test_unknown_names_are_refused() -> None:
    """An unknown data set or split is refused, and the error lists the known ones."""
    with pytest.raises(DataError, match="satnet, mst-test"):
        datasets.find("mnist")
    with pytest.raises(DataError, match="'train' or 'test'"):
        datasets.imclef("valid")
