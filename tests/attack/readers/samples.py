"""Valid inputs: a table, a model of it, and models of every kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa

import unwritten
from unwritten.samples import trees
from unwritten.tables import Table


@cache
def frame() -> pa.Table:
    """Return a small table with columns of every kind, which obeys a few rules."""
    rng = np.random.default_rng(5)
    n = 150
    trim = rng.choice(["base", "sport", "two words", "lux\u202eury"], n)
    doors = np.where(trim == "sport", 3, np.where(trim == "base", 5, rng.choice([3, 5], n)))
    seats = doors + rng.integers(0, 40, n)
    note = [None if k % 7 == 0 else "y" if k % 2 else "n" for k in range(n)]
    return pa.table(
        {
            "trim": trim,
            "doors": doors,
            "seats": seats,
            "a,b": note,
            "price": rng.normal(size=n),
            "sold": rng.integers(0, 2, n).astype(bool),
            "when": pa.array(rng.integers(0, 10**9, n), pa.timestamp("s")),
        }
    )


@cache
def table_model() -> unwritten.Model:
    """Return a model of the table, with edits of a person."""
    model = unwritten.mine(Table.of(frame(), {"price": "bins:3"}))
    first = next(s.id for s in model.sentences if s.origin == "mined")
    edited = model.without([first]).with_rules(["trim = sport requires doors = 3"])
    return replace(edited, total=2 * edited.examples, notes=("a note",))


@cache
def models() -> tuple[unwritten.Model, ...]:
    """Return a model of each kind: plain, with cuts, a lift, a matroid, suspects, minimised, and of a table."""
    weights, labels = trees.sample(4, 60, seed=0)
    noisy = unwritten.mine(np.eye(4, dtype=int).repeat(30, axis=0), names=list("abcd"))
    return (
        unwritten.mine(np.eye(4, dtype=int).repeat(3, axis=0), names=["a", "b c", "ü", "=x"]),
        unwritten.mine(labels, weights),
        unwritten.mine(labels, rules=["equalities"], lifts=["pairs"]),
        unwritten.mine(trees.sample(5, 200, seed=0)[1]),
        replace(noisy, suspects=np.array([3], np.int64)),
        unwritten.mine(np.array([[0, 3], [3, 0], [1, 2], [2, 1]]), sense="min"),
        table_model(),
    )
