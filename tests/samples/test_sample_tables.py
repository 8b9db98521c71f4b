"""The sample tables obey the rules that their docstrings state, and are the same everywhere."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

import unwritten
from unwritten.cli import app
from unwritten.errors import DataError
from unwritten.samples.sample_tables import ROWS, SampleName, sample_csv, sample_rows

RUNNER = CliRunner()


def rows_of(name: Any, seed: int) -> list[dict[str, Any]]:
    """The rows of a sample."""
    return sample_rows(name, seed=seed)


@pytest.mark.parametrize("seed", [0, 7])
def test_orders(seed: int) -> None:
    """Sums hold to the cent, dates are in order, and what is missing follows the status."""
    rows = rows_of("orders", seed)
    assert len({row["order_id"] for row in rows}) == len(rows) == ROWS["orders"]
    currencies: dict[str, set[str]] = {}
    for row in rows:
        net, tax, gross, refund = (Decimal(row[name]) for name in ("net", "tax", "gross", "refund"))
        assert gross == net + tax
        assert net == row["quantity"] * Decimal(row["unit_price"])
        assert (row["status"] == "returned") == (refund > 0) and refund <= gross
        assert (row["shipped_at"] is None) == (row["status"] == "open")
        assert (row["delivered_at"] is None) == (row["status"] in ("open", "shipped"))
        if row["shipped_at"]:
            assert date.fromisoformat(row["ordered_at"]) <= date.fromisoformat(row["shipped_at"])
        if row["delivered_at"]:
            assert date.fromisoformat(row["shipped_at"]) < date.fromisoformat(row["delivered_at"])
        currencies.setdefault(row["country"], set()).add(row["currency"])
    assert all(len(each) == 1 for each in currencies.values()) and len(currencies) == 6
    assert {row["status"] for row in rows} == {"open", "shipped", "delivered", "returned"}


@pytest.mark.parametrize("seed", [0, 7])
def test_shifts(seed: int) -> None:
    """hours = end − start, one shift a day and at most five a week for each person."""
    rows = rows_of("shifts", seed)
    assert all(row["hours"] == row["end"] - row["start"] > 0 for row in rows)
    assert all((row["hours"] >= 6) == (row["break_minutes"] == 30) for row in rows)
    assert max(Counter((row["person"], row["date"]) for row in rows).values()) == 1
    assert max(Counter((row["person"], row["week"]) for row in rows).values()) == 5
    assert len({(row["person"], row["team"]) for row in rows}) == 12


@pytest.mark.parametrize("seed", [0, 7])
def test_sensors(seed: int) -> None:
    """low ≤ value ≤ high in steps of 0.25, the timestamp says its parts, a fault has no value."""
    rows = rows_of("sensors", seed)
    for row in rows:
        when = datetime.fromisoformat(row["timestamp"])
        assert (when.date().isoformat(), when.hour, when.minute) == (row["date"], row["hour"], row["minute"])
        assert (row["value"] is None) == (row["status"] == "fault")
        low, high = Decimal(row["low"]), Decimal(row["high"])
        assert low <= Decimal(row["value"] or row["low"]) <= high
        assert low % Decimal("0.25") == high % Decimal("0.25") == 0
    assert len({(row["timestamp"], row["sensor"]) for row in rows}) == len(rows)
    assert len({(row["status"], row["code"]) for row in rows}) == 3


def test_samples_are_the_same_everywhere() -> None:
    """A seed gives the same bytes on every machine; another seed gives others."""
    digests = {name: hashlib.sha256(sample_csv(name).encode()).hexdigest()[:12] for name in get_args(SampleName)}
    assert digests == {"orders": "44c0b1d1e50b", "shifts": "c98cb40288e5", "sensors": "f050f3724cda"}
    assert sample_csv("orders", seed=1) != sample_csv("orders")


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    """`unwritten sample` writes to a file or to standard output, and overwrites only with --force."""
    path = tmp_path / "orders.csv"
    done = RUNNER.invoke(app, ["sample", "orders", "-o", str(path), "--rows", "50"])
    assert done.exit_code == 0 and "50 rows saved" in done.stdout
    assert RUNNER.invoke(app, ["sample", "orders", "--rows", "50"]).stdout == path.read_text(encoding="utf-8")
    assert "exists already" in str(RUNNER.invoke(app, ["sample", "orders", "-o", str(path)]).exception)
    assert RUNNER.invoke(app, ["sample", "cars"]).exit_code == 2
    with open(path, newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    rows = sample_rows("orders", rows=50)
    assert read == [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
    with pytest.raises(DataError, match="no sample 'cars': use orders, shifts, sensors"):
        sample_rows("cars")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="cannot have 0 rows"):
        sample_rows("orders", rows=0)


def test_a_sample_is_mined() -> None:
    """The records of a sample are a table: the shifts' rules are found, and no row breaks them."""
    rows = sample_rows("shifts", rows=150)
    model = unwritten.mine(rows)
    assert any(set(sentence.columns) >= {"start", "end", "hours"} for sentence in model.sentences)
    assert model.check(rows).feasible.all()
