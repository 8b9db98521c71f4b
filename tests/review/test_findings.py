"""Findings in tables: they agree with the model's own check, list unknown values, and their counts add up."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from unwritten.errors import DataError
from unwritten.review import Findings
from unwritten.tables import Table, open_table


def cars(rows: int, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    trim = rng.choice(["base", "sport", "luxury"], rows)
    engine = np.where(trim == "sport", rng.choice(["B", "C"], rows), rng.choice(["A", "B", "C"], rows))
    seats = rng.integers(2, 8, rows)
    roof = [None if trim[k] == "base" else str(rng.choice(["glass", "steel"])) for k in range(rows)]
    net, tax = rng.integers(0, 90, rows), rng.integers(0, 90, rows)
    return pa.table(
        {"trim": trim, "engine": engine, "seats": seats, "cargo": 9 - seats, "roof": roof}
        | {"net": net, "tax": tax, "gross": net + tax}
    )


@pytest.fixture(scope="module")
def model() -> unwritten.Model:
    return unwritten.mine(Table.of(cars(600)))


def test_the_rules_of_the_cars(model: unwritten.Model) -> None:
    """The planted rules are mined and put into words."""
    texts = {sentence.text for sentence in model.sentences}
    assert "trim = sport requires engine ∈ {B, C}" in texts
    assert "gross = net + tax" in texts
    assert "trim = base exactly when roof = missing" in texts
    assert any("seats" in text and "cargo" in text for text in texts)
    assert "missing" in model.schema.variables.names[-4] or any("missing" in n for n in model.schema.variables.names)


def test_mined_tables_break_nothing(model: unwritten.Model) -> None:
    """The mined rows, and new rows of the same kind, have no findings."""
    for seed in (0, 1):
        findings = Findings(model, open_table(cars(600, seed)))
        assert list(findings) == []
        assert (findings.rows, findings.bad) == (600, 0)


def test_findings_agree_with_check(model: unwritten.Model) -> None:
    """With shuffled columns, a row is a finding exactly if the model's own check fails or a value is unknown."""
    rng = np.random.default_rng(0)
    table = cars(500, 2)
    for name in ("engine", "cargo", "roof", "tax"):
        column = table.column(name).to_pylist()
        order = rng.permutation(len(column))
        table = table.set_column(table.column_names.index(name), name, pa.array([column[k] for k in order]))
    findings = Findings(model, open_table(table), strict=True)
    found = {finding.row: finding for finding in findings}
    encoded = model.schema.encode(table)
    verdict = ~model.check(encoded.labels).feasible | encoded.unknown.any(axis=1)
    assert {row - 1 for row in found} == set(np.flatnonzero(verdict).tolist())
    assert findings.bad == len(found) > 300
    broken = model.rules.violations(encoded.labels)
    for row, finding in found.items():
        assert {k for s in finding.broken for k in s.rules} >= set(np.flatnonzero(broken[row - 1]).tolist())
    assert sum(findings.broken.values()) == sum(len(f.broken) for f in found.values())


def test_unknown_values_are_findings(model: unwritten.Model) -> None:
    """A new category, a new missing value and text in a number are listed, and no rule that links columns is broken."""
    table = cars(3, 5).to_pydict()
    table["engine"][0], table["trim"][1], table["net"] = "Z", None, ["x", "1", "150"]
    table["tax"], table["gross"] = ["1", "1", "1"], ["1", "2", "151"]
    findings = Findings(model, open_table(pa.table(table)))
    found = {finding.row: finding for finding in findings}
    assert found[1].unknown == (("engine", "Z"), ("net", "x"))
    assert {sentence.kind for sentence in found[1].broken} <= {"range"}
    assert found[2].unknown == (("trim", None),)
    assert 3 not in found
    assert findings.outside >= 1
    assert "never seen" in "".join(found[2].texts)
    strict = {finding.row: finding for finding in Findings(model, open_table(pa.table(table)), strict=True)}
    assert ("net", 150) in strict[3].outside
    assert "outside the range seen" in findings.summary()


def test_other_columns_are_refused(model: unwritten.Model) -> None:
    """A table without the model's columns and a model without columns raise an error."""
    with pytest.raises(DataError, match="lacks the column 'roof'"):
        list(Findings(model, open_table(cars(3).drop_columns(["roof"]))))
    with pytest.raises(DataError, match=r"not from a table: use model.check\(labels\)"):
        list(Findings(unwritten.mine([[1, 0], [0, 1]] * 3), open_table(cars(3))))
    assert list(Findings(model, open_table(cars(3).append_column("more", pa.array([1, 2, 3]))))) == []


def test_columns_may_come_in_another_order(model: unwritten.Model) -> None:
    """Columns are found by name."""
    table = cars(50, 3)
    assert list(Findings(model, open_table(table.select(table.column_names[::-1])))) == []
