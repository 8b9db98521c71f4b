"""Products with the same bits everywhere: the order of the sums is fixed, and nothing else may decide them."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unwritten.data import FloatArray, IntArray, products

PRINT_DIGEST = """
import hashlib, numpy as np
from unwritten.data.products import box_values, highest_values, reach_values, row_values
rng = np.random.default_rng(0)
weights, labels = rng.normal(size=(700, 57)), rng.integers(-1, 3, (700, 57))
values = [
    row_values(weights, labels),
    highest_values(weights, labels),
    reach_values(weights, labels[0] ** 2),
    box_values(weights, labels.min(axis=0), labels.max(axis=0)),
]
print(hashlib.sha256(b"".join(part.tobytes() for part in values)).hexdigest())
"""


def in_order(row: FloatArray, label: IntArray) -> float:
    """The sum of a row, one term after the other, in plain Python."""
    total = 0.0
    for weight, entry in zip(row.tolist(), label.tolist(), strict=True):
        total += weight * entry
    return total


def random_case(seed: int) -> tuple[FloatArray, IntArray]:
    """Weights of very different sizes, with zeros of both signs and ties, and a label for each row."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 90), rng.integers(1, 40)
    weights = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-9, 9, (n, d) if seed % 2 else 1)
    weights[rng.random((n, d)) < rng.choice([0.0, 0.3, 0.9])] = rng.choice([0.0, -0.0])
    if seed % 5 == 0:
        weights = np.rint(weights)
    if seed % 7 == 0:
        weights[:, d // 2 :] = 0.1  # sums of 0.1 tie, and their last bits depend on the order
    return weights, rng.integers(-(seed % 3), 3, (n, d))


@given(st.integers(0, 2**32 - 1))
def test_sums_are_those_of_a_plain_loop(seed: int) -> None:
    """Values of rows, of the box and of the reach have the bits of a loop over the columns; no zero has a sign."""
    weights, labels = random_case(seed)
    lower, upper = labels.min(axis=0), labels.max(axis=0)
    found = products.row_values(weights, labels)
    assert found.tobytes() == np.array([in_order(*pair) + 0.0 for pair in zip(weights, labels, strict=True)]).tobytes()
    best = np.where(weights > 0, upper, lower)
    assert np.array_equal(products.box_values(weights, lower, upper), products.row_values(weights, best))
    reach = np.abs(labels).max(axis=0)
    assert np.array_equal(products.reach_values(weights, reach), [in_order(np.abs(row), reach) for row in weights])
    places = np.arange(0, len(weights), 2)
    expected = products.row_values(weights[::2], np.broadcast_to(labels[0], weights[::2].shape))
    assert np.array_equal(products.values_of_label(weights, places, labels[0]), expected)


@given(st.integers(0, 2**32 - 1))
def test_the_highest_value_is_the_maximum_of_fixed_order_sums(seed: int) -> None:
    """It has the bits of a double loop, with a floor too, however many labels tie."""
    weights, labels = random_case(seed)
    truth = np.array([max(in_order(row, label) for label in labels) for row in weights]) + 0.0
    assert products.highest_values(weights, labels).tobytes() == truth.tobytes()
    floor = np.where(np.arange(len(truth)) % 2, truth, np.median(truth))
    assert np.array_equal(products.highest_values(weights, labels, floor), np.maximum(truth, floor))
    assert (products.highest_values(weights, labels[:0]) == -np.inf).all()


@given(st.integers(0, 2**32 - 1))
def test_a_product_that_rounds_otherwise_gives_the_same_highest_values(seed: int) -> None:
    """Random errors as large as rounding allows are added to the matrix product, and change no bit of the result."""
    weights, labels = random_case(seed)
    truth = products.highest_values(weights, labels)
    rng = np.random.default_rng(seed)
    original = products._segment_tops

    def shaken(points: FloatArray, columns: FloatArray) -> FloatArray:
        tops, sizes = original(points, columns), np.abs(points).max(axis=0) @ np.abs(columns)
        return tops + rng.uniform(-0.5, 0.5, tops.shape) * len(columns) * products.EPSILON * sizes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "_segment_tops", shaken)
        patch.setattr(products, "_sums_exactly", lambda columns, sizes: np.zeros(len(sizes), bool))
        assert products.highest_values(weights, labels).tobytes() == truth.tobytes()


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bits in blocks of any size, and row by row."""
    rng = np.random.default_rng(1)
    weights, labels = rng.normal(size=(130, 23)), rng.integers(0, 2, (130, 23))
    values, highest = products.row_values(weights, labels), products.highest_values(weights, labels)
    for name, size in (("SUM_ENTRIES", 1), ("TILE_ROWS", 7), ("TILE_LABELS", 16), ("TILE_PAIRS", 5)):
        monkeypatch.setattr(products, name, size)
        assert products.row_values(weights, labels).tobytes() == values.tobytes()
        assert products.highest_values(weights, labels).tobytes() == highest.tobytes()
    assert [products.highest_values(row[None], labels)[0] for row in weights] == highest.tolist()
    assert products.row_values(np.asfortranarray(weights), labels.astype(np.int8)).tobytes() == values.tobytes()


def test_sums_that_need_no_rounding_are_recognised() -> None:
    """Whole numbers and floats of 32 bits are exact in any order; 0.1 and 1e9 together are not."""
    rows = np.array([[3.0, -5.0], [0.5, 0.25], [np.float32(0.1), 8.0], [0.1, 1e9], [0.1, 0.3]])
    found = products._sums_exactly(rows.T, np.abs(rows).sum(axis=1))
    assert found.tolist() == [True, True, True, False, False]


def test_the_same_bits_for_every_kernel_and_number_of_threads() -> None:
    """In processes of their own: BLAS's oldest kernel and its own choice, on one thread and on two."""
    digests = set()
    for settings in ({"OPENBLAS_CORETYPE": "Prescott"}, {"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "2"}):
        inherited = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        run = subprocess.run(
            [sys.executable, "-c", PRINT_DIGEST], env=inherited | settings, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1
