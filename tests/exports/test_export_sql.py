"""SQL, run by SQLite and DuckDB: they accept the rows that the model accepts."""

import sqlite3
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from exports.export_cases import TABLES, judged, table_model, wide_model
from unwritten.errors import DataError
from unwritten.exports import export
from unwritten.tables import Table


def rows_of(model: unwritten.Model, table: pa.Table) -> list[tuple]:
    """The rows as parameters; values that are compared as text are given as text."""
    texts = {column.name for column in model.schema.used if column.dtype == "text" and column.kind != "bins"}
    words = {True: "true", False: "false"}
    return [
        tuple(words[cell] if name in texts and isinstance(cell, bool) else cell for name, cell in row.items())
        for row in table.to_pylist()
    ]


def insert(table: str, width: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * width)})"


def key(model: unwritten.Model) -> str:
    name = next(column.name for column in model.schema.columns if column.kind == "skip")
    return '"' + name.replace('"', '""') + '"'


def accepted(connection, rows: list[tuple], error: type[Exception]) -> np.ndarray:
    """Insert the rows one by one, and return which of them the table accepts."""
    taken = np.ones(len(rows), bool)
    for i, row in enumerate(rows):
        try:
            connection.execute(insert("decisions", len(row)), row)
        except error as problem:
            assert "CHECK" in str(problem)
            taken[i] = False
    return taken


@pytest.mark.parametrize("name", TABLES)
def test_sqlite(name: str) -> None:
    """The table accepts the rows that the model accepts, and the view lists the others."""
    model, table, fine = judged(name)
    rows = rows_of(model, table)
    base = sqlite3.connect(":memory:")
    base.executescript(export(model, "sql"))
    assert (accepted(base, rows, sqlite3.IntegrityError) == fine).all()
    base.executemany(insert("candidates", len(rows[0])), rows)
    wrong = {case for (case,) in base.execute(f"SELECT {key(model)} FROM violations")}
    assert wrong == {f"row {i}" for i in np.flatnonzero(~fine)}
    tables = {found for (found,) in base.execute("SELECT name FROM sqlite_master")}
    assert tables == {"decisions", "candidates", "violations"}


@pytest.mark.parametrize("name", TABLES)
def test_duckdb(name: str) -> None:
    """DuckDB, which has strict types, agrees too; the accepted rows are inserted at once."""
    duckdb = pytest.importorskip("duckdb")
    model, table, fine = judged(name)
    rows = rows_of(model, table)
    base = duckdb.connect()
    base.execute(export(model, "sql"))
    given = pa.table({f"c{k}": list(cells) for k, cells in enumerate(zip(*rows, strict=True))})
    base.register("given", given)
    base.execute("INSERT INTO candidates SELECT * FROM given")
    wrong = {case for (case,) in base.execute(f"SELECT {key(model)} FROM violations").fetchall()}
    assert wrong == {f"row {i}" for i in np.flatnonzero(~fine)}
    base.register("fine", given.filter(pa.array(fine)))
    base.execute("INSERT INTO decisions SELECT * FROM fine")
    some = [rows[i] for i in np.flatnonzero(~fine)[:60]]
    assert not accepted(base, some, duckdb.ConstraintException).any()


def test_the_view_names_the_rules() -> None:
    """The rules and facts that the model finds broken are those that the view lists."""
    model, table, _ = judged("table")
    encoded = model.schema.encode(table)
    known = ~encoded.unknown.any(axis=1)
    judgement = model.check(table)
    base = sqlite3.connect(":memory:")
    base.executescript(export(model, "sql"))
    base.executemany(insert("candidates", table.num_columns), rows_of(model, table))
    listed = {i: set() for i in range(len(table))}
    for case, rule in base.execute(f"SELECT {key(model)}, rule FROM violations"):
        listed[int(case.removeprefix("row "))].add(rule)
    for i in np.flatnonzero(known).tolist():
        assert listed[i] == {f"rule_{sentence.id}" for sentence in judgement.broken(i)}


def test_sqlite_stores_what_it_is_given_and_checks_it() -> None:
    """SQLite, which does not enforce types, refuses text in a number column and fractions in an integer column."""
    model, frame = table_model()
    base = sqlite3.connect(":memory:")
    base.executescript(export(model, "sql"))
    good = rows_of(model, pa.Table.from_pandas(frame.iloc[[3]]))[0]
    assert accepted(base, [good], sqlite3.IntegrityError).all()
    for name, cell in [
        ("seats", 2.5),
        ("seats", "many"),
        ("price", "dear"),
        ("led", "true"),
        ("doors", "x"),
        ("trim", 1),
    ]:
        row = tuple(cell if each == name else old for each, old in zip(frame.columns, good, strict=True))
        assert not accepted(base, [row], sqlite3.IntegrityError).any(), (name, cell)


def test_clauses_are_written_plainly() -> None:
    """Values that exclude each other become a NOT of two comparisons."""
    text = export(table_model()[0], "sql")
    assert """NOT ("engine" = 'EV' AND "roof" = 'no')""" in text
    assert """("trim" = 'lux') = ("towbar" IS NULL)""" in text


@pytest.mark.parametrize("system", ["sqlite3", "duckdb"])
def test_long_rules(system: str) -> None:
    """A rule may have more terms than SQLite can nest in one expression."""
    module = pytest.importorskip(system)
    n = 1010 if system == "sqlite3" else 300
    every = range(n)
    clause = ({f"c{k}=a": 1 for k in every}, "<=", n - 1)
    total = ({f"c{k}={level}": 1 + (level == "b") for k in every for level in "ab"}, "<=", 2 * n - 20)
    text = export(wide_model(n, [clause, total]), "sql").partition("CREATE TABLE candidates")[0]
    base = module.connect(":memory:")
    (base.executescript if system == "sqlite3" else base.execute)(text)
    base.execute(insert("decisions", n), ["c", *["a"] * (n - 1)])
    for row in (["a"] * n, ["b"] * n):
        with pytest.raises(module.IntegrityError, match="CHECK"):
            base.execute(insert("decisions", n), row)


def test_many_rules() -> None:
    """There may be more rules than SQLite takes SELECTs in one compound."""
    pairs = [
        ({f"c{i}={a}": 1, f"c{k}={b}": 1}, "<=", 1) for i in range(12) for k in range(i) for a in "abc" for b in "abc"
    ]
    assert len(pairs) > 500
    base, model = sqlite3.connect(":memory:"), wide_model(12, pairs)
    base.executescript(export(model, "sql"))
    base.execute(insert("candidates", 12), ["a"] * 12)
    found = {rule.removeprefix("rule_") for (rule,) in base.execute("SELECT rule FROM violations")}
    wanted = [i for i, (row, _, _) in enumerate(pairs) if all(name.endswith("a") for name in row)]
    assert found == {sentence.id for sentence in model.sentences if set(sentence.rules) & set(wanted)}


@pytest.mark.parametrize("name", ["nul \0", "half \ud800"])
def test_what_sql_cannot_write_is_refused(name: str) -> None:
    """NUL and surrogate characters in names or values raise an error."""
    model = unwritten.mine(Table.of(pa.table({"a": ["u", "v"] * 9, "b": ["u", "v"] * 9})))
    state = model.schema.state()
    for part in ({"name": name}, {"levels": [name, "v"]}):
        changed = type(model.schema).restore([{**state[0], **part}, state[1]])
        with pytest.raises(DataError, match="rename or recode"):
            export(replace(model, schema=changed), "sql")


def test_names_that_differ_by_case_are_refused() -> None:
    """Column names that differ only in case raise an error."""
    model = unwritten.mine(Table.of(pa.table({"Trim": ["u", "v"] * 9, "trim": ["u", "v"] * 9})))
    with pytest.raises(DataError, match=r"'Trim' and 'trim'.*rename one"):
        export(model, "sql")


def test_cuts_are_left_out_and_said_to_be() -> None:
    """Cuts are left out with a note; all rules are there."""
    rng = np.random.default_rng(0)
    table = Table.of(pa.table({"a": rng.choice(["u", "v"], 60), "b": rng.choice(["u", "v"], 60)}))
    model = unwritten.mine(table, rng.normal(size=(60, 4)))
    assert len(model.cuts)
    for target in ("sql", "pandera"):
        assert "cuts are left out" in export(model, target)
