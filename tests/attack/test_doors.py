"""What others wrote gets in by the door that its name says, and reads nothing but itself."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import unwritten.budgets
from attack.readers import READERS
from attack.readers.watch import SECRET
from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables import Table, open_table


def refused(source: object, words: str, **options: str) -> str:
    """Return the sentence by which a table is refused; it has one line, these words, and not the secret."""
    with pytest.raises(DataError, match=words) as caught:
        Table.of(source, **options).labels()  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert SECRET not in message
    assert ": " in message
    return message


def duck(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as database:
        for statement in statements:
            database.execute(statement)
    return path


def lite(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path


TABLE = "CREATE TABLE t AS SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y'"
LOOKS_AROUND = (
    "CREATE VIEW v AS SELECT content, 'x' AS b FROM read_text('secret.txt') UNION ALL SELECT file, 'y' FROM glob('*')"
)


@pytest.mark.parametrize("name", ["upload.csv", "upload.txt", "upload", "upload.json", "upload.parquet", "upload.xlsx"])
def test_a_database_under_another_name_is_not_opened(folder: Path, name: str) -> None:
    """A DuckDB file that reads other files, and a SQLite file, are refused in one sentence that says what to do."""
    duck(folder / "d.duckdb", LOOKS_AROUND).rename(folder / name)
    refused(name, f"{name} holds a DuckDB database, .* ends with .duckdb: rename the file")
    with open(name, "rb") as stream:
        refused(stream, "standard input holds a DuckDB database")
    lite(folder / "s.db", TABLE)
    (folder / "s.db").rename(folder / name)
    refused(name, f"{name} holds a SQLite database, .* ends with .sqlite: rename the file")


@pytest.mark.parametrize("name", ["d.duckdb", "d.db"])
@pytest.mark.parametrize(
    "view",
    [
        LOOKS_AROUND,
        "CREATE VIEW v AS FROM read_csv('secret.txt')",
        "CREATE VIEW v AS FROM 'secret.csv'",
        "CREATE VIEW v AS FROM read_blob('secret.txt')",
        "CREATE MACRO m(x) AS TABLE FROM read_text(x); CREATE VIEW v AS FROM m('secret.txt')",
        "CREATE VIEW v AS SELECT * FROM query('SELECT content FROM read_text(''secret.txt'')')",
    ],
)
def test_a_view_of_a_duckdb_file_reads_no_other_file(folder: Path, name: str, view: str) -> None:
    """The view is the only table of the file; reading it fails in one sentence."""
    duck(folder / name, view)
    refused(name, "does not answer the query .*(Permission Error|secret.csv does not exist)")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT * FROM t; COPY t TO 'out.csv'", "another statement, or more than one: write one SELECT"),
        ("COPY t TO 'out.csv'", "another statement"),
        ("ATTACH 'other.duckdb'", "another statement"),
        ("INSTALL httpfs", "another statement"),
        ("LOAD 'x.duckdb_extension'", "another statement"),
        ("SET enable_external_access = true", "another statement"),
        ("EXPORT DATABASE 'out'", "another statement"),
        ("", "another statement|has 2 tables"),
        ("SELECT * FROM read_text('secret.txt')", "Permission Error"),
        ("SELECT * FROM 'http://127.0.0.1:9/x.csv'", "Permission Error"),
        ("WITH w AS (DELETE FROM t RETURNING *) SELECT * FROM w", "read-only"),
        ("SELECT * FROM python_frame", "does not exist"),
        ("SELECT list(a.range) FROM range(100000000) a, range(100) b", "Out of Memory"),
    ],
)
def test_a_query_to_duckdb_only_reads(folder: Path, query: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one SELECT is run; it writes nothing, loads nothing, and sees neither files nor variables of Python."""
    import pyarrow as pa

    monkeypatch.setattr("unwritten.budgets.DATABASE_MEMORY_BYTES", 2**27)
    python_frame = pa.table({"a": [1]})
    assert python_frame.num_rows
    path = duck(folder / "d.duckdb", TABLE, "CREATE TABLE u (a int)")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    refused(path, words, query=query)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize(
    "query",
    [
        "ATTACH 'other.db' AS o",
        "VACUUM INTO 'other.db'",
        "INSERT INTO t VALUES (3, 'z')",
        "SELECT 1; DELETE FROM t",
        "DELETE FROM t RETURNING *",
        "CREATE TEMP TABLE x (a)",
        "PRAGMA journal_mode = WAL",
        "SELECT load_extension('x')",
        "SELECT zeroblob(20000000)",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM v",
    ],
)
def test_a_query_to_sqlite_only_reads(folder: Path, query: str) -> None:
    """What would write, attach, load or make huge values is refused, by SQLAlchemy's name of the driver too."""
    lite(folder / "s.db", TABLE, "CREATE VIEW v AS SELECT load_extension('x') AS a")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    for source in (folder / "s.db", "sqlite:///s.db", "sqlite+pysqlite:///s.db"):
        refused(source, "is only read, and the query|does not answer the query", query=query)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_sqlite_file_with_a_log_leaves_nothing_beside_it(folder: Path) -> None:
    """SQLite would leave two files beside a database that is written through a log."""
    lite(
        folder / "s.db", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a, b)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')"
    )
    assert sum(batch.num_rows for batch, _ in open_table("s.db").batches()) == 2
    assert sorted(file.name for file in folder.iterdir()) == ["s.db", "secret.csv", "secret.txt"]


@pytest.mark.parametrize(("make", "name"), [(duck, "d.duckdb"), (lite, "s.sqlite")])
def test_one_table_needs_no_query(folder: Path, make: Callable[..., Path], name: str) -> None:
    """The only table is read, whatever views and schemas there are beside it; two tables are a choice."""
    path = make(folder / name, TABLE, "CREATE VIEW v AS SELECT a FROM t")
    assert open_table(path).names == ("a", "b")
    make(path, "CREATE TABLE u (c int)")
    refused(path, rf"{name} has 2 tables \(t, u\): name one of them, or write a query")
    make(path, "DROP TABLE u", "DROP TABLE t", "DROP VIEW v", "CREATE VIEW w AS SELECT 1 AS z UNION SELECT 2")
    assert open_table(path).names == ("z",)


def test_a_table_in_a_schema_of_its_own_is_found(folder: Path) -> None:
    """The only table of a DuckDB file may lie in any schema."""
    path = duck(folder / "d.duckdb", 'CREATE SCHEMA "my shop"', 'CREATE TABLE "my shop"."t 1" AS SELECT 1 AS a')
    assert open_table(path).names == ("a",)


def test_a_name_that_means_a_network_to_duckdb_is_a_file(folder: Path) -> None:
    """A path such as `md:shop.duckdb` would lead to a service."""
    duck(folder / "shop.duckdb", TABLE).rename(folder / "md:shop.duckdb")
    assert open_table("md:shop.duckdb").names == ("a", "b")


def test_the_page_on_security_gives_the_numbers_of_the_code() -> None:
    """SECURITY.md names the sizes that the readers keep to."""
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text()
    budgets = unwritten.budgets
    assert f"A row of a CSV file has at most {budgets.CSV_CHUNK_BYTES >> 20} MiB" in page
    assert f"its first line {budgets.CSV_LINE_BYTES >> 20} MiB" in page


def test_the_page_on_security_names_tests_that_are_there() -> None:
    """Each door has a lock, and names files of tests and readers of the fuzz that exist."""
    tests = Path(__file__).parents[1]
    page = (tests.parent / "SECURITY.md").read_text().partition("## Doors")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 19
    for door, lock, test in rows:
        assert lock.strip()
        named = re.findall(r"`([^`]+)`", test)
        assert named, door
        for name in named:
            assert (tests / name).is_file() if "/" in name else name in READERS, name


def test_a_view_without_an_end_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query of SQLite takes a limited number of steps, and says which limit to raise."""
    monkeypatch.setattr(budgets, "SQLITE_STEPS", 3)
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    with closing(sqlite3.connect("t.db")) as connection:
        connection.execute(f"CREATE VIEW v AS {endless}")
    with pytest.raises(DataError, match="does not answer within 3,000,000 steps"):
        open_table("t.db")
