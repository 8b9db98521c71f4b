"""A generated table of orders as people have them, with rules of every kind."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa


def orders(n: int = 1_500, seed: int = 0) -> pa.Table:
    """Orders: gross = net + tax, paid ≤ gross, ordered ≤ shipped, customer determines city, and refunds that miss."""
    rng = np.random.default_rng(seed)
    customer = rng.integers(0, 120, n)
    city = np.random.default_rng(1).integers(0, 12, 120)
    net = rng.integers(100, 90_000, n)
    tax = rng.integers(0, 9_000, n)
    paid = np.where(rng.random(n) < 0.4, net + tax, (net + tax) * rng.random(n)).astype(int)
    ordered = rng.integers(0, 700, n)
    days = rng.geometric(0.2, n) - 1
    first = datetime.date(2023, 1, 1)
    refunded = rng.random(n) < 0.2
    return pa.table(
        {
            "order": [f"A{k:06}" for k in rng.permutation(900_000)[:n]],
            "customer": (1_000 + 37 * customer * customer).tolist(),
            "city": [f"city {city[k]}" for k in customer],
            "net": [f"{v / 100:.2f}" for v in net],
            "tax": [f"{v / 100:.2f}" for v in tax],
            "gross": [f"{v / 100:.2f}" for v in net + tax],
            "paid": [f"{v / 100:.2f}" for v in paid],
            "ordered": [(first + datetime.timedelta(int(d))).isoformat() for d in ordered],
            "shipped": [(first + datetime.timedelta(int(d))).isoformat() for d in ordered + days],
            "refund": [str(v) if r else None for v, r in zip(rng.integers(1, 5_000, n), refunded, strict=True)],
            "refunded_by": [f"clerk {v}" if r else None for v, r in zip(rng.integers(0, 9, n), refunded, strict=True)],
        }
    )


def random_table(seed: int, n: int = 250) -> pa.Table:
    """Independent columns of mixed roles."""
    rng = np.random.default_rng(seed)
    dates = [(datetime.date(2020, 1, 1) + datetime.timedelta(int(d))).isoformat() for d in rng.integers(0, 900, n)]
    missing = rng.random((2, n)) < 0.3
    return pa.table(
        {
            "kind": rng.choice(["a", "b", "c"], n),
            "place": [f"p{k}" for k in rng.zipf(1.5, n) % 60],
            "count": rng.poisson(4, n),
            "size": rng.integers(0, 200, n),
            "price": np.round(rng.lognormal(3, 1, n), 2),
            "cost": np.round(rng.lognormal(3, 1, n), 2),
            "weight": rng.normal(size=n),
            "day": dates,
            "other_day": rng.permutation(dates),
            "gap": [None if m else int(v) for v, m in zip(rng.integers(0, 300, n), missing[0], strict=True)],
            "note": [None if m else f"n{v}" for v, m in zip(rng.integers(0, 90, n), missing[1], strict=True)],
        }
    )
