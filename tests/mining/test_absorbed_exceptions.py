"""Rules that take in their exceptions, one rare column each, are not stated: fresh labels have other exceptions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import unwritten
from unwritten.rules import MINED


def mostly_alike(rows: int, rate: float, seed: int) -> pd.DataFrame:
    """Two columns of three values that go together but for a few rows, and a column of many rare values."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 3, rows)
    second = np.where(rng.random(rows) < rate, rng.integers(0, 3, rows), first)
    parts = {"first": first, "second": second, "name": rng.integers(0, 300, rows)}
    return pd.DataFrame({name: [f"{name[0]}{value}" for value in part] for name, part in parts.items()})


@pytest.mark.parametrize("rate", [0.02, 0.05])
@pytest.mark.parametrize("seed", range(2))
def test_rare_values_do_not_excuse_exceptions(rate: float, seed: int) -> None:
    """With rare values for every exception an equality holds on every row; what is stated holds on fresh rows too."""
    model = unwritten.mine(mostly_alike(300, rate, seed), progress=False)
    assert model.schema is not None
    held = model.schema.encode(pa.Table.from_pandas(mostly_alike(4_000, rate, 100 + seed)))
    known = held.labels[~held.unknown.any(axis=1)]
    assert len(known) > 1_000
    rules = model.rules.by_origin(MINED)
    assert not (rules.violations(known).mean(axis=0) > 0.01).any(), str(rules)


def test_a_rule_with_a_rare_member_is_stated_among_others_that_hold() -> None:
    """One label alone may show a member of a true rule: among many rules that hold, that is no reason to doubt it."""
    rng = np.random.default_rng(3)
    blocks = [np.eye(5, dtype=np.int64)[rng.integers(0, 5, 300)] for _ in range(12)]
    blocks[0][:, :] = np.eye(5, dtype=np.int64)[rng.integers(0, 4, 300)]
    blocks[0][17] = [0, 0, 0, 0, 1]
    assert unwritten.mine(np.column_stack(blocks), progress=False).rules.rank == 12
