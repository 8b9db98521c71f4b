"""Facts of every kind in SQL, pandera and dbt, run by their targets: the verdicts are those of the model."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from exports.fact_cases import damaged, duckdb_base, fact_model, wrong_rows
from exports.test_export_pandera import failures, schema_of
from unwritten.conditions import Condition, MultipleOf
from unwritten.errors import DataError
from unwritten.exports import TARGETS, export, export_files
from unwritten.facts import FACTS, Fact
from unwritten.facts.parts_of_sentences import read_name, read_words
from unwritten.rules.language.reader import Reader
from unwritten.tables import Schema

KINDS = set(FACTS)


def listed(base: Any, query: str = "SELECT place FROM violations") -> set[int]:
    return {int(place) for (place,) in base.execute(query).fetchall()}


def test_the_case_has_every_kind() -> None:
    """The model has facts of all kinds that are exported, and rules besides."""
    assert {fact.kind for fact in fact_model().facts} == KINDS
    assert any(sentence.rules for sentence in fact_model().sentences)


@pytest.mark.parametrize("words", [False, True])
def test_sqlite(words: bool) -> None:
    """The view lists the rows that the model finds wrong; the table takes the others."""
    table, fine = damaged(words)
    base = sqlite3.connect(":memory:")
    base.executescript(export(fact_model(), "sql"))
    rows, marks = [tuple(row.values()) for row in table.to_pylist()], ", ".join("?" * table.num_columns)
    base.executemany(f"INSERT INTO candidates VALUES ({marks})", rows)
    assert listed(base) == wrong_rows(fine)
    base.executemany(f"INSERT OR IGNORE INTO decisions VALUES ({marks})", rows)
    taken, right = listed(base, "SELECT place FROM decisions"), set(np.flatnonzero(fine).tolist())
    alone = "SELECT place FROM violations WHERE NOT (meaning LIKE '%determine%' OR meaning LIKE '%unique%')"
    assert right <= taken  # it cannot look up known values, and a copy of a row that was refused is no copy
    assert not taken & listed(base, alone)


def test_duckdb() -> None:
    """DuckDB, which has types, lists the same rows; a text that is no number is not taken at all."""
    table, fine = damaged(words=False)
    assert listed(duckdb_base(table)) == wrong_rows(fine)
    with pytest.raises(pytest.importorskip("duckdb").ConversionException):
        duckdb_base(damaged(words=True)[0])


@pytest.mark.parametrize("words", [False, True])
def test_pandera(words: bool) -> None:
    """The schema rejects the rows that the model rejects."""
    table, fine = damaged(words)
    wrong = failures(schema_of(export(fact_model(), "pandera")), table.to_pandas())
    assert set(wrong["index"].astype(int)) == wrong_rows(fine)


def test_typed_frames() -> None:
    """Numbers and moments may come in the types that pandas has for them."""
    table, fine = damaged(words=False)
    frame = table.to_pandas()
    for name in ("net", "tax", "gross", "rounded"):
        frame[name] = frame[name].astype(float)
    frame["end"] = frame["end"].astype("datetime64[us]")
    wrong = failures(schema_of(export(fact_model(), "pandera")), frame)
    assert set(wrong["index"].astype(int)) == wrong_rows(fine)


def rendered(text: str) -> str:
    """A test as dbt would send it to DuckDB."""
    jinja2 = pytest.importorskip("jinja2")

    class Adapter:
        quote = staticmethod(lambda name: f'"{name}"')

    return jinja2.Template(text).render(ref=lambda name: "candidates", adapter=Adapter)


def dbt_failures(model: unwritten.Model, base: Any, columns: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The rows that each test returns, by the name of the test; built-in tests as dbt documents them."""
    yaml = pytest.importorskip("yaml")
    queries = {}
    for path, text in export_files(model, "dbt").items():
        if path.endswith(".sql"):
            queries[Path(path).stem] = rendered(text)
            continue
        for column in yaml.safe_load(text)["models"][0]["columns"]:
            name = '"' + column["name"] + '"'
            for test in column["data_tests"]:
                if test == "not_null":
                    queries[f"not_null {name}"] = f"SELECT * FROM candidates WHERE {name} IS NULL"
                elif test == "unique":
                    twice = f"SELECT {name} FROM candidates GROUP BY {name} HAVING COUNT(*) > 1 AND {name} IS NOT NULL"
                    queries[f"unique {name}"] = twice
                else:
                    given = test["accepted_values"]["arguments"]
                    quote = "'" if given.get("quote", True) else ""
                    values = ", ".join(f"{quote}{value}{quote}" for value in given["values"])
                    queries[f"values {name}"] = f"SELECT * FROM candidates WHERE {name} NOT IN ({values})"
    found = {}
    for name, query in queries.items():
        answer = base.execute(query)
        heads = [head[0] for head in answer.description]
        found[name] = [dict(zip(heads, row, strict=True)) for row in answer.fetchall()]
    return found


def test_dbt() -> None:
    """Every test of dbt compiles; rows are returned if the model finds them wrong, and keys if they come twice."""
    table, fine = damaged(words=False)
    model, base = fact_model(), duckdb_base(table)
    cells = {int(row["place"]): row for row in table.to_pylist()}
    wrong: set[int] = set()
    for rows in dbt_failures(model, base, table.column_names).values():
        for row in rows:
            if "place" in row:
                wrong.add(int(row["place"]))
                continue
            given = {row["name"]: row["cell"]} if "cell" in row else row
            key = {name: None if c is None else str(c) for name, c in given.items() if name not in ("copies", "kinds")}
            same = [i for i, cell in cells.items() if all(cell[name] == text for name, text in key.items())]
            assert len(same) > 1
            if "kinds" in row:  # left values with several right values: the first row says which one is right
                other = {"start hour": "shift", "shift": "start hour"}[next(iter(key))]
                same = [same[0], *(i for i in same if cells[i][other] != cells[same[0]][other])]
            wrong.update(same[1:])
    assert wrong == wrong_rows(fine)


def test_dbt_is_written_into_a_project(tmp_path: Path) -> None:
    """The files lie where dbt looks for them, and are not overwritten by accident."""
    from unwritten.exports import write_export

    text = write_export(fact_model(), "dbt", tmp_path, force=False)
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
    assert written == sorted(export_files(fact_model(), "dbt"))
    assert all(f"==> {path} <==" in text for path in written)
    with pytest.raises(DataError, match="exists already: overwrite it with --force"):
        write_export(fact_model(), "dbt", tmp_path, force=False)
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="is a file, and dbt writes several: give a folder"):
        write_export(fact_model(), "dbt", tmp_path / "file")


def test_sums_of_few_values_are_sums() -> None:
    """Integers with few values are added up; no value is named."""
    for target in ("sql", "dbt"):
        text = export(fact_model(), target)
        assert "ELSE 0 END)" not in text.replace("IS NULL THEN 1 ELSE 0 END)", "")
    assert '"seats" = "adults" + "children"' in export(fact_model(), "sql")


def test_models_of_facts_alone() -> None:
    """A table without variables is exported by all targets if a fact is about numbers."""
    frame = pa.table(
        {"a": [repr(0.5 + 7 * k % 97) for k in range(300)], "b": [repr(200.5 + k % 89) for k in range(300)]}
    )
    model = unwritten.mine(frame)
    assert not len(model.variables)
    assert all(export(model, target) for target in TARGETS)


@pytest.mark.parametrize("target", ["lp", "minizinc"])
def test_other_targets_say_what_they_leave_out(target: str) -> None:
    """Files of linear rows name the facts that no row says, each with the reason."""
    kinds = {"key", "determines", "date-part", "starts-with", "looks-like", "length", "product", "unequal"}
    lines = export(fact_model(), target).splitlines()
    notes = "".join(line for line in lines if "left out, because" in line and "fractions" not in line)  # or floats
    left_out = {sentence.kind for sentence in fact_model().sentences if f"({sentence.id})" in notes}
    assert kinds <= left_out
    assert not {"sum", "order", "sum-order", "step", "range-by"} & left_out


@dataclass(frozen=True)
class Even(Fact):
    """A kind of facts that no export has heard of."""

    kind = "even"
    name: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name,)

    @classmethod
    def read(cls, reader: Reader) -> Even:
        name = read_name(reader)
        read_words(reader, "is even", "a is even")
        return cls(name, origin="given")

    def words(self, schema: Schema) -> str:
        return f"{self.name} is even"

    @property
    def condition(self) -> Condition:
        return MultipleOf(self.name, 2)


def test_a_new_kind_is_exported_by_its_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that gives its condition is checked and exported without a word about it anywhere else."""
    monkeypatch.setitem(FACTS, "even", Even)
    model = replace(fact_model(), facts=()).with_rules(["adults is even"])
    table = damaged(words=False)[0]
    odd = {i for i, cell in enumerate(table["adults"].to_pylist()) if cell and int(cell) % 2}
    check = model.check(table)
    assert odd == {i for i in range(len(check)) if any(said.kind == "even" for said in check.broken(i))}
    base = duckdb_base(table, model)
    assert odd == listed(base, "SELECT place FROM violations WHERE meaning LIKE '%is even%'")
    failed = failures(schema_of(export(model, "pandera")), table.to_pandas())
    assert odd == set(failed[failed["check"].str.contains("is even")]["index"].astype(int))
    assert "is even" in export(model, "dbt") and "is even" in export(model, "gx")
