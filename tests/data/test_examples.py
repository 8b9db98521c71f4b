"""Examples: checked labels and weights, the same from every container."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import unwritten
from unwritten import Examples, Variables
from unwritten.data import among, distinct
from unwritten.errors import DataError

LABELS = np.array([[1, 0, 2], [0, 1, 2]])
WEIGHTS = np.array([[0.5, -1.0, 2.0], [0.0, 3.0, 1.0]])


def same(left: Examples, right: Examples) -> bool:
    """Equal variables, labels, weights and sense."""
    return (
        left.variables == right.variables
        and np.array_equal(left.labels, right.labels)
        and np.array_equal(left.weights, right.weights)
        and left.sense == right.sense
    )


@pytest.mark.parametrize(
    "wrap",
    [
        np.array,
        np.asfortranarray,
        lambda x: x.tolist(),
        sparse.csr_matrix,
        sparse.coo_array,
        lambda x: pd.DataFrame(x, columns=["a", "b", "c"]),
        lambda x: pl.DataFrame(x, schema=["a", "b", "c"]),
        lambda x: pa.table(dict(zip("abc", x.T, strict=True))),
    ],
    ids=["numpy", "fortran", "lists", "csr_matrix", "coo_array", "pandas", "polars", "pyarrow"],
)
def test_every_container_gives_the_same_examples(wrap: Any) -> None:
    """Labels and weights in any container make equal examples, with names given or read off a frame."""
    expected = Examples.of(LABELS, WEIGHTS, sense="min", names="abc")
    assert same(Examples.of(wrap(LABELS), wrap(WEIGHTS), sense="min", names="abc"), expected)
    frame = wrap(LABELS)
    if isinstance(frame, pd.DataFrame | pl.DataFrame | pa.Table):
        assert same(Examples.of(frame, wrap(WEIGHTS), sense="min"), expected)


def test_the_users_arrays_are_neither_frozen_nor_changed() -> None:
    """After a whole run of mining, checking and deciding, the arrays that were given are writable and as before."""
    labels, weights = np.eye(3, dtype=np.int64), np.eye(3) + 0.5
    bounds = (np.zeros(3, np.int64), np.ones(3, np.int64))
    slack, row = np.zeros(3), np.ones(3, np.int64)
    given = (labels, weights, *bounds, slack, row)
    before = [array.copy() for array in given]
    model = unwritten.mine(labels, weights, bounds=bounds, slack=slack, prior=[(row, "<=", 1)])
    model.check(labels)
    model.decide(weights)
    model.rules.violations(labels)
    for array, copy in zip(given, before, strict=True):
        assert array.flags.writeable
        assert np.array_equal(array, copy)


def test_what_was_read_is_frozen() -> None:
    """The labels and weights of examples are read-only, so nobody can change what a model was mined from."""
    examples = Examples.of(LABELS, WEIGHTS)
    for array in (examples.labels, examples.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_int8_labels_do_not_overflow() -> None:
    """Sums and squares of narrow types are exact: 100 + 100 and 127² · n are far beyond int8."""
    labels = np.array([[100, 27, 127]] * 900 + [[27, 100, 127]] * 900, np.int8)
    rules = unwritten.mine(labels).rules
    assert rules.implies([1, 1, 0], 127, "==")
    assert rules.implies([0, 0, 1], 127, "==")
    assert rules.rank == 2


def test_declared_variables_are_kept() -> None:
    """Given variables bring their names and bounds, and labels are checked against them."""
    variables = Variables.named("abc", 0, 5)
    assert Examples.of(LABELS, variables=variables).variables is variables
    assert len(Examples.of(LABELS)) == 2


BAD: dict[str, tuple[dict[str, Any], str]] = {
    # what it is: (arguments, part of the message)
    "no examples": ({"labels": np.zeros((0, 3))}, "labels are empty: give at least one example"),
    "no examples in a frame": ({"labels": pd.DataFrame({"a": []})}, "labels are empty: give at least one example"),
    "no examples, objects": ({"labels": np.zeros((0, 3), object)}, "labels are empty: give at least one example"),
    "an unknown sense": ({"sense": "maximise"}, "sense is 'maximise': use 'max' or 'min'"),
    "no sense": ({"sense": None}, "sense is None: use 'max' or 'min'"),
    "weights of the wrong width": ({"weights": [[1, 2]] * 2}, "weights have 2 columns but there are 3 variables"),
    "too few weights": ({"weights": WEIGHTS[:1]}, "2 labels but 1 rows of weights: give one row of weights per label"),
    "too many weights": ({"weights": [[1, 2, 3]] * 3}, "2 labels but 3 rows of weights: give one row of weights"),
    "one row of weights": ({"weights": [1, 2, 3]}, "weights have 1 dimension .* give a table"),
    "NaN weights": ({"weights": WEIGHTS * np.nan}, "weights hold nan at row 0, column 0: replace or drop"),
    "labels outside declared bounds": (
        {"variables": Variables.named("abc")},
        r"label 0 has c = 2, outside its bounds 0\.\.1: widen the bounds or drop the row",
    ),
    "more variables than columns": (
        {"variables": Variables.named("abcd")},
        "labels have 3 columns but 4 variables were declared: give one column per variable",
    ),
    "weights in another order": (
        {
            "labels": pd.DataFrame(LABELS, columns=["a", "b", "c"]),
            "weights": pd.DataFrame(WEIGHTS, columns=["c", "a", "b"]),
        },
        "weights have the right columns in another order: give them as a, b, c",
    ),
    "labels in another order": (
        {"labels": pd.DataFrame(LABELS, columns=["c", "a", "b"]), "variables": Variables.named("abc", 0, 5)},
        "labels have the right columns in another order: give them as a, b, c",
    ),
    "examples with other weights": (
        {"labels": Examples.of(LABELS), "weights": WEIGHTS},
        "carry their own weights, names and bounds: give those to Examples.of",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_examples(case: str) -> None:
    """Bad arguments are refused with the cure, as a DataError that is also a ValueError."""
    arguments, cure = BAD[case]
    with pytest.raises(DataError, match=cure) as raised:
        Examples.of(**{"labels": LABELS, **arguments})
    assert isinstance(raised.value, ValueError)


def test_repr_says_what_there_is() -> None:
    """The repr gives the numbers of labels and variables, and says whether there are weights."""
    assert repr(Examples.of(LABELS)) == "Examples(2 labels of 3 variables, no weights)"
    assert repr(Examples.of(LABELS, WEIGHTS)) == "Examples(2 labels of 3 variables, with weights to max)"


@given(st.sampled_from([(0, 1), (-2, 2), (-(2**31) + 1, 2**31 - 1)]), st.data())
def test_distinct_rows_in_order_with_counts(span: tuple[int, int], data: st.DataObject) -> None:
    """Distinct labels come in lexicographic order with their counts, for 0/1, negative and large values alike."""
    entries = st.sampled_from([span[0], 0, span[1]])
    labels = data.draw(arrays(np.int64, st.tuples(st.integers(1, 8), st.integers(1, 10)), elements=entries))
    rows = [tuple(row) for row in labels.tolist()]
    seen, counts = distinct(labels, np.ones(len(labels), np.int64))
    assert [tuple(row) for row in seen.tolist()] == sorted(set(rows))
    assert counts.tolist() == [rows.count(row) for row in sorted(set(rows))]
    assert among(labels, labels[:1]).tolist() == [row == rows[0] for row in rows]
