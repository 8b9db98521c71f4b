"""Tables whose parts are columns with one kind of rule each, but for a few odd rows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

Columns = dict[str, list[Any]]


def tabled(rng: np.random.Generator, n: int) -> pa.Table:
    """A table of columns that determine, sum up, follow or name each other; a few rows have other values or none."""
    columns: Columns = {}
    for k in range(int(rng.integers(1, 4))):
        part = PARTS[int(rng.integers(len(PARTS)))]
        columns |= {f"{name}{k}": values for name, values in part(rng, n).items()}
    for row in rng.integers(0, n, int(rng.choice([0, 0, 1, 1, 1, 2, 3]))).tolist():
        for values in columns.values():
            if rng.random() < 0.5:
                values[row] = _odd_value(rng, values[row], values[int(rng.integers(n))])
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def _odd_value(rng: np.random.Generator, old: Any, other: Any) -> Any:
    """No value, that of another row, or one that no other row has."""
    kind = rng.random()
    if kind < 0.25 or old is None:
        return None
    if kind < 0.6 or other is None:
        return other
    if isinstance(old, bool):
        return not old
    if isinstance(old, int | float):
        return old + type(old)(rng.integers(1, 60))
    return old + timedelta(days=int(rng.integers(-400, 400))) if isinstance(old, date) else str(rng.choice(ODD_TEXTS))


ODD_TEXTS = ("z", "Z-9", "x y")


def _levels(rng: np.random.Generator, n: int) -> tuple[list[str], list[int]]:
    """A category as texts, and the places of its values."""
    places = rng.integers(0, int(rng.integers(2, 8)), n).tolist()
    return ["abcdefgh"[place] for place in places], places


def _numbers(rng: np.random.Generator, n: int) -> list[int]:
    return list(rng.integers(0, int(rng.choice([5, 40, 3_000])), n).tolist())


def _free_categories(rng: np.random.Generator, n: int) -> Columns:
    return {"left": _levels(rng, n)[0], "right": _levels(rng, n)[0]}


def _determined_category(rng: np.random.Generator, n: int) -> Columns:
    texts, places = _levels(rng, n)
    to = rng.integers(0, 3, 8)
    return {"code": texts, "region": [f"r{to[place]}" for place in places]}


def _sum(rng: np.random.Generator, n: int) -> Columns:
    one, other = _numbers(rng, n), _numbers(rng, n)
    return {"part": one, "rest": other, "total": [a + b for a, b in zip(one, other, strict=True)]}


def _ordered_dates(rng: np.random.Generator, n: int) -> Columns:
    start = [date(2024, 1, 1) + timedelta(days=int(k)) for k in rng.integers(0, 500, n)]
    end = [day + timedelta(days=int(k)) for day, k in zip(start, rng.integers(0, 30, n), strict=True)]
    return {"start": start, "end": end, "month": [day.month for day in start]}


def _codes(rng: np.random.Generator, n: int) -> Columns:
    texts, numbers = _levels(rng, n)[0], _numbers(rng, n)
    tags = [f"{text}-{number:04d}" for text, number in zip(texts, numbers, strict=True)]
    return {"id": rng.permutation(n).tolist(), "kind": texts, "tag": tags}


def _missing_together(rng: np.random.Generator, n: int) -> Columns:
    texts, places = _levels(rng, n)
    gone = [place == 0 for place in places] if rng.random() < 0.5 else (rng.random(n) < 0.3).tolist()
    numbers = [None if g else v for g, v in zip(gone, _numbers(rng, n), strict=True)]
    return {"state": texts, "x": numbers, "y": [None if v is None else v / 4 for v in numbers]}


def _ranges_by_category(rng: np.random.Generator, n: int) -> Columns:
    texts, places = _levels(rng, n)
    return {"grade": texts, "amount": [100 * k + 5 * (v % 20) for k, v in zip(places, _numbers(rng, n), strict=True)]}


def _booleans(rng: np.random.Generator, n: int) -> Columns:
    one, other = rng.random(n) < 0.5, rng.random(n) < 0.5
    return {"yes": one.tolist(), "too": (one | other).tolist(), "not": (~one).tolist()}


def _small_integers(rng: np.random.Generator, n: int) -> Columns:
    low = rng.integers(0, 7, n)
    return {"i": low.tolist(), "j": (low + rng.integers(0, 3, n)).tolist()}


def _companions(rng: np.random.Generator, n: int) -> Columns:
    rare, texts = (rng.random(n) < 0.01).tolist(), _levels(rng, n)[0]
    return {
        "roof": ["glass" if r else text for r, text in zip(rare, texts, strict=True)],
        "trim": ["sport" if r else str(rng.choice(["base", "plus"])) for r in rare],
    }


def _order_of_sums(rng: np.random.Generator, n: int) -> Columns:
    one, other = _numbers(rng, n), _numbers(rng, n)
    below = [int(rng.integers(0, a + b + 1)) for a, b in zip(one, other, strict=True)]
    return {"one": one, "two": other, "less": below}


def _rounded(rng: np.random.Generator, n: int) -> Columns:
    net = [float(value) for value in _numbers(rng, n)]
    return {"net": net, "gross": [round(1.19 * value, 2) for value in net]}


PARTS: tuple[Callable[[np.random.Generator, int], Columns], ...] = (
    _free_categories, _determined_category, _sum, _ordered_dates, _codes, _missing_together, _ranges_by_category,
    _booleans, _small_integers, _companions, _order_of_sums, _rounded,
)  # fmt: skip
