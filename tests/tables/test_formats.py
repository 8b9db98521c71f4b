"""CSV dialects, JSON, packed files, several files and databases: the same table whatever it is kept in."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unwritten
from unwritten.errors import DataError, MissingPackageError
from unwritten.samples import sample_csv
from unwritten.tables import USUAL_MISSING, TableReader, open_table
from unwritten.tables.sql_server import SqlServer, title_of_server

ROWS = {"id": ["1", "2", "3"], "trim": ["sport", "base", None], "price": ["1.5", "1234.50", "-7"]}


def rows(reader: TableReader) -> dict[str, list[Any]]:
    """All rows of a reader, by column."""
    return pa.Table.from_batches([batch for batch, _ in reader.batches()]).to_pydict()


def written(path: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("id;trim;price\n1;sport;1,5\n2;base;1.234,50\n3;;-7\n", {}),
        ("id;trim;price\n1;sport;1,5\n2;base;1.234,50\n3;NA;-7\n", {}),
        ('id,trim,price\n1,sport,"1,5"\n2,base,"1.234,50"\n3,N/A,-7\n', {}),
        ("sep=;\nid;trim;price\n1;sport;1.5\n2;base;1234.50\n3;-;-7\n", {}),
        ("'id','trim','price'\n'1','sport','1.5'\n'2','base','1234.50'\n'3','NULL','-7'\n", {}),
        ("id\ttrim\tprice\n1\tsport\t1.5\n2\tbase\t1234.50\n3\t?\t-7\n", {}),
        ("id,trim,price\n1,sport,1.5\n2,base,1234.50\n3,unknown,-7\n", {"missing_words": ["unknown"]}),
    ],
    ids=["comma", "comma-na", "quoted-comma", "excel", "single-quotes", "tab", "own-word"],
)
def test_csv_dialects_give_the_same_rows(tmp_path: Path, content: str, options: dict[str, Any]) -> None:
    """Delimiters, quotes, decimal commas and words for missing are found, or taken as given."""
    reader = open_table(written(tmp_path / "t.csv", content), **options)
    assert rows(reader) == rows(reader) == ROWS


def test_thousands_are_not_taken_for_decimals(tmp_path: Path) -> None:
    """1,500 may be a thousand, so it stays text unless a decimal comma is asked for; text is never changed."""
    path = written(tmp_path / "t.csv", 'price,codes\n"1,500","1,5"\n"2,500",x\n')
    assert rows(open_table(path)) == {"price": ["1,500", "2,500"], "codes": ["1,5", "x"]}
    assert rows(open_table(path, decimal=",")) == {"price": ["1.500", "2.500"], "codes": ["1,5", "x"]}
    comma = written(tmp_path / "c.csv", "a;b\n1,5;2\n")
    assert rows(open_table(comma, decimal=".")) == {"a": ["1,5"], "b": ["2"]}
    with pytest.raises(DataError, match="decimal is 'x': use a point or a comma"):
        open_table(path, decimal="x")


def test_words_for_missing_can_be_changed(tmp_path: Path) -> None:
    """Given words replace the usual ones, and are obeyed in formats with missing values of their own too."""
    path = written(tmp_path / "t.csv", "a\nNA\nx\n-\n")
    assert rows(open_table(path)) == {"a": [None, "x", None]}
    assert rows(open_table(path, missing_words=())) == {"a": ["NA", "x", "-"]}
    assert rows(open_table(path, missing_words=[*USUAL_MISSING, "x"])) == {"a": [None, None, None]}
    table = pa.table({"a": ["NA", "x"], "n": [1, 2]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert rows(open_table(tmp_path / "t.parquet")) == {"a": ["NA", "x"], "n": [1, 2]}
    assert rows(open_table(tmp_path / "t.parquet", missing_words=["NA", "2"])) == {"a": [None, "x"], "n": ["1", None]}


RECORDS = [{"a": 1, "b": {"c": 2.5, "d": [1, "x"]}}, {"a": None, "e": True}]
FLAT = {"a": ["1", None], "b.c": ["2.5", None], "b.d": ['[1, "x"]', None], "e": [None, "true"]}


@pytest.mark.parametrize("name", ["t.jsonl", "t", "t.txt", "t.ndjson.gz", "t.dat.gz"])
@pytest.mark.parametrize("shape", ["lines", "array", "pretty", "wrapped"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_json_is_told_by_its_content(tmp_path: Path, name: str, shape: str, encoding: str) -> None:
    """JSON lines and arrays of records are read from a text of any shape; inner objects become columns."""
    texts = {
        "lines": "".join(json.dumps(record) + "\n\n" for record in RECORDS),
        "array": json.dumps(RECORDS),
        "pretty": json.dumps(RECORDS, indent=2),
        "wrapped": json.dumps({"count": 2, "rows": RECORDS}),
    }
    content = texts[shape].encode(encoding)
    path = written(tmp_path / name, gzip.compress(content) if name.endswith("gz") else content)
    assert rows(open_table(path)) == FLAT


def test_json_columns(tmp_path: Path) -> None:
    """One object of columns, as pandas writes a frame, is a table of their values."""
    path = written(tmp_path / "t.json", '{"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": null}}')
    assert rows(open_table(path)) == {"a": ["1", "2"], "b": ["x", None]}
    path = written(tmp_path / "u.json", '{"a": [1, 2], "b": ["x", null]}')
    assert rows(open_table(path)) == {"a": ["1", "2"], "b": ["x", None]}


def test_packed_files(tmp_path: Path) -> None:
    """Zstandard and gzip are unpacked by their endings, and in any text; parts that follow each other are one file."""
    pack = lambda text: pa.compress(text, "zstd").to_pybytes()  # noqa: E731
    content = b"id,trim,price\n1,sport,1.5\n2,base,1234.50\n"
    for name, packed in {
        "t.csv.zst": pack(content) + pack(b"3,,-7\n"),
        "t.txt": pack(content + b"3,,-7\n"),
        "u": gzip.compress(content + b"3,,-7\n"),
    }.items():
        assert rows(open_table(written(tmp_path / name, packed))) == ROWS
        assert rows(open_table(io.BytesIO(packed))) == ROWS


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.jsonl", '{"a": 1}\n{"a": \n', "line 2 of t.jsonl is not complete JSON"),
        ("t.jsonl", '{"a": 1}\n5\n', "line 2 of t.jsonl is not a JSON object"),
        ("t.json", '[{"a": 1},\n {"a": 2', "t.json is not complete JSON .* in line 2"),
        ("t.json", "[1, 2]", "record 1 of t.json is not a JSON object"),
        ("t.json", "[]", "has no columns"),
        ("t.jsonl", '{"a": 1}\n{"a": "x\\ud800"}\n', r"line 2 of t.jsonl holds half a character, '\\ud800': mend it"),
        ("t.json", '[{"\\udfff": 1}]', "record 1 of t.json holds half a character"),
        ("t.json", '{"a": 1,\n "b": 2}', "holds no array of records"),
        ("t.json", "", "is empty"),
        ("t.csv.zst", pa.compress(b"a\n" + bytes(range(48, 58)) * 999, "zstd").to_pybytes()[:24], "cannot be read"),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n" * 999, mtime=0)[:30], "cannot be read"),
        ("t.csv", b"%PDF-1.5", "is a PDF document, not a table"),
        ("t.csv", b"PK\x03\x04junk", "cannot be read"),
        ("t.csv", '[{"a": 1}]', "t.csv holds JSON, .* ends with .json: rename the file"),
        ("t.csv", gzip.compress(b"a\n1\n", mtime=0), "t.csv holds data packed as .gz, .* ends with .gz: rename"),
        ("t", b"PAR1", "t holds a Parquet file, .* ends with .parquet: rename the file"),
        ("t.csv", bytes(range(1, 255)), "is not text"),
        ("t.parquet.gz", gzip.compress(b"PAR1", mtime=0), "packed parquet file, .*: unpack it first"),
        ("t.csv", "", "is empty"),
        ("t.sqlite", "x" * 600, "does not answer the query"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: str | bytes, words: str) -> None:
    """A truncated, binary, empty or other wrong file is refused in one sentence with the cure."""
    path = written(tmp_path / name, content)
    with pytest.raises(DataError, match=words) as error:
        rows(open_table(path))
    assert "\n" not in str(error.value)


def test_several_files_are_one_table(tmp_path: Path) -> None:
    """A list and a pattern give all rows; columns may be in another order, and each row has its place."""
    first = written(tmp_path / "m1.csv", "a,b\n1,2\n3,4\n")
    second = written(tmp_path / "m2.jsonl", '{"b": 6, "a": 5}\n')
    both = {"a": ["1", "3", "5"], "b": ["2", "4", "6"]}
    reader = open_table([first, second])
    assert rows(reader) == both
    assert rows(open_table(str(tmp_path / "m*"))) == both
    assert reader.place is not None
    assert [reader.place(row) for row in (1, 2, 3)] == [("m1.csv", 1), ("m1.csv", 2), ("m2.jsonl", 1)]
    written(tmp_path / "m3.csv", "a,c\n1,2\n")
    with pytest.raises(DataError, match=r"m1.csv has a column 'b' and m3.csv has none: .* the same columns"):
        open_table(str(tmp_path / "m*"))
    with pytest.raises(DataError, match="no file matches"):
        open_table(str(tmp_path / "n*"))


def test_mine_and_check_take_several_files(tmp_path: Path) -> None:
    """`mine` and `check` read a list of paths as one table; a file that changes meanwhile is noticed."""
    paths = [written(tmp_path / f"{k}.csv", "a,b\n" + "x,1\ny,2\n" * 40) for k in range(2)]
    model = unwritten.mine(paths)
    assert model.examples == 160
    assert model.check(paths).feasible.all()
    table = unwritten.Table.of(paths)
    written(paths[1], "a,b\nx,2\n")
    with pytest.raises(DataError, match="was changed while it was read"):
        table.labels()


def test_databases(tmp_path: Path) -> None:
    """SQLite and DuckDB answer a query, the name of a table, or have one table; by path and connection string."""
    with sqlite3.connect(tmp_path / "s.db") as lite:
        lite.execute("CREATE TABLE t (a, b)")
        lite.execute("INSERT INTO t VALUES (1, 'x'), (NULL, 2.5)")
    with duckdb.connect(tmp_path / "d.db") as duck:
        duck.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1, 'x'), (NULL, '2.5')) AS v(a, b)")
    for scheme, name in (("sqlite", "s.db"), ("duckdb", "d.db")):
        path = tmp_path / name
        both = {"a": ["1", None], "b": ["x", "2.5"]}
        assert rows(open_table(path)) == rows(open_table(path, query="t")) == both
        url = f"{scheme}:///{path}"
        assert rows(open_table(url)) == both
        assert rows(open_table(f"{url}?query=SELECT a+1 AS c FROM t WHERE a = 1")) == {"c": ["2"]}
        with pytest.raises(DataError, match=r"does not answer the query .*nope"):
            open_table(path, query="SELECT nope FROM t")
    with sqlite3.connect(tmp_path / "s.db") as lite:
        lite.execute("CREATE TABLE u (a)")
    with pytest.raises(DataError, match=r"s.db has 2 tables \(t, u\): name one of them"):
        open_table(tmp_path / "s.db")
    with pytest.raises(DataError, match="does not exist"):
        open_table("sqlite:///nowhere.db")
    with pytest.raises(DataError, match="is not a database: leave out the query"):
        open_table(written(tmp_path / "t.csv", "a\n1\n"), query="t")


def test_databases_give_the_rules_and_verdicts_of_a_file(tmp_path: Path) -> None:
    """Shifts have the same rules in a file and in databases, typed or not; 1,000 new ones have the same verdicts."""
    path = written(tmp_path / "old.csv", sample_csv("shifts", rows=1_000))
    model = unwritten.mine(path)
    lines = sample_csv("shifts", rows=1_000, seed=1).splitlines()
    lines[1::3] = [line.replace(",late,", ",early,") for line in lines[1::3]]
    new = written(tmp_path / "new.csv", "\n".join(lines))
    fine = model.check(new).feasible
    assert 50 < (~fine).sum() < 500
    base = tmp_path / "d.db"
    with duckdb.connect(base) as duck, sqlite3.connect(tmp_path / "s.db") as lite:
        for name, file in (("old", path), ("new", new)):
            duck.execute(f"CREATE TABLE {name} AS SELECT * FROM read_csv('{file}', types={{'swapped': 'VARCHAR'}})")
            answer = duck.execute(f"SELECT * FROM read_csv('{file}', all_varchar=true)")
            lite.execute(f"CREATE TABLE {name} ({', '.join(head[0] for head in answer.description)})")
            lite.executemany(
                f"INSERT INTO {name} VALUES ({', '.join('?' * len(answer.description))})", answer.fetchall()
            )
    sources = [base, tmp_path / "s.db"]
    sources += [f"sqlite+pysqlite:///{tmp_path / 's.db'}"] * (find_spec("sqlalchemy") is not None)
    for source in sources:
        mined = unwritten.mine(unwritten.Table.of(source, query="old"))
        assert {sentence.text for sentence in mined.sentences} == {sentence.text for sentence in model.sentences}
        assert (model.check(unwritten.Table.of(source, query="new")).feasible == fine).all()


def test_messages_about_databases_hide_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages name the database without its user and password, and say what to install."""
    assert title_of_server("postgresql://me:secret@host:5432/shop?ssl=1") == "postgresql://host:5432/shop"
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    for options in ({}, {"query": "t"}):
        with pytest.raises(MissingPackageError, match=r"reading postgresql://host/shop .*'unwritten\[sql\]'") as error:
            open_table("postgresql://me:secret@host/shop", **options)
        assert "secret" not in str(error.value)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'unwritten\[duckdb\]'"):
        open_table("duckdb://", query="t")


def test_a_query_through_sqlalchemy(tmp_path: Path) -> None:
    """A server answers one SELECT, or gives its only table; wrong connection strings are one sentence."""
    pytest.importorskip("sqlalchemy")
    with sqlite3.connect(tmp_path / "s.db") as lite:
        lite.execute("CREATE TABLE \"my t\" AS SELECT 1 AS a, 'x%' AS b")
    server = SqlServer(f"sqlite+pysqlite:///{tmp_path / 's.db'}")
    assert server.only_table() == '"my t"'
    with server.run("SELECT b FROM \"my t\" WHERE b LIKE 'x%' AND ':a' = ':a'") as (names, chunks):
        assert (names, [tuple(row) for chunk in chunks for row in chunk]) == (["b"], [("x%",)])
    with pytest.raises(DataError, match="does not answer the query"), server.run("SELECT 1 FROM nothing"):
        pass
    for address in ("klingon://host/db", "postgresql://host:port/db"):
        with pytest.raises(DataError, match="not a connection string that SQLAlchemy knows"):
            open_table(address, query="t")
