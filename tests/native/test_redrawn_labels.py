"""Labels drawn anew in blocks are those that a plain loop draws, and no row comes to lie where it may not."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.native import kernels

MASK = 2**32 - 1
GOLDEN = 0x9E3779B9


def hashed(x: int) -> int:
    """The random numbers of the kernel."""
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = ((x ^ (x >> shift)) * factor) & MASK
    return x ^ (x >> 16)


def plainly(case: dict[str, IntArray], sweeps: int, seed: int) -> IntArray:
    """The same labels, drawn one by one."""
    drawn = case["labels"].copy()
    units = []
    used = 0
    for k, start in enumerate(case["starts"][:-1]):
        columns = case["columns"][start : case["starts"][k + 1]]
        ends = case["ends"][case["places"][k] : case["places"][k + 1]]
        size = len(columns) * len(ends)
        units.append((columns, ends, case["values"][used : used + size].reshape(len(ends), -1)))
        used += size
    for i, label in enumerate(drawn):
        stream, turn = hashed((i + hashed((seed + GOLDEN) & MASK)) & MASK), 0
        for columns, ends, values in units * sweeps:
            turn = (turn + GOLDEN) & MASK
            luck = hashed((stream + turn) & MASK) >> 2
            proposed = label.copy()
            proposed[columns] = values[min(int((luck >= ends).sum()), len(ends) - 1)]
            about = (case["rows"][:, columns] != 0).any(axis=1)
            sums = case["rows"][about] @ proposed
            if not ((sums >= case["low"][about]) & (sums <= case["high"][about])).any():
                label[:] = proposed
    return drawn


def case(seed: int, scale: int) -> dict[str, IntArray]:
    """Labels of a one-hot block, an integer, two 0/1 columns and one that is not drawn, under two rows."""
    rng = np.random.default_rng(seed)
    labels = np.column_stack(
        [np.eye(3, dtype=np.int64)[rng.integers(3, size=700)], rng.integers(2, 6, 700), rng.integers(0, 2, (700, 3))]
    )
    rows = rng.integers(-3, 4, (2, 7)) * scale
    sums = labels @ rows.T
    ends = [np.rint(np.cumsum(rng.dirichlet(np.ones(size))) * 2**30).astype(np.int64) for size in (3, 4, 2, 2)]
    values = [np.eye(3, dtype=np.int64), np.arange(2, 6), np.arange(2), np.arange(2)]
    return {
        "labels": labels,
        "columns": np.arange(6),
        "starts": np.array([0, 3, 4, 5, 6]),
        "ends": np.concatenate(ends),
        "places": np.array([0, 3, 7, 9, 11]),
        "values": np.concatenate([each.ravel() for each in values]),
        "rows": rows,
        "low": np.array([sums[:, 0].max() + 1, np.median(sums[:, 1]).astype(np.int64) - scale]),
        "high": np.array([np.iinfo(np.int64).max, np.median(sums[:, 1]).astype(np.int64) + scale]),
    }


@pytest.mark.parametrize("scale", [1, 10**8])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_as_plain_loop(seed: int, scale: int) -> None:
    """Sums of 32 and of 64 bits, blocks of labels that are not full, upper rows and gaps."""
    given = case(seed, scale)
    expected = plainly(given, 2, seed)
    labels, counts = kernels.redrawn_labels(**given, sweeps=2, seed=seed)
    assert np.array_equal(labels, expected)
    assert (labels != given["labels"]).any(axis=0)[:6].all()  # every unit was drawn
    assert np.array_equal(counts[:3], expected[:, :3].sum(axis=0))
    assert np.array_equal(counts[3:7], np.bincount(expected[:, 3] - 2, minlength=4))


@pytest.mark.parametrize("wrong", ["columns", "starts", "ends", "values", "rows", "low", "labels"])
def test_wrong_arrays(wrong: str) -> None:
    """Arrays that do not fit together raise a ValueError before anything is drawn."""
    given = case(0, 1)
    if wrong == "columns":
        given["columns"] = given["columns"] + 2
    elif wrong == "labels":
        given["labels"] = given["labels"] + 7
    elif wrong == "rows":
        given["rows"] = np.ascontiguousarray(given["rows"][:, 1:])
    else:
        given[wrong] = given[wrong][:-1]
    with pytest.raises(ValueError, match=r"shapes|column|unit"):
        kernels.redrawn_labels(**given, sweeps=2, seed=0)
