"""Database servers run one SELECT that cannot write; PostgreSQL is asked if it and a driver are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from unwritten.errors import DataError
from unwritten.tables import open_table
from unwritten.tables.one_select import require_one_select

DRIVER = next((name for name in ("psycopg", "pg8000", "psycopg2") if find_spec(name)), None)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM t",
        "  (SELECT 1) UNION (SELECT 2);  ",
        "-- all\nWITH w AS (SELECT 1) SELECT * FROM w",
        "/* all */ values (1)",
        "SELECT 'delete', \"update\", `insert`, [into] FROM t -- drop",
        "SELECT updated, inserted_at, 'it''s' FROM t",
    ],
)
def test_one_select_is_let_through(query: str) -> None:
    """Words in quotes, in comments or within other words are not statements."""
    require_one_select(query, "the server")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT 1; DELETE FROM t", "has a semicolon before its end"),
        ("SELECT 'a\\'; DELETE FROM t -- '", "has a semicolon before its end"),
        ("DELETE FROM t", "begins with another word"),
        ("-- SELECT\nDROP TABLE t", "begins with another word"),
        ("/* SELECT */ CALL f()", "begins with another word"),
        ("/*!50000 DELETE FROM t */ SELECT 1", "a comment that some databases run"),
        ("/*M! DELETE FROM t */ SELECT 1", "a comment that some databases run"),
        ("WITH w AS (DELETE FROM t RETURNING *) SELECT * FROM w", "has the word DELETE"),
        ("WITH w AS (SELECT 1) UPDATE t SET a = 1", "has the word UPDATE"),
        ("SELECT * INTO u FROM t", "has the word INTO"),
        ("SELECT 1 FROM t INTO OUTFILE '/tmp/x'", "has the word INTO"),
        ("SELECT 1 DROP TABLE t", "has the word DROP"),
        ("SELECT * FROM t FOR UPDATE", "has the word UPDATE"),
        ("", "begins with another word"),
    ],
)
def test_anything_else_is_refused(query: str, words: str) -> None:
    """Several statements, statements that write and comments that are run are refused in one sentence."""
    with pytest.raises(DataError, match=f"the server is only read, and the query .*{words}.*: write one SELECT"):
        require_one_select(query, "the server")


@pytest.mark.parametrize(
    "parameters",
    [
        "plugin=evil",
        "local_infile=1",
        "allow_local_infile=true",
        "init_command=DROP+TABLE+t",
        "autocommit=1",
        "driver=%2Ftmp%2Fevil.so",
        "odbc_connect=Driver%3D%7B%2Ftmp%2Fevil.so%7D%3BServer%3Dx",
    ],
)
def test_a_connection_string_only_connects(parameters: str) -> None:
    """Parameters that load code, give files to the server or let a query write are refused first."""
    pytest.importorskip("sqlalchemy")
    for address in (
        "postgresql+psycopg://me:secret@host/shop",
        "mysql+pymysql://host/shop",
        "mssql+pyodbc://host/shop",
    ):
        with pytest.raises(DataError, match=r"the parameter .* loads code or files, .*: leave it out") as error:
            open_table(f"{address}?{parameters}", query="SELECT 1")
        assert "secret" not in str(error.value)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """Yield the connection string of a PostgreSQL of our own, with a table of two rows and a function that writes."""
    places = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))  # where Debian has it
    initdb = shutil.which("initdb", path=os.pathsep.join([os.environ.get("PATH", ""), *places]))
    if initdb is None or DRIVER is None or find_spec("sqlalchemy") is None:
        pytest.skip("needs PostgreSQL (initdb), SQLAlchemy, and a driver such as psycopg")
    programs = Path(initdb).resolve().parent
    owner = "postgres" if os.getuid() == 0 else None  # PostgreSQL does not run as root
    if owner and owner not in {entry.pw_name for entry in pwd.getpwall()}:
        pytest.skip("PostgreSQL does not run as root, and there is no user named postgres")
    with tempfile.TemporaryDirectory() as name, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        if owner:
            shutil.chown(name, owner)
        data = f"{name}/data"

        def run(*command: str) -> None:
            subprocess.run(command, check=True, user=owner, cwd=name, stdout=subprocess.DEVNULL, timeout=60)

        run(str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "me")
        options = f"-h 127.0.0.1 -p {port} -k {name}"
        run(str(programs / "pg_ctl"), "-D", data, "-o", options, "-l", f"{name}/log", "-w", "start")
        try:
            make = (
                "CREATE TABLE t AS SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y'",
                "CREATE VIEW v AS SELECT a FROM t",
                "CREATE FUNCTION evil() RETURNS int LANGUAGE plpgsql AS "
                "$$ BEGIN INSERT INTO t VALUES (3, 'z'); RETURN 1; END $$",
            )
            for statement in make:
                address = f"host=127.0.0.1 port={port} user=me dbname=postgres"
                run(str(programs / "psql"), "-q", "-d", address, "-c", statement)
            yield f"postgresql+{DRIVER}://me@127.0.0.1:{port}/postgres"
        finally:
            run(str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop")


def test_postgresql_is_only_read(postgres: str) -> None:
    """A function in a SELECT cannot write, cannot end the transaction that forbids it, and leaves nothing behind."""
    for query in (
        "SELECT evil()",
        "SELECT set_config('transaction_read_only', 'off', false), evil()",
        "SELECT a FROM t WHERE evil() = 1",
    ):
        with pytest.raises(DataError, match="does not answer the query"):
            open_table(postgres, query=query)
    assert open_table(postgres, query="SELECT lo_create(0) AS made").names == ("made",)
    reader = open_table(
        postgres, query="SELECT (SELECT count(*) FROM t) AS t, count(*) AS n FROM pg_largeobject_metadata"
    )
    assert [batch.to_pydict() for batch, _ in reader.batches()] == [{"t": ["2"], "n": ["0"]}]


def test_the_only_table_of_postgresql_needs_no_query(postgres: str) -> None:
    """A view beside the only table is no choice."""
    assert open_table(postgres).names == ("a", "b")
