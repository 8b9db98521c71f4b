"""The doors: files of every kind under every name, with lies in them, read as every command reads them.

An input is a line of JSON (the name of the file, how it is opened, and a query) and the bytes of the file. Whatever is
in it, no file but this one is opened, nothing is connected to, and the secret that lies beside it is never said.
"""

from __future__ import annotations

import io
import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from attack.mutators import bytes_changed
from attack.readers.hostile_files import CONTENTS
from attack.readers.samples import frame
from attack.readers.watch import SECRET, watch
from unwritten import budgets
from unwritten.errors import UnwrittenError
from unwritten.tables import Table
from unwritten.tables.cell_texts import texts_of
from unwritten.tables.file_format import ENDINGS

NAMES = [
    *(f"input{ending}" for ending in ENDINGS),
    *("input", "input.txt", "input.dat", "input.xml", "input.npy", "input.rules", "input.zip", "input.html"),
    *("input.csv.gz", "input.csv.bz2", "input.csv.xz", "input.csv.zst", "input.gz", "input.json.gz", "input.db.gz"),
    *("INPUT.CSV", "input[1].csv", "in*put.csv", "**", "md:input.duckdb", "s3:input.db", "a?b=c.db", "-input.csv"),
]
HOWS = ("path", "path", "path", "text", "stream", "list", "sqlite:///", "duckdb:///", "sqlite+pysqlite:///")
QUERIES = [
    *(
        "t",
        "v",
        "SELECT * FROM t",
        "SELECT * FROM v",
        "SELECT \"a\" FROM t; COPY t TO 'out.csv'",
        "COPY t TO 'out.csv'",
    ),
    *("SELECT * FROM read_text('secret.txt')", "SELECT * FROM 'secret.csv'", "SELECT * FROM glob('*')"),
    *("ATTACH 'secret.db' AS s", "ATTACH 'out.db' AS o", "VACUUM INTO 'out.db'", "INSTALL httpfs", "LOAD httpfs"),
    *("SELECT load_extension('secret.txt')", "PRAGMA table_info(t)", "SELECT * FROM sqlite_schema", "SELECT 1"),
    *("SELECT * FROM read_csv('http://127.0.0.1:47111/x.csv')", "EXPORT DATABASE 'out'", "", ";", "SELECT"),
    *(
        "CREATE TABLE x AS SELECT 1",
        "SELECT * FROM duckdb_secrets()",
        "SET memory_limit = '99GB'",
        "IMPORT DATABASE '.'",
    ),
]
#: Lower limits, so that what they bound stays within the memory and the time that one input may take
SMALLER = {
    **{"DATABASE_MEMORY_BYTES": 2**27, "DATABASE_ROW_BYTES": 2**20, "EXCEL_BYTES": 2**24, "EXCEL_CELLS": 2**18},
    **{"SQLITE_STEPS": 100, "JSON_CHARACTERS": 2**22, "JSON_LINE_CHARACTERS": 2**20},
}


def doors_made(rng: random.Random) -> bytes:
    """Make a file of some kind, mostly changed or packed or under a name of another kind."""
    content = rng.choice(CONTENTS)
    data = content.make(rng)
    if rng.random() < 0.25:
        data = bytes_changed(rng, data)
    name = rng.choice(NAMES) if rng.random() < 0.35 else f"input{rng.choice(content.endings)}"
    about: dict[str, Any] = {"name": name, "how": rng.choice(HOWS)}
    if rng.random() < 0.3:
        about["query"] = rng.choice(QUERIES)
    return json.dumps(about).encode() + b"\n" + data


def doors_read(data: bytes) -> None:
    """Open the file, read all of it, and see that nothing else was reached."""
    head, _, content = data.partition(b"\n")
    about = json.loads(head)
    name = about["name"]
    with _lowered(), watch() as seen:
        Path(name).write_bytes(content)
        seen.allow(name)
        source: Any = {
            "path": lambda: Path(name),
            "text": lambda: name,
            "stream": lambda: io.BytesIO(content),
            "list": lambda: [name, name],
        }.get(about["how"], lambda: about["how"] + name)()
        try:
            said = _said(source, about.get("query"))
        except UnwrittenError as error:
            said = str(error)
            raise
        finally:
            for left in (name, f"{name}-wal", f"{name}-shm"):
                with suppress(FileNotFoundError):
                    Path(left).unlink()
            seen.judge()
    assert SECRET not in said, "the content of another file was read"


def _said(source: Any, query: str | None) -> str:
    """Return all cells of a table as one text, with the names of its columns."""
    table = Table.of(source, query=query)
    parts = [*table.reader.names, table.reader.title, str(table.schema)]
    for batch, _ in table.reader.batches():
        for column in batch.columns:
            if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
                continue
            parts += [text for text in texts_of(column, "x")[0] if text is not None]
    table.labels()
    return "\n".join(parts)


@contextmanager
def _lowered() -> Iterator[None]:
    usual = {name: getattr(budgets, name) for name in SMALLER}
    try:
        for name, value in SMALLER.items():
            setattr(budgets, name, value)
        yield
    finally:
        for name, value in usual.items():
            setattr(budgets, name, value)


def doors_ready() -> None:
    """Import what the readers need."""
    Table.of(frame()).labels()
    for content in CONTENTS:
        with tempfile.TemporaryDirectory() as place, suppress(UnwrittenError), _lowered():
            path = Path(place) / f"input{content.endings[0]}"
            path.write_bytes(content.make(random.Random(0)))
            _said(path, None)
