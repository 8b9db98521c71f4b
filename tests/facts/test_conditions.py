"""Ranges of numbers for single values, missing exactly when, and orders between columns with related names."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import unwritten
from unwritten.facts import MissingWhen, RangeBy, RangeWhen
from unwritten.facts.kinds import restored
from unwritten.tables import Table

GRADES = ("low", "middle", "high")


def returns(n: int = 3_000, seed: int = 0) -> pa.Table:
    """Orders: refunds only of those that were returned, no tax in the US, and a class by the weight in steps of 5."""
    rng = np.random.default_rng(seed)
    status = rng.choice(["open", "shipped", "returned"], n)
    country = rng.choice(["US", "FR", "DE"], n)
    weight = 5 * rng.integers(1, 31, n)
    refund = rng.integers(100, 9_000, n)
    tax = np.where(country == "US", 0, rng.integers(1, 900, n))
    start = rng.normal(50, 10, n)
    return pa.table(
        {
            "status": status,
            "country": country,
            "refund": [f"{v / 100:.2f}" if s == "returned" else None for v, s in zip(refund, status, strict=True)],
            "tax": [f"{v / 100:.2f}" for v in tax],
            "weight": weight,
            "grade": [GRADES[int(w > 50) + int(w > 100)] for w in weight],
            "temp_min": start,
            "temp_max": start + rng.gamma(8.0, 1.0, n),
        }
    )


def test_conditions_are_found() -> None:
    """Each planted condition is a sentence; bounds lie between the values seen, and single values are not listed."""
    model = unwritten.mine(returns())
    texts = [sentence.text for sentence in model.sentences]
    assert "refund is missing exactly when status ≠ returned" in texts
    assert any(text.startswith("country = US") and text.endswith("tax = 0") for text in texts)
    assert "grade = middle exactly when weight from 53 to 102" in texts
    assert "temp_min ≤ temp_max" in texts
    assert not any("weight ∈" in text for text in texts)


def test_check_and_diff_know_conditions() -> None:
    """A value between those seen is judged, and other rows of the same kind break and lose nothing."""
    model = unwritten.mine(returns())
    row = dict(zip(returns().column_names, [c[0].as_py() for c in returns(10, 5).columns], strict=True))
    wrong = row | {"grade": "low", "weight": 77}
    assert any("exactly when weight" in s.text for s in model.check(pa.Table.from_pylist([wrong])).broken(0))
    other = unwritten.mine(returns(seed=1))
    assert not [rule for rule in model.diff(other, rows=returns(seed=1)).lost if "weight" in str(rule)]


def test_independent_columns_have_no_condition() -> None:
    """Columns that have nothing to do with each other give no range by value."""
    for seed in range(15):
        rng = np.random.default_rng(seed)
        table = pa.table(
            {
                "kind": rng.choice(["a", "b", "c", "d"], 800),
                "count": rng.poisson(6, 800),
                "price": np.round(rng.lognormal(2, 1, 800), 2),
                "gap": [
                    None if m else float(v) for v, m in zip(rng.normal(size=800), rng.random(800) < 0.3, strict=True)
                ],
            }
        )
        kinds = {fact.kind for fact in unwritten.mine(Table.of(table)).facts}
        assert not kinds & {"range-when", "range-by", "missing-when"}


def test_rows_of_one_session_count_once() -> None:
    """Which days met which places is no rule if each day is one long session at one place."""
    rng = np.random.default_rng(0)
    days, places = np.repeat(rng.integers(0, 20, 60), 50), np.repeat(rng.integers(0, 8, 60), 50)
    table = pa.table(
        {"day": [f"d{k}" for k in days], "place": [f"p{k}" for k in places], "load": rng.integers(0, 500, 3_000)}
    )
    model = unwritten.mine(table)
    assert not [s.text for s in model.sentences if {"day", "place"} <= set(s.columns)]
    shuffled = unwritten.mine(table.take(rng.permutation(3_000)))
    assert [s.text for s in shuffled.sentences if {"day", "place"} <= set(s.columns)]


def test_state_of_the_new_kinds() -> None:
    """What is saved is read back."""
    schema = Table.of(returns(50)).schema
    for fact in (
        RangeWhen("status", None, "tax", 0.0, None, True),
        RangeBy("status", "tax", (("open", None, 5.0), (None, 1.0, 2.0))),
        MissingWhen("refund", "status", ("open", None), ("returned",)),
    ):
        assert restored(fact.kind, fact.meaning, "mined", None, schema) == fact
