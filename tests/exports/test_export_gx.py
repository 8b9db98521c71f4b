"""Great Expectations: the suite finds the rows that the model finds wrong, in a database.

The package is large, so that the `dev` extra leaves it out: `make extras` runs these tests.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unwritten
from exports.export_cases import judged
from exports.fact_cases import damaged, fact_model
from exports.test_export_sql import insert, rows_of
from unwritten.exports import export
from unwritten.exports.sql import type_of
from unwritten.facts import Fact
from unwritten.samples import sample_rows


def test_the_suite_is_plain_json() -> None:
    """Every sentence is an expectation with its text; the tested table is the only thing filled in."""
    suite = json.loads(export(unwritten.mine(sample_rows("orders", rows=200)), "gx"))
    queries = [e for e in suite["expectations"] if e["type"] == "unexpected_rows_expectation"]
    assert len(queries) > 5
    for each in queries:
        query = each["kwargs"]["unexpected_rows_query"]
        assert query.replace("{{", "").replace("}}", "").count("{batch}") == query.count("{batch}") >= 1
        assert "\0" not in query
        assert query.format(batch="candidates").count("candidates") >= 1
    rules = {each["meta"]["rule"] for each in suite["expectations"]}
    assert any(text.startswith("gross = net + tax") for text in rules)


def database(model: unwritten.Model, table: Any, path: Path) -> None:
    columns = {column.name: type_of(column) for column in model.schema.columns}
    names = {name: '"' + name.replace('"', '""') + '"' for name in table.column_names}
    base = sqlite3.connect(path)
    typed = [f"{quoted} {columns.get(name, 'TEXT')}" for name, quoted in names.items()]
    base.execute(f"CREATE TABLE candidates ({', '.join(typed)})")
    base.executemany(insert("candidates", len(names)), rows_of(model, table))
    base.commit()
    base.close()


def wrong_rows(model: unwritten.Model, table: Any, key: str, folder: Path) -> set[str]:
    """The keys of the rows that Great Expectations finds unexpected."""
    gx = pytest.importorskip("great_expectations", reason="needs Great Expectations: make extras")
    database(model, table, folder / "rows.db")
    context = gx.get_context(mode="ephemeral")
    source = context.data_sources.add_sqlite("base", connection_string=f"sqlite:///{folder / 'rows.db'}")
    batch = source.add_table_asset("candidates", table_name="candidates").add_batch_definition_whole_table("all")
    suite = context.suites.add(gx.ExpectationSuite(**json.loads(export(model, "gx"))))
    form = {"result_format": "COMPLETE", "unexpected_index_column_names": [key]}
    results = batch.get_batch().validate(suite, result_format=form).results
    wrong: set[str] = set()
    for result in results:
        assert not result.exception_info.get("raised_exception"), result.exception_info
        query = result.expectation_config.kwargs.get("unexpected_rows_query")
        if query is None:
            found = result.result.get("unexpected_index_list") or []
            wrong |= {row[key] for row in found}
            continue
        base = sqlite3.connect(folder / "rows.db")  # it returns at most 200 rows, so its query is asked for the others
        base.row_factory = sqlite3.Row
        rows = base.execute(query.format(batch="candidates").replace("\\:", ":")).fetchall()
        assert len(rows) == result.result["observed_value"]
        for row in rows:
            named = set(row.keys())
            wrong |= {row[key]} if key in named else (_contradicting if "kinds" in named else _copies)(base, row, key)
    return wrong


def _contradicting(base: sqlite3.Connection, row: sqlite3.Row, key: str) -> set[str]:
    """The rows whose left value has several right values: the first row says which of them is right."""
    other = {"start hour": "shift", "shift": "start hour"}[row["name"]]
    same = f'SELECT {key}, "{other}" FROM candidates WHERE CAST("{row["name"]}" AS VARCHAR) = ? ORDER BY rowid'
    rows = base.execute(same, [row["cell"]]).fetchall()
    return {found[0] for found in rows if found[1] != rows[0][1]}


def _copies(base: sqlite3.Connection, row: sqlite3.Row, key: str) -> set[str]:
    """The rows behind the first with the same key columns."""
    names = [name for name in row.keys() if name != "copies"]  # noqa: SIM118
    same = " AND ".join('"' + name.replace('"', '""') + '" = ?' for name in names)
    rows = base.execute(f"SELECT {key} FROM candidates WHERE {same}", [row[name] for name in names]).fetchall()
    return {found[0] for found in rows[1:]}


@pytest.mark.parametrize("name", ["table", "hostile"])
def test_rules(name: str, tmp_path: Path) -> None:
    """A thousand rows have the model's verdict."""
    model, table, fine = judged(name)
    table = table.append_column("place", [[str(i) for i in range(len(table))]])
    wrong = {int(place) for place in wrong_rows(model, table, "place", tmp_path)}
    assert wrong == set(np.flatnonzero(~fine).tolist())


def test_facts(tmp_path: Path) -> None:
    """Facts of every kind; a value that is not unique is wrong from its second row on, and here from its first."""
    table, _ = damaged(words=False)
    stated = tuple(fact for fact in fact_model().facts if "EXTRACT(" not in export(_alone(fact), "gx"))  # not in SQLite
    model = replace(fact_model(), facts=stated)
    assert len(stated) > 10
    fine = model.check(table).feasible
    wrong = {int(place) for place in wrong_rows(model, table, "place", tmp_path)}
    ids = table.column("id").to_pylist()
    twins = {i for i, one in enumerate(ids) if ids.count(one) > 1}
    assert wrong - twins == set(np.flatnonzero(~fine).tolist()) - twins


def _alone(fact: Fact) -> unwritten.Model:
    """The model with one fact only."""
    return replace(fact_model(), facts=(fact,))
