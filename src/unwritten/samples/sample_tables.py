"""Sample tables: small generated tables with real column names, to play with."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Literal, get_args

from unwritten.errors import DataError
from unwritten.samples.orders import Cell, orders
from unwritten.samples.sensors import sensors
from unwritten.samples.shifts import shifts

SampleName = Literal["orders", "shifts", "sensors"]

MAKERS: dict[str, Callable[[int, int], list[dict[str, Cell]]]] = {
    "orders": orders,
    "shifts": shifts,
    "sensors": sensors,
}
ROWS = {"orders": 1_500, "shifts": 1_000, "sensors": 1_920}


def sample_rows(name: SampleName, *, rows: int | None = None, seed: int = 0) -> list[dict[str, Cell]]:
    """Return a sample table as records, which `unwritten.mine` takes; None is a missing value.

    Parameters
    ----------
    name
        "orders", "shifts" or "sensors".
    rows
        The number of rows; about a thousand by default.
    seed
        Another seed gives other rows that obey the same rules.

    >>> order = sample_rows("orders", rows=2)[1]
    >>> order["country"], order["currency"], order["net"], order["tax"], order["gross"]
    ('NL', 'EUR', '690.12', '144.93', '835.05')
    """
    if name not in MAKERS:
        raise DataError(f"there is no sample {name!r}: use {', '.join(get_args(SampleName))}")
    number = ROWS[name] if rows is None else rows
    if number < 1:
        raise DataError(f"a sample cannot have {number} rows: ask for at least one")
    return MAKERS[name](number, seed)


def sample_csv(name: SampleName, *, rows: int | None = None, seed: int = 0) -> str:
    """Return a sample table as the text of a CSV file."""
    records = sample_rows(name, rows=rows, seed=seed)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()
