"""`unwritten.mine` finds the same rules in every kind of input, and refuses bad input with a cure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from pyarrow import feather

import unwritten
from unwritten.errors import DataError


def cars(n: int = 300) -> pd.DataFrame:
    """Cars whose trim determines the roof, and whose seats and cargo add up to nine."""
    rng = np.random.default_rng(0)
    trim = rng.choice(["base", "lux", "sport"], n)
    roof = np.where(trim == "sport", "glass", rng.choice(["glass", "steel"], n))
    seats = rng.integers(2, 7, n)
    return pd.DataFrame({"trim": trim, "roof": roof, "seats": seats, "cargo": 9 - seats})


CARS = cars()
LABELS = np.eye(4, dtype=np.int64)[np.random.default_rng(1).integers(0, 4, 300)]
NAMES = list("abcd")

TABLES: dict[str, Callable[[Path], Any]] = {
    "a pandas frame": lambda _: CARS,
    "a polars frame": lambda _: pl.from_pandas(CARS),
    "a lazy polars frame": lambda _: pl.from_pandas(CARS).lazy(),
    "an Arrow table": lambda _: pa.Table.from_pandas(CARS),
    "a Table": lambda _: unwritten.Table.of(CARS),
    "a list of frames": lambda _: [CARS[:100], CARS[100:]],
    "a generator of frames": lambda _: (CARS[k : k + 70] for k in range(0, 300, 70)),
    "a function of frames": lambda _: lambda: iter([pl.from_pandas(CARS[:9]), pl.from_pandas(CARS[9:])]),
    "a CSV file": lambda folder: _written(folder / "cars.csv", lambda path: CARS.to_csv(path, index=False)),
    "an open CSV file": lambda folder: _written(folder / "c.csv", lambda path: CARS.to_csv(path, index=False)).open(
        "rb"
    ),
    "a pandas reader": lambda folder: pd.read_csv(
        _written(folder / "cars.csv", lambda path: CARS.to_csv(path, index=False)), chunksize=70
    ),
    "a CSV file by its name": lambda folder: str(
        _written(folder / "cars.csv", lambda path: CARS.to_csv(path, index=False))
    ),
    "a Parquet file": lambda folder: _written(
        folder / "cars.parquet", lambda path: pq.write_table(pa.Table.from_pandas(CARS), path)
    ),
    "an Arrow file": lambda folder: _written(
        folder / "cars.arrow", lambda path: feather.write_feather(CARS, path, compression="uncompressed")
    ),
}


def _written(path: Path, write: Callable[[Path], object]) -> Path:
    write(path)
    return path


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table_gives_the_same_sentences(kind: str, tmp_path: Path) -> None:
    """The rules of a table do not depend on how it is handed over."""
    model = unwritten.mine(TABLES[kind](tmp_path))
    assert str(model.rules).splitlines() == ["seats + cargo = 9", "trim = sport requires roof = glass"]
    assert model.examples == 300


LABEL_KINDS: dict[str, Callable[[], Any]] = {
    "an array": lambda: LABELS,
    "a list of lists": LABELS.tolist,
    "a list of tuples": lambda: [tuple(row) for row in LABELS.tolist()],
    "a list of rows": lambda: list(LABELS),
    "booleans": lambda: LABELS.astype(bool),
    "a sparse matrix": lambda: sp.csr_array(LABELS),
    "a pandas frame of integers": lambda: pd.DataFrame(LABELS),
    "a polars frame of integers": lambda: pl.DataFrame(LABELS),
    "a list of arrays": lambda: [LABELS[:20], LABELS[20:]],
    "a list of sparse matrices": lambda: [sp.csr_array(LABELS[:20]), sp.csr_array(LABELS[20:])],
    "nested lists of batches": lambda: [LABELS[:20].tolist(), LABELS[20:].tolist()],
    "an iterator": lambda: iter([LABELS[:20], LABELS[20:]]),
    "a function": lambda: lambda: [LABELS[:20], LABELS[20:]],
}


@pytest.mark.parametrize("kind", LABEL_KINDS)
def test_every_kind_of_labels_gives_the_same_rules(kind: str) -> None:
    """The rules of labels do not depend on how they are handed over."""
    model = unwritten.mine(LABEL_KINDS[kind](), names=NAMES)
    assert str(model.rules) == "exactly one of a, b, c, d"
    assert model.examples == 300


def test_dask_collections_are_labels() -> None:
    """A Dask array is read as labels."""
    da = pytest.importorskip("dask.array")
    assert str(unwritten.mine(da.from_array(LABELS, chunks=(20, 4)), names=NAMES).rules) == "exactly one of a, b, c, d"


def failing() -> Iterator[Any]:
    """Yield two batches, then raise."""
    yield LABELS[:20]
    yield LABELS[20:40]
    raise OSError("the disk is gone")


BAD: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a frame of objects": (lambda _: pd.DataFrame({"a": [[1], [2]]}), "column 'a' holds .*: leave it out with types="),
    "a folder": (lambda folder: folder, "it is a folder, give the path of one file"),
    "no such file": (lambda folder: folder / "none.csv", "it does not exist, check the path"),
    "a generator that fails midway": (
        lambda _: failing(),
        r"failed after 2 of them \(OSError: the disk is gone\): correct the code that yields them",
    ),
    "batches of other widths": (lambda _: [LABELS, LABELS[:, :3]], "batch 1: labels have 3 columns .*: give the same"),
    "frames, then an array": (lambda _: [CARS, LABELS], "batch 1 is of type ndarray .*: give data frames"),
    "frames with other columns": (lambda _: [CARS, CARS[["trim"]]], "batch 1 has other columns .*: give the same"),
    "an array, then text": (lambda _: [LABELS, CARS], "batch 1: labels have text"),
    "nothing": (lambda _: [], "labels are empty: give at least one example"),
    "a number": (lambda _: 7, "labels are of type int: give"),
    "a dictionary": (lambda _: {"a": [1]}, "labels are of type dict: give"),
    "an empty file": (lambda folder: _written(folder / "e.csv", lambda path: path.write_text("")), "e.csv"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_gets_one_sentence_with_the_cure(kind: str, tmp_path: Path) -> None:
    """Every kind of bad input raises a DataError that says what is wrong and, after a colon, what to do."""
    make, message = BAD[kind]
    with pytest.raises(DataError, match=message) as caught:
        unwritten.mine(make(tmp_path))
    assert "\n" not in str(caught.value)


def test_types_decide_about_columns() -> None:
    """`types=` sets the types of columns, and makes a frame of integers a table."""
    numbers = CARS[["seats", "cargo"]]
    assert unwritten.mine(numbers).schema is None
    assert unwritten.mine(numbers, types={"seats": "integer", "cargo": "integer"}).schema is not None
    with pytest.raises(DataError, match="types describe the columns of a table"):
        unwritten.mine(LABELS, types={"a": "skip"})
