"""The files for dbt, run by dbt itself on DuckDB: the rows that its tests store are those the model finds wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from exports.fact_cases import damaged, duckdb_base, fact_model, wrong_rows
from unwritten.exports import write_export
from unwritten.exports.table_tests import table_name

PROJECT = """name: shop
version: "1.0"
profile: shop
data_tests:
  +store_failures: true
"""
PROFILES = """shop:
  target: dev
  outputs:
    dev: {type: duckdb, path: shop.duckdb, threads: 1}
"""


@cache
def dbt() -> str:
    """The path of dbt; without it, or without its adapter for DuckDB, the test is skipped."""
    path = shutil.which("dbt")
    reason = "needs dbt with its adapter for DuckDB on the path: make extras"
    if path is None:
        pytest.skip(reason)
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    if "duckdb" not in version.stdout:
        pytest.skip(reason)
    return path


def project(folder: Path, table: pa.Table) -> None:
    """A dbt project whose one model is the table, with the exported tests."""
    name = table_name(fact_model())
    write_export(fact_model(), "dbt", folder)
    (folder / "dbt_project.yml").write_text(PROJECT, encoding="utf-8")
    (folder / "profiles.yml").write_text(PROFILES, encoding="utf-8")
    (folder / "models" / f"{name}.sql").write_text("select * from read_parquet('rows.parquet')\n", encoding="utf-8")
    base = duckdb_base(table)
    base.execute(f"COPY candidates TO '{folder / 'rows.parquet'}' (FORMAT parquet)")


def test_dbt_itself(tmp_path: Path) -> None:
    """`dbt build` runs every test; a test fails exactly if it stores rows, and these are the wrong ones."""
    command = dbt()
    table, fine = damaged(words=False)
    project(tmp_path, table)
    done = subprocess.run(
        [command, "--no-send-anonymous-usage-stats", "build"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    results = json.loads((tmp_path / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    tests = [result for result in results if result["unique_id"].startswith("test.")]
    assert done.returncode == 1 and {test["status"] for test in tests} == {"pass", "fail"}, done.stdout[-2_000:]
    assert len(tests) > 50
    base = pytest.importorskip("duckdb").connect(str(tmp_path / "shop.duckdb"))
    cells = {int(row["place"]): row for row in table.to_pylist()}
    wrong: set[int] = set()
    for test in tests:
        if test["status"] == "fail":
            answer = base.execute(f"SELECT * FROM {test['relation_name']}")
            heads = [head[0] for head in answer.description]
            rows = [dict(zip(heads, row, strict=True)) for row in answer.fetchall()]
            assert len(rows) == test["failures"]
            wrong |= places(test["unique_id"].split(".")[2], rows, cells)
    assert wrong == wrong_rows(fine)


def places(test: str, rows: list[dict[str, Any]], cells: dict[int, dict[str, Any]]) -> set[int]:
    """The rows of the table that a test means: those it stores, or those with the values or keys that it stores."""
    wrong: set[int] = set()
    for row in rows:
        if "place" in row:
            wrong.add(int(row["place"]))
        elif "value_field" in row:
            column = next(name for name in next(iter(cells.values())) if f"_{name.replace(' ', '_')}__" in test)
            wrong |= {place for place, cell in cells.items() if cell[column] == text(row["value_field"])}
        else:
            given = {row["name"]: row["cell"]} if "cell" in row else row
            given = {"id": row["unique_field"]} if "unique_field" in row else given
            key = {name: text(c) for name, c in given.items() if name not in ("copies", "kinds", "n_records")}
            same = [i for i, cell in cells.items() if all(cell[name] == value for name, value in key.items())]
            assert len(same) > 1
            if "kinds" in row:  # left values with several right values: the first row says which one is right
                other = {"start hour": "shift", "shift": "start hour"}[next(iter(key))]
                same = [same[0], *(i for i in same if cells[i][other] != cells[same[0]][other])]
            wrong.update(same[1:])
    return wrong


def text(cell: object) -> str | None:
    """A stored value as the table writes it."""
    return None if cell is None else str(cell)
