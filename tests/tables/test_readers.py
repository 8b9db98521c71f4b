"""Tables from files and frames: all give the same rows, and errors are one sentence with the cure."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import unwritten
from unwritten.errors import DataError
from unwritten.tables import Table, TableReader, open_table

ROWS = {"trim": ["sport", "base", None], 'naïve, "col"': ["x\ny", "ü", " z"], "n": ["1", "2", "3"]}
FRAME = pa.table(ROWS)


def rows(reader: TableReader) -> dict[str, list[Any]]:
    return pa.Table.from_batches([batch for batch, _ in reader.batches()]).to_pydict()


def as_csv(delimiter: str = ",") -> str:
    frame = pd.DataFrame(ROWS)
    return str(frame.to_csv(index=False, sep=delimiter))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_delimiter_and_encoding_are_found(tmp_path: Path, delimiter: str, encoding: str) -> None:
    """CSV in any of the usual shapes gives the same cells, every time it is read."""
    path = tmp_path / "table.csv"
    path.write_bytes(as_csv(delimiter).encode(encoding))
    reader = open_table(path)
    assert reader.facts == {"delimiter": delimiter, "encoding": encoding}
    assert rows(reader) == rows(reader) == ROWS


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_compressed_files(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    """Compressed CSV files are read like plain ones."""
    path = tmp_path / f"table.csv{suffix}"
    path.write_bytes(pack(as_csv().encode()))
    assert rows(open_table(path)) == ROWS


@pytest.mark.parametrize(
    "make",
    [
        lambda path: (pq.write_table(FRAME, path / "t.parquet"), path / "t.parquet")[1],
        lambda path: (pa.feather.write_feather(FRAME, path / "t.arrow"), path / "t.arrow")[1],
        lambda path: io.BytesIO(as_csv().encode()),
        lambda path: FRAME,
        lambda path: FRAME.to_batches()[0],
        lambda path: pl.DataFrame(ROWS),
        lambda path: pl.DataFrame(ROWS).lazy(),
        lambda path: pd.DataFrame(ROWS),
    ],
    ids=["parquet", "arrow", "stream", "pyarrow", "batch", "polars", "lazy", "pandas"],
)
def test_every_container_gives_the_same_table(tmp_path: Path, make: Callable[[Path], object]) -> None:
    """Files, streams and frames give the same rows and the same schema."""
    import pyarrow.feather  # noqa: F401

    reader = open_table(make(tmp_path))
    assert reader.names == tuple(ROWS)
    assert rows(reader) == ROWS
    assert Table.of(reader).schema == Table.of(FRAME).schema


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.query("v > 50"),
        lambda frame: frame.assign(v=frame.v.where(frame.v > 50)).dropna().astype({"v": int}),
        lambda frame: pd.concat([frame[::2], frame[1::2]]),
        lambda frame: frame.set_index(frame.v.rename("label")),
        lambda frame: frame.set_index(["v", "kind"], drop=False).rename_axis(["one", "two"]),
        lambda frame: frame.query("v > 50").reset_index(drop=True),
    ],
    ids=["filter", "dropna", "concat", "named", "levels", "reset"],
)
@pytest.mark.parametrize(
    "keep",
    [
        lambda frame, path: frame,
        lambda frame, path: pa.Table.from_pandas(frame),
        lambda frame, path: (frame.to_parquet(path / "t.parquet"), path / "t.parquet")[1],
        lambda frame, path: (feather.write_feather(pa.Table.from_pandas(frame), path / "t.arrow"), path / "t.arrow")[1],
        lambda frame, path: iter([frame[:200], frame[200:]]),
    ],
    ids=["pandas", "pyarrow", "parquet", "arrow", "batches"],
)
def test_an_index_of_pandas_is_not_a_column(
    change: Callable[[pd.DataFrame], pd.DataFrame], keep: Callable[[pd.DataFrame, Path], Any], tmp_path: Path
) -> None:
    """Rows of a frame that was filtered, joined or indexed obey the rules mined from other rows of it."""
    numbers = np.random.default_rng(0).integers(0, 100, 1_600)
    frame = pd.DataFrame({"v": numbers, "w": 2 * numbers, "kind": np.where(numbers % 2, "odd", "even")})
    model = unwritten.mine(keep(change(frame[:800]), tmp_path))
    assert {column.name for column in model.schema.columns} == {"v", "w", "kind"}
    assert model.check(change(frame[800:])).feasible.all()
    assert model.check(frame[800:].query("v > 50").reset_index()).feasible.all()


def test_a_false_note_about_the_index_is_harmless(tmp_path: Path) -> None:
    """What a file says of pandas' index can only leave out columns; a note that cannot be read is passed over."""
    for note, names in {
        b'{"index_columns": ["a", 5, {"kind": "range"}]}': ("b",),
        b'{"index_columns": "a"}': ("a", "b"),
        b"[" * 100_000: ("a", "b"),
        b"{": ("a", "b"),
        b"7": ("a", "b"),
    }.items():
        table = pa.table({"a": ["x"], "b": ["y"]}).replace_schema_metadata({b"pandas": note})
        pq.write_table(table, tmp_path / "t.parquet")
        assert open_table(tmp_path / "t.parquet").names == open_table(table).names == names


def test_values_are_written_in_one_way() -> None:
    """Integers, whole floats, truth values and dates have the same text whatever type the column had."""
    typed = pd.DataFrame(
        {"i": [1, 2, 1], "f": [1.0, np.nan, 2.0], "b": [True, False, True], "d": pd.to_datetime(["2024-01-01"] * 3)}
    )
    plain = pd.DataFrame(
        {"i": ["1", "2", "1"], "f": ["1", None, "2"], "b": ["true", "false", "true"], "d": ["2024-01-01 00:00:00"] * 3}
    )
    assert [c.levels for c in Table.of(typed).schema.columns] == [c.levels for c in Table.of(plain).schema.columns]
    assert Table.of(typed).schema.encode(pa.Table.from_pandas(plain)).unknown.sum() == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"a,b\n", "has no rows"),
        (b"a,b\n1,2\n3\n4,5\n", "line 3 of t.csv has 1 cells where the first has 2"),
        (b"a,b\n1,2\n3,4,5\n", "line 3 of t.csv has 3 cells"),
        (b"a,a\n1,2\n", "two columns named 'a'"),
        (b"a,\n1,2\n", "column 2 of t.csv has no name"),
        (b"a, \n1,2\n", "column 2 of t.csv has no name"),
        (b"\x00\x01\x02", "is not text"),
        (b'a,b\n1,2\n3,"4\n5,6\n7,8\n', "row 2 of t.csv has a quote that is not closed"),
        ('a,b\n1,2\n3,"4\n5,6\n'.encode("utf-16"), "row 2 of t.csv has a quote that is not closed"),
        (b"a,b\n,\n,\n", "no column of the table is used"),
    ],
)  # fmt: skip
def test_bad_csv(tmp_path: Path, content: bytes, words: str) -> None:
    """The error for a bad CSV file is one sentence that names the place and the cure."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=words) as error:
        Table.of(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path / "none.csv", "does not exist"),
        (lambda path: path, "it is a folder, give the path of one file in it"),
        (
            lambda path: (path / "t.parquet", (path / "t.parquet").write_bytes(b"PAR1junk"))[0],
            "not a complete Parquet file",
        ),
        (lambda path: (path / "t.arrow", (path / "t.arrow").write_bytes(b"junk"))[0], "not a complete Arrow file"),
        (lambda path: (path / "t.csv.gz", (path / "t.csv.gz").write_bytes(b"junk"))[0], "cannot be read"),
        (lambda path: (path / "t.csv.xz", (path / "t.csv.xz").write_bytes(b"junk"))[0], "cannot be read"),
        (
            lambda path: 5,
            "a table cannot be read from an int: give the path of a CSV, Parquet, Arrow or Excel file, a data",
        ),
        (lambda path: pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns|cannot be read"),
        (lambda path: pd.DataFrame({"a": [1, "x", 2.5]}), "column 'a' of the table holds .*mixed types"),
        (lambda path: pd.DataFrame({"b": [1], "a": [object()]}), "column 'a' .* Python objects .*: convert it to text"),
        (lambda path: pl.DataFrame({"a": [object()]}), "column 'a' holds .*, or convert it first"),
        (
            lambda path: pd.DataFrame({"a": [{"x": 1}]}),
            r"column 'a' holds struct.*types={'a': 'skip'} \(--types a=skip",
        ),
        (lambda path: pd.DataFrame({"a": [[1], [2]]}), r"column 'a' holds list.*types={'a': 'skip'} \(--types a=skip"),
        (lambda path: pl.DataFrame({"a": [[1], [2]]}), "column 'a' holds .*, or convert it first"),
        (lambda path: pa.table({"a": [[1], [2]]}), "neither text nor numbers"),
        (lambda path: pa.table({"a": pa.array([b"x", b"y"])}), "neither text nor numbers"),
        (lambda path: pa.table({}), "no columns"),
    ],
)
def test_bad_tables(tmp_path: Path, make: Callable[[Path], object], words: str) -> None:
    """Files that are not what their ending says, and objects that are not tables, are refused in one sentence."""
    with pytest.raises(DataError, match=words) as error:
        Table.of(make(tmp_path))
    assert "\n" not in str(error.value)


def test_quotes_that_are_closed_or_stand_within_cells_are_text(tmp_path: Path) -> None:
    """A last cell may have several lines, and a quote within a cell opens nothing."""
    path = tmp_path / "t.csv"
    for end, last in (('"x\ny"', "x\ny"), ('"x\n"\n\n', "x\n"), ('x"\n', 'x"')):
        for encoding, mark in (("utf-8", b""), ("utf-16-be", codecs.BOM_UTF16_BE)):
            path.write_bytes(mark + f"a,b\n1,2\n3,{end}".encode(encoding))
            assert rows(open_table(path)) == {"a": ["1", "3"], "b": ["2", last]}


def test_lines_may_end_as_they_did_on_old_machines(tmp_path: Path) -> None:
    """Carriage returns alone, or before line feeds, end lines."""
    path = tmp_path / "t.csv"
    for end in ("\r", "\r\n"):
        path.write_bytes(end.join(["a,b", "1,2", '"3 ""x""",4', ""]).encode())
        assert rows(open_table(path)) == {"a": ["1", '3 "x"'], "b": ["2", "4"]}


def test_a_slip_is_no_binary_file(tmp_path: Path) -> None:
    """A control character that slipped into a text is part of its cell; the table is read."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"name,n\n" + b"St. Mary\x19s,1\nSt. John,2\n" * 20)
    assert rows(open_table(path))["name"][:2] == ["St. Mary\x19s", "St. John"]


def test_wrong_encoding_given(tmp_path: Path) -> None:
    """A given encoding is used; an error says if it is wrong or unknown."""
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\nü,x\n".encode("cp1252"))
    with pytest.raises(DataError, match="is not utf-8 text: name its encoding"):
        Table.of(path, encoding="utf-8")
    with pytest.raises(DataError, match="no encoding 'klingon'"):
        Table.of(path, encoding="klingon")
    with pytest.raises(DataError, match="not one character"):
        Table.of(path, delimiter=";;")
    assert Table.of(path).schema["a"].levels == ("ü",)


def test_a_late_byte_decides_the_encoding(tmp_path: Path) -> None:
    """The whole file is read to detect the encoding, not only its beginning."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n" + b"x\n" * 3_000_000 + "ü\n".encode("cp1252"))
    assert open_table(path).facts["encoding"] == "cp1252"


@pytest.mark.parametrize(("name", "own"), [("a.csv", True), ("a.csv.gz", False)])
def test_arrow_reads_plain_files_without_python(
    name: str, own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads that read ahead hold no part of a file that belongs to Python: it could abort the end of a process."""
    from pyarrow import csv as arrow_csv

    opened: list[tuple[bool, bool]] = []
    open_csv = arrow_csv.open_csv

    def watched(stream: Any, read: Any, *options: Any) -> Any:
        opened.append((isinstance(stream, pa.OSFile), read.use_threads))
        return open_csv(stream, read, *options)

    monkeypatch.setattr(arrow_csv, "open_csv", watched)
    content = b"a,b\n1,2\n3,4\n"
    (tmp_path / name).write_bytes(content if own else gzip.compress(content))
    assert sum(batch.num_rows for batch, _ in open_table(tmp_path / name).batches()) == 2
    assert set(opened) == {(own, own)}
