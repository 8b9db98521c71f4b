"""Great Expectations: the suite finds the rows that the model finds wrong, in a database and in a data frame.

The package is large, so that the `dev` extra leaves it out: `make extras` runs these tests.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import unwritten
from exports.export_cases import judged
from exports.fact_cases import damaged, fact_model
from exports.test_export_sql import insert, rows_of
from unwritten.conditions import Condition, Either, Not, OneOf, Within
from unwritten.exports import export
from unwritten.exports.expectations import Expectations
from unwritten.exports.named_statements import statements
from unwritten.exports.sql import type_of
from unwritten.facts import Dependency, Fact, Key, LinearFact, Order, RangeFact
from unwritten.samples import sample_rows
from unwritten.tables import Column, Schema
from unwritten.tables.roles import NUMBERS, TIMES

ORDERS = {
    "country = US exactly when currency = USD": [
        ("in_set", {"column": "currency", "value_set": ["USD"]}, {"IN": ["US"]}),
        ("not_be_in_set", {"column": "currency", "value_set": ["USD"]}, {"NOT_IN": ["US"]}),
    ],
    "currency = USD exactly when tax = 0": [
        ("between", {"column": "tax", "min_value": 0, "max_value": 0}, {"IN": ["USD"]}),
        ("in_set", {"column": "currency", "value_set": ["USD"]}, {"==": 0}),
    ],
    "shipped_at is missing exactly when status = open": [
        ("null", {"column": "shipped_at"}, {"IN": ["open"]}),
        ("not_be_null", {"column": "shipped_at"}, {"IN": ["delivered", "returned", "shipped"]}),
    ],
    "tax ≤ net": [
        (
            "column_pair_values_a_to_be_greater_than_b",
            {"column_A": "net", "column_B": "tax", "or_equal": True, "ignore_row_if": "either_value_is_missing"},
            {},
        )
    ],
    "net by quantity: 1 ≤ 300, 3 ≤ 900, 2 ≤ 600": [
        ("between", {"column": "net", "max_value": most}, {"IN": [count]})
        for count, most in ((1, 300), (3, 900), (2, 600))
    ],
    "customer looks like 'C'9999": [("match_regex", {"column": "customer", "regex": "^C[0123456789]{4}$"}, {})],
    "order_id is unique": [("unique", {"column": "order_id"}, {})],
}


def test_sentences_are_expectations_of_its_own() -> None:
    """Conditional sentences get a filter of rows; only a sum is left as a query, which data frames could not run."""
    suite = json.loads(export(unwritten.mine(sample_rows("orders")), "gx"))
    by_rule: dict[str, list[Any]] = {}
    for each in suite["expectations"]:
        rows = each["kwargs"].pop("row_condition", {"type": "and", "conditions": []})
        tests = {test["operator"]: test["parameter"] for test in rows.get("conditions", [rows])}
        kind = each["type"].removeprefix("expect_").removeprefix("column_values_to_").removeprefix("be_")
        by_rule.setdefault(each["meta"]["rule"].rpartition(" (")[0], []).append((kind, each["kwargs"], tests))
    assert {rule: by_rule.get(rule) for rule in ORDERS} == ORDERS
    (query,) = suite["meta"]["queries"]
    assert query["meta"]["rule"].startswith("gross = net + tax")


COLUMNS = Schema(
    (
        *(Column(name, "skip", role="integer", dtype="integer") for name in "abc"),
        *(Column(name, "skip", role="decimal", scale=2) for name in ("net", "tax")),
        *(Column(name, "skip", role="date") for name in ("day", "due")),
        Column("it's", "skip", role="integer", dtype="integer"),
        Column("reach", "bins", ("<2", "2..3", "≥3", None), edges=(2.0, 3.0)),
        Column("done", "category", ("false", "true", None)),
    )
)
ALL = {"ignore_row_if": "any_value_is_missing"}
PAIR = {"ignore_row_if": "either_value_is_missing"}
CONDITIONS: list[tuple[Condition, list[Any] | None]] = [
    (Key(("a", "b")).condition, [("expect_compound_columns_to_be_unique", {"column_list": ["a", "b"], **ALL})]),
    (
        LinearFact(("a", "b", "c"), (2, 2, 2), 24).condition,
        [("expect_multicolumn_sum_to_equal", {"column_list": ["a", "b", "c"], "sum_total": 12, **ALL})],
    ),
    (
        LinearFact(("a", "b"), (1, -1)).condition,
        [("expect_column_pair_values_to_be_equal", {"column_A": "a", "column_B": "b", **PAIR})],
    ),
    (
        Not(LinearFact(("a", "b"), (1, -1)).condition),
        [("expect_select_column_values_to_be_unique_within_record", {"column_list": ["a", "b"], **ALL})],
    ),
    (
        Within(((1, "a"), (-1, "b")), lowest=0),
        [
            (
                "expect_column_pair_values_a_to_be_greater_than_b",
                {"column_A": "a", "column_B": "b", "or_equal": True, **PAIR},
            )
        ],
    ),
    (
        OneOf("reach", ("2..3", "≥3", None)),
        [("expect_column_values_to_be_between", {"column": "reach", "min_value": 2.0, "strict_max": True})],
    ),
    (OneOf("reach", ("<2", "≥3")), None),  # two ranges
    (LinearFact(("net", "tax"), (1, -1)).condition, None),  # a computed fraction may be off in its last bit
    (LinearFact(("a", "b", "c"), (1, -1, -1)).condition, None),
    (Order("day", "net").condition, None),
    (RangeFact("day", 9_000.0, None).condition, None),
    (OneOf("it's", ("1",)), None),
    (OneOf("done", ("true",)), None),  # truth with gaps is text in some tables, and not in others
    (Either((Not(OneOf("a", ("1",))), Within(((1, "b"), (-1, "c")), highest=0))), None),  # databases cannot filter it
    (Dependency(("a",), "b", tuple((str(k), str(-k)) for k in range(99))).condition, None),  # one query says it
]


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS)
def test_conditions(condition: Condition, expected: list[Any] | None) -> None:
    """What is exact in every table is an expectation, and all else is left to a query."""
    assert Expectations(COLUMNS).of(condition) == expected


def test_queries_name_the_tested_table_only() -> None:
    """The tested table is the only thing that Great Expectations fills in."""
    queries = json.loads(export(judged("hostile")[0], "gx"))["meta"]["queries"]
    assert len(queries) > 5
    for each in queries:
        query = each["kwargs"]["unexpected_rows_query"]
        assert query.replace("{{", "").replace("}}", "").count("{batch}") == query.count("{batch}") >= 1
        assert "\0" not in query
        assert query.format(batch="candidates").count("candidates") >= 1


def without_queries(model: unwritten.Model) -> unwritten.Model:
    """The model without the sentences that need a query."""
    expectations = Expectations(model.schema)
    names = [one.name for one in statements(model, model.schema) if expectations.of(one.condition) is None]
    if names:  # other sentences may then say what these said
        return without_queries(model.without([name.removeprefix("rule_") for name in names]))
    assert len(model.sentences) > 5
    return model


def loaded(model: unwritten.Model, *, queries: bool) -> tuple[Any, Any]:
    """A context of Great Expectations, and the suite in it, with or without the queries for databases."""
    gx = pytest.importorskip("great_expectations", reason="needs Great Expectations: make extras")
    saved = json.loads(export(model, "gx"))
    saved["expectations"] += saved["meta"]["queries"] if queries else []
    context = gx.get_context(mode="ephemeral")
    return context, context.suites.add(gx.ExpectationSuite(**saved))


def outcomes(batch: Any, suite: Any, **form: Any) -> Iterator[Any]:
    """What each expectation found; none of them may have failed to run."""
    whole = {"result_format": "COMPLETE", "partial_unexpected_count": 1_000}  # databases name no more rows than that
    for result in batch.validate(suite, result_format=whole | form).results:
        assert "element_count" in result.result or "observed_value" in result.result, result.exception_info
        yield result


def wrong_in_frame(model: unwritten.Model, frame: pd.DataFrame) -> set[int]:
    """The places of the rows of a data frame that Great Expectations finds unexpected."""
    context, suite = loaded(model, queries=False)
    asset = context.data_sources.add_pandas("frames").add_dataframe_asset("candidates")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame})
    return {place for result in outcomes(batch, suite) for place in result.result["unexpected_index_list"] or ()}


def held_by_pandas(model: unwritten.Model, table: pa.Table, *, times: bool = False) -> pd.DataFrame:
    """A table as pandas holds it: numbers are numbers, and times are times or texts."""
    frame = table.to_pandas()
    for column in model.schema.columns:
        if column.role in NUMBERS:
            frame[column.name] = pd.to_numeric(frame[column.name])
        elif times and column.role in TIMES:
            frame[column.name] = pd.to_datetime(frame[column.name])
    return frame


def test_rules_in_frames() -> None:
    """A thousand rows of a data frame have the model's verdict."""
    model, table, _ = judged("table")
    model = without_queries(model)
    fine = model.check(table).feasible
    assert wrong_in_frame(model, held_by_pandas(model, table)) == set(np.flatnonzero(~fine).tolist())


@pytest.mark.parametrize("times", [False, True])
def test_facts_in_frames(times: bool) -> None:
    """Facts of every kind that has expectations, with times as texts or as times."""
    model, (table, _) = without_queries(fact_model()), damaged(words=False)
    fine = model.check(table).feasible
    wrong = wrong_in_frame(model, held_by_pandas(model, table, times=times))
    assert wrong - twins(table) == set(np.flatnonzero(~fine).tolist()) - twins(table)


def test_sums_in_frames_and_databases(tmp_path: Path) -> None:
    """Sums and pairs of integers have the model's verdict, with gaps."""
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 30, (300, 3))
    numbers = np.column_stack([numbers, 99 - numbers.sum(axis=1), numbers[:, 0]])
    columns = {name: [str(v) for v in numbers[:, k]] for k, name in enumerate("abcde")}
    model = unwritten.mine(pa.table(columns), rules=[], types=dict.fromkeys("abcde", "decimal"))
    facts = (LinearFact(tuple("abcd"), (1, 1, 1, 1), 99), LinearFact(("a", "e"), (1, -1)), Order("b", "d"))
    model = replace(model, facts=facts)
    texts = [[None if rng.random() < 0.1 else v for v in cells] for cells in columns.values()]
    for cells in texts:
        cells[::7] = map(str, rng.integers(0, 99, len(cells[::7])))
    table = pa.table([*texts, [str(k) for k in range(300)]], [*"abcde", "place"])
    wrong = set(np.flatnonzero(~model.check(table).feasible).tolist())
    assert 30 < len(wrong) < 270
    assert wrong_in_frame(model, held_by_pandas(model, table)) == wrong
    assert {int(place) for place in wrong_rows(model, table, "place", tmp_path)} == wrong


def twins(table: pa.Table) -> set[int]:
    """The rows with an id that is not unique: a suite finds all of them wrong, and the model from the second on."""
    ids = table.column("id").to_pylist()
    return {i for i, one in enumerate(ids) if ids.count(one) > 1}


def database(model: unwritten.Model, table: Any, path: Path) -> None:
    columns = {column.name: type_of(column) for column in model.schema.columns}
    names = {name: '"' + name.replace('"', '""') + '"' for name in table.column_names}
    base = sqlite3.connect(path)
    typed = [f"{quoted} {columns.get(name, 'TEXT')}" for name, quoted in names.items()]
    base.execute(f"CREATE TABLE candidates ({', '.join(typed)})")
    base.executemany(insert("candidates", len(names)), rows_of(model, table))
    base.commit()
    base.close()


def wrong_rows(model: unwritten.Model, table: pa.Table, key: str, folder: Path) -> set[str]:
    """The keys of the rows that Great Expectations finds unexpected in a database."""
    context, suite = loaded(model, queries=True)
    database(model, table, folder / "rows.db")
    source = context.data_sources.add_sqlite("base", connection_string=f"sqlite:///{folder / 'rows.db'}")
    batch = source.add_table_asset("candidates", table_name="candidates").add_batch_definition_whole_table("all")
    wrong: set[str] = set()
    for result in outcomes(batch.get_batch(), suite, unexpected_index_column_names=[key]):
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
    """A thousand rows of a database have the model's verdict."""
    model, table, fine = judged(name)
    table = table.append_column("place", [[str(i) for i in range(len(table))]])
    wrong = {int(place) for place in wrong_rows(model, table, "place", tmp_path)}
    assert wrong == set(np.flatnonzero(~fine).tolist())


def test_facts(tmp_path: Path) -> None:
    """Facts of every kind."""
    table, _ = damaged(words=False)
    stated = tuple(fact for fact in fact_model().facts if "EXTRACT(" not in export(_alone(fact), "gx"))  # not in SQLite
    model = replace(fact_model(), facts=stated)
    assert len(stated) > 10
    fine = model.check(table).feasible
    wrong = {int(place) for place in wrong_rows(model, table, "place", tmp_path)}
    assert wrong - twins(table) == set(np.flatnonzero(~fine).tolist()) - twins(table)


def _alone(fact: Fact) -> unwritten.Model:
    """The model with one fact only."""
    return replace(fact_model(), facts=(fact,))
