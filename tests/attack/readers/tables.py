"""Readers of tables: CSV, Parquet, Arrow, and tables of weights."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
import sqlite3
import struct
from contextlib import closing
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from attack.mutators import bytes_changed
from attack.readers.common import written
from attack.readers.samples import frame, table_model
from unwritten.cli.files import read_weights
from unwritten.review import Findings
from unwritten.tables import Table
from unwritten.tables.table_opening import open_table


@cache
def csv_seeds() -> tuple[bytes, ...]:
    """Return the table as CSV with different delimiters, line endings, quotes and encodings."""
    rows = frame().to_pylist()
    seeds = []
    for delimiter, end, quoting, code in (
        (",", "\n", csv.QUOTE_MINIMAL, "utf-8"),
        (";", "\r\n", csv.QUOTE_ALL, "utf-8-sig"),
        ("\t", "\n", csv.QUOTE_MINIMAL, "utf-16"),
        ("|", "\r", csv.QUOTE_MINIMAL, "utf-8"),
        (",", "\n", csv.QUOTE_NONNUMERIC, "utf-8"),
    ):
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=end, quoting=quoting)
        writer.writeheader()
        writer.writerows(rows[:25])
        seeds.append(text.getvalue().encode(code))
    seeds.append("näme;zahl\nÄ;1\nö;2\n".encode("cp1252"))
    seeds.append(b"a,b\n" + b"".join(b"%d,%d\n" % (k, k % 2) for k in range(30)))
    return tuple(seeds)


def csv_made(rng: random.Random) -> bytes:
    """Make a byte that chooses the suffix and the options, then a CSV file."""
    seed = rng.choice(csv_seeds())
    data = bytes_changed(rng, seed, rng.choice(csv_seeds()))
    if rng.random() < 0.05:
        data = rng.randbytes(rng.randrange(400))
    packer = rng.choice((None, None, None, None, gzip.compress, bz2.compress, lzma.compress))
    kind = 0
    if packer is not None:
        data = packer(data)
        kind = {gzip.compress: 1, bz2.compress: 2, lzma.compress: 3}[packer]
        if rng.random() < 0.6:
            data = bytes_changed(rng, data)
    return bytes([kind + 4 * rng.randrange(8)]) + data


def csv_read(data: bytes) -> None:
    """Inspect a CSV file, read it as labels, and check its rows."""
    kind = data[0] if data else 0
    path = written(data[1:], (".csv", ".csv.gz", ".csv.bz2", ".csv.xz")[kind % 4])
    choice = kind // 4
    known: dict[int, Any] = {3: {"delimiter": ";"}, 4: {"encoding": "cp1252"}, 5: {"encoding": "utf-16"}}
    options = known.get(choice, {})
    read_and_check(Table.of(path, missing="error" if choice == 6 else "category", missing_words=["NA"], **options))


def read_and_check(table: Table) -> None:
    """Read a table a second time, and check its rows with a model that has other columns too."""
    assert len(table.labels()) == table.rows
    for _finding in Findings(table_model(), table.reader):
        pass


@cache
def json_seeds() -> tuple[bytes, ...]:
    """Return the table as JSON lines, as an array, as columns, with inner objects, and packed by zstandard."""
    rows = [{name: str(value) for name, value in row.items()} for row in frame().to_pylist()[:25]]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return (
        lines.encode(),
        lines.encode("utf-16"),
        json.dumps(rows, indent=1).encode(),
        json.dumps({"rows": [{"outer": row} for row in rows]}).encode(),
        json.dumps(columns).encode(),
        pa.compress(lines.encode(), "zstd").to_pybytes(),
    )


def json_made(rng: random.Random) -> bytes:
    """Change a file of records anywhere."""
    return bytes_changed(rng, rng.choice(json_seeds()), rng.choice(json_seeds()))


def json_read(data: bytes) -> None:
    """Read a file of records, whose ending says nothing, twice."""
    read_and_check(Table.of(written(data, ".jsonl" if len(data) % 2 else ".txt")))


@cache
def sqlite_seed() -> bytes:
    """Return the table as a SQLite file."""
    with closing(sqlite3.connect(":memory:")) as database:
        rows = [[str(value) for value in row.values()] for row in frame().to_pylist()]
        database.execute(f"CREATE TABLE t ({', '.join(map(repr, frame().column_names))})")
        database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(rows[0]))})", rows)
        database.commit()
        return database.serialize()


def sqlite_made(rng: random.Random) -> bytes:
    """Change a SQLite file, half of the time within its first page, which describes the table."""
    near = rng.random() < 0.5
    return bytes_changed(rng, sqlite_seed(), sqlite_seed(), (lambda _: rng.randrange(4096)) if near else None)


def sqlite_read(data: bytes) -> None:
    """Read the only table of a SQLite file."""
    read_and_check(Table.of(written(data, ".sqlite")))


def _parquet(**options: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(frame(), file, **options)
    return file.getvalue()


@cache
def parquet_seeds() -> tuple[bytes, ...]:
    """Return the table as Parquet, with several compressions and encodings."""
    return (
        _parquet(compression="none"),
        _parquet(compression="snappy", use_dictionary=False),
        _parquet(compression="zstd", data_page_version="2.0", row_group_size=20),
        _parquet(compression="gzip", write_statistics=False, version="1.0"),
        _parquet(compression="none", use_dictionary=False, column_encoding={"seats": "DELTA_BINARY_PACKED"}),
    )


def parquet_made(rng: random.Random) -> bytes:
    """Change a Parquet file, mostly in its footer, which says where everything is."""
    seed = rng.choice(parquet_seeds())
    (length,) = struct.unpack("<I", seed[-8:-4])

    def in_footer(size: int) -> int:
        return max(0, size - 8 - rng.randrange(min(size, length + 8)))

    return bytes_changed(rng, seed, rng.choice(parquet_seeds()), in_footer if rng.random() < 0.6 else None)


def parquet_read(data: bytes) -> None:
    """Read a Parquet file twice."""
    read_and_check(Table.of(written(data, ".parquet"), {"when": "skip"} if len(data) % 2 else None))


@cache
def arrow_seeds() -> tuple[bytes, ...]:
    """Return Arrow files and streams, with and without dictionaries and compression."""
    table = frame()
    coded = table.set_column(0, "trim", table["trim"].dictionary_encode())
    seeds = []
    for each, maker, options in (
        (table, pa.ipc.new_file, {}),
        (coded, pa.ipc.new_file, {}),
        (coded, pa.ipc.new_stream, {}),
        (table, pa.ipc.new_file, {"options": pa.ipc.IpcWriteOptions(compression="zstd")}),
        (coded, pa.ipc.new_stream, {"options": pa.ipc.IpcWriteOptions(compression="lz4")}),
    ):
        file = io.BytesIO()
        with maker(file, each.schema, **options) as writer:
            writer.write_table(each, max_chunksize=25)
        seeds.append(file.getvalue())
    return tuple(seeds)


def arrow_made(rng: random.Random) -> bytes:
    """Change an Arrow file anywhere."""
    return bytes_changed(rng, rng.choice(arrow_seeds()), rng.choice(arrow_seeds()))


def arrow_read(data: bytes) -> None:
    """Read an Arrow file twice."""
    read_and_check(Table.of(written(data, ".arrow"), {"when": "skip"} if len(data) % 2 else None))


@cache
def weight_seeds() -> tuple[bytes, ...]:
    """Return tables of weights with the names of variables as columns."""
    names = table_model().variables.names
    seeds = []
    for columns, delimiter in ((names, ","), (names[:3], ";"), (names[::2], "\t")):
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows([[k / 7 + j for j in range(len(columns))] for k in range(3)])
        seeds.append(text.getvalue().encode())
    return tuple(seeds)


def weights_made(rng: random.Random) -> bytes:
    """Change a table of weights."""
    return bytes_changed(rng, rng.choice(weight_seeds()), rng.choice(weight_seeds()))


def weights_read(data: bytes) -> None:
    """Read weights and decide by them."""
    model = table_model()
    weights = read_weights(written(data, ".csv"), model.variables.names)
    decided = model.decide(weights[:3], time_limit=1.0)
    good = [str(status) in ("optimal", "feasible") for status in decided.status]
    assert model.check(decided.labels[good]).feasible.all() if any(good) else True


def tables_ready() -> None:
    """Import and build what the first table needs."""
    open_table(frame())
    read_and_check(Table.of(frame()))
