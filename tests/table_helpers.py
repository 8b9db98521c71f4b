"""Tables that several tests use."""

from __future__ import annotations

import numpy as np
import pyarrow as pa


def trips(rows: int, seed: int = 0) -> pa.Table:
    """Seats are adults and children, and a visa is only for flights."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(1, 6, rows), rng.integers(0, 4, rows)
    kind = rng.choice(["bus", "rail", "air"], rows)
    visa = np.where(kind == "air", rng.choice(["yes", "no"], rows), "no")
    return pa.table({"adults": a, "children": b, "seats": a + b, "kind": kind, "visa": visa})
