"""A table with facts of every kind and hostile names, and rows with the model's own verdict on them."""

from __future__ import annotations

import datetime
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from unwritten.data import BoolArray
from unwritten.exports import export
from unwritten.facts import (
    DatePart,
    Dependency,
    Key,
    LinearFact,
    MissingTogether,
    MissingWhen,
    NeverMissing,
    Order,
    ProductFact,
    RangeBy,
    RangeFact,
    RangeWhen,
    SeenTogether,
    StartsWith,
    Step,
    SumOrder,
    TextForm,
    TextLength,
    Unequal,
)

START, PART, PRICE, ZONE = "start 'at'", 'part "no"; --', "price {{ x }}", "zone"
DAY = datetime.datetime(2024, 1, 1)


def shop(n: int = 1_200, seed: int = 0) -> dict[str, list[Any]]:
    """Bookings: cells are texts, as in a CSV file, or None."""
    rng = np.random.default_rng(seed)
    net, tax, adults, children = rng.integers(100, 9_000, n), rng.integers(0, 900, n), *rng.integers(0, 6, (2, n))
    start, minutes = rng.integers(0, 500_000, n), rng.integers(1, 3_000, n)
    region, refunded = rng.integers(0, 4, n), rng.random(n) < 0.3
    regions, currencies = ["EU", "US", "o'neil", None], ["EUR", "USD", "{%x%}", None]
    levels = rng.integers(0, 3, n)
    cents = [f"{v / 100:.2f}" for v in net]
    ends = [DAY + datetime.timedelta(minutes=int(s + m)) for s, m in zip(start, minutes, strict=True)]
    cells = {
        "place": [str(k) for k in range(n)],
        "id": [f"A{k:06}" for k in rng.permutation(900_000)[:n]],
        PART: [None if k % 50 == 0 else str(7 * (k // 4)) for k in range(n)],
        "line": [str(k % 4) for k in range(n)],
        "net": cents,
        "tax": [f"{v / 100:.2f}" for v in tax],
        "gross": [f"{v / 100:.2f}" if rng.random() > 0.05 else None for v in net + tax],
        "rounded": [f"{5 * round(v / 5) / 100:.2f}" for v in net + tax],
        "adults": [str(v) for v in adults],
        "children": [str(v) for v in children],
        "seats": [str(v) for v in adults + children],
        START: [str(DAY + datetime.timedelta(minutes=int(s))) for s in start],
        "end": [str(end) for end in ends],
        "paid": [
            str((end + datetime.timedelta(days=int(d))).date())
            for end, d in zip(ends, rng.integers(1, 9, n), strict=True)
        ],
        PRICE: [repr(float(v)) for v in rng.lognormal(2, 1, n)],
        "region": [regions[k] for k in region],
        "currency": [currencies[k] for k in region],
        ZONE: [["near", "far", "far away"][k] if r != 1 else "abroad" for k, r in zip(levels, region, strict=True)],
        "grade": [str(k) for k in levels],
        "shelf": [
            f"B'-{(DAY + datetime.timedelta(minutes=int(s))).year}/{'KLM'[k]}{v}"
            for s, k, v in zip(start, levels, rng.integers(0, 999, n), strict=True)
        ],
        "code": [
            f"{r or 'XX'}{v:04d}" for r, v in zip((regions[k] for k in region), rng.integers(0, 9_999, n), strict=True)
        ],
        "start hour": [str((DAY + datetime.timedelta(minutes=int(s))).hour) for s in start],
        "shift": [f"s{(DAY + datetime.timedelta(minutes=int(s))).hour}" for s in start],
        "start day": [
            ["mo", "tu", "we", "th", "fr", "sa", "su"][(DAY + datetime.timedelta(minutes=int(s))).weekday()]
            for s in start
        ],
        "end month": [str(end.month) for end in ends],
        "toll": [f"{v / 100:.2f}" for v in 25 * rng.integers(0, 400, n)],
        "parcels": [str(15 * v) for v in rng.integers(0, 400, n)],
        "half": [repr(float(v)) for v in (net + tax) / 200 + rng.normal(0, 0.0001, n)],
        "fee": [f"{10 * k + v / 100:.2f}" for k, v in zip(levels, rng.integers(0, 1_000, n), strict=True)],
        "channel": [("shop", "web", None)[k % 3] for k in range(n)],
        "voucher": [f"{v / 100:.2f}" if k % 3 == 1 else None for k, v in enumerate(rng.integers(1, 9_999, n))],
        "refund": [str(v) if r else None for v, r in zip(rng.integers(1, 900, n), refunded, strict=True)],
        "clerk": [f"c{v}" if r else None for v, r in zip(rng.integers(0, 400, n), refunded, strict=True)],
    }
    width = rng.integers(1, 9_999, n)
    cells["width"] = [f"{v / 1000:.3f}" for v in width]
    cells["area"] = [f"{a * w / 1000:.2f}" for a, w in zip(adults.tolist(), width.tolist(), strict=True)]
    return cells


@cache
def fact_model() -> unwritten.Model:
    """The mined rules, and facts of every kind: those that were mined, and some that chance may hide."""
    cells = shop()
    model = unwritten.mine(
        pa.table(cells), types={"place": "skip", PRICE: "float", "refund": "decimal", "parcels": "decimal"}
    )
    two = dict.fromkeys(zip(cells["region"], cells["grade"], cells[ZONE], strict=True))
    both = dict.fromkeys(zip(cells["region"], cells["currency"], strict=True))
    day = (DAY - datetime.datetime(1970, 1, 1)).days
    given = (
        LinearFact(("gross", "net", "tax"), (1, -1, -1)),
        LinearFact(("net", "tax", "rounded"), (1, 1, -1), 0, tolerance=2),
        LinearFact(("seats", "adults", "children"), (1, -1, -1)),
        Order(START, "end", strict=True),
        Order("end", "paid"),
        Order("tax", "rounded"),
        Key(("id",)),
        Key((PART, "line")),
        Dependency(("region",), "currency", tuple(both), both=True),
        Dependency(("region", "grade"), ZONE, tuple(two)),
        Dependency(("start hour",), "shift", (), both=True),
        LinearFact(("half", "gross"), (2, -1), 0, tolerance=0.25),
        SumOrder(("net", "tax"), ("gross", "half")),
        ProductFact("area", ("adults", "width")),
        Unequal("code", "clerk"),
        SeenTogether((("channel", "web"), ("voucher", "12.34")), 1),
        SumOrder(("adults", "children"), ("seats", "parcels")),
        DatePart("start hour", "hour", START),
        DatePart("start day", "weekday", START, ("mo", "tu", "we", "th", "fr", "sa", "su")),
        DatePart("end month", "month", "end"),
        StartsWith("shelf", START, "B'-", "year"),
        StartsWith("code", "region"),
        TextForm("shelf", ("'B'''-9999/A9…",)),
        TextForm("id", ("A999999",)),
        TextForm("clerk", ("a9…", "'nobody'")),
        TextLength("shelf", 10, 12),
        TextLength("code", 0, 20),
        Step("toll", 25),
        Step("parcels", 15),
        MissingTogether(("refund", "clerk")),
        RangeFact(PRICE, 0.01, 5_000.5),
        RangeFact("net", 0.0, 10_000.0),
        RangeFact("paid", float(day), None),
        RangeFact("end"),
        NeverMissing(("id", PRICE)),
        RangeWhen("grade", "2", "fee", 2_000.0, 2_999.0, exactly=True),
        RangeWhen("region", "EU", "paid", float(day), None),
        RangeWhen("region", None, "adults", None, 5.0),
        RangeBy("grade", PRICE, (("0", 0.01, 5_000.5), ("1", None, 5_000.5))),
        RangeBy("region", "net", (("o'neil", 1.0, 10_000.0), (None, 1.0, 9_500.0))),
        MissingWhen("voucher", "channel", ("shop", None), ("web",), exactly=True),
    )
    mined = {fact.digest: fact for fact in model.facts}
    return replace(model, facts=tuple((mined | {fact.digest: fact for fact in given}).values()))


@cache
def damaged(words: bool, count: int = 1_000) -> tuple[pa.Table, BoolArray]:
    """Rows of which two thirds have one changed cell, and which of them the model finds right.

    A cell gets the value of another row, goes missing, becomes a number or date that is too large or a little off, and
    if `words`, a text that is no number.
    """
    cells, rng = shop(), np.random.default_rng(3)
    names = [name for name in cells if name not in ("id", "place")]
    rows = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)][:count]
    for i, row in enumerate(rows):
        if i % 3 == 0:
            continue
        name = names[int(rng.integers(len(names)))]
        row[name] = _other(cells[name], row[name], int(rng.integers(5)), words, rng)
        if i % 41 == 0:
            row["id"] = rows[i - 1]["id"]
    table = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in cells})
    fine = fact_model().check(table).feasible
    assert 200 < fine.sum() < count - 200
    return table, fine


def _other(pool: list[Any], old: str | None, way: int, words: bool, rng: np.random.Generator) -> str | None:
    number = old is not None and old.replace(".", "", 1).replace("-", "", 1).isdecimal()
    if way == 0:
        return None
    if way == 1 and number:
        return str(10 * int(float(old or 0)) + 1)
    if way == 2 and number and "." in (old or ""):
        return f"{float(old or 0) + 0.01:.2f}"
    if way == 3 and old is not None and old.startswith("20"):
        return old.replace("20", "19", 1)
    if way == 4 and words:
        return "abc"
    if way == 4 and old and not number and not old.startswith("20"):
        return old.swapcase() if rng.random() < 0.5 else old[:-1]
    return pool[int(rng.integers(len(pool)))]


def wrong_rows(fine: BoolArray) -> set[int]:
    """The places of the rows that are not fine."""
    return set(np.flatnonzero(~fine).tolist())


def duckdb_base(table: pa.Table, model: unwritten.Model | None = None) -> Any:
    """A database in memory with the exported tables and view, and the rows of a table as candidates."""
    base = pytest.importorskip("duckdb").connect()
    base.execute(export(model or fact_model(), "sql"))
    base.register("given", table)
    base.execute("INSERT INTO candidates SELECT * FROM given")
    return base
