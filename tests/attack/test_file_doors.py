"""Text, packed files, JSON, Parquet, Arrow and workbooks take no more than they may, and reach nothing else."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import resource
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from attack.readers.watch import SECRET
from attack.test_doors import refused
from unwritten import budgets
from unwritten.errors import UnwrittenError
from unwritten.tables import Table, open_table

TEXT = b"a,b\n1,x\n2,y\n"


class Touch:
    """Writes a file when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return open, ("touched.txt", "w")


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress, lambda data: pa.compress(data, "zstd").to_pybytes()]
)
@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.sqlite", "t.parquet"])
def test_packed_data_stand_behind_an_ending_that_says_so(folder: Path, pack: Any, name: str) -> None:
    """A packed file under a plain name is refused, and one that is packed twice is not unpacked twice."""
    (folder / name).write_bytes(pack(TEXT))
    refused(name, f"{name} holds data packed as .*: rename the file")
    (folder / "twice.txt").write_bytes(pack(pack(TEXT)))
    refused("twice.txt", "is not text|cannot be read")


def test_a_packed_file_without_end_takes_little_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of 256 MiB in a file of 1 MB is refused, as CSV and as JSON."""
    monkeypatch.setattr(budgets, "JSON_LINE_CHARACTERS", 2**22)
    for name, head in (("bomb.csv.gz", b"a,b\n"), ("bomb.jsonl.gz", b'{"a": 1}\n{"a": "')):
        with gzip.open(name, "wb", 1) as file:
            file.write(head)
            for _ in range(2**8):
                file.write(b"x" * 2**20)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        refused(name, "a row of more than 4 MiB|has more than 4,194,304 characters")
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**17  # KiB


@pytest.mark.parametrize("depth", [10, 500, *range(860, 1_000, 7), 10_000, 1_000_000])
def test_deep_json_is_text_or_refused(folder: Path, depth: int) -> None:
    """Objects and arrays within one another never end in anything but a table or one sentence."""
    for inner in ('{"b": ' * depth + "1" + "}" * depth, "[" * depth + "]" * depth):
        for name in ("t.jsonl", "t.json"):
            Path(name).write_text(f'{{"a": {inner}}}\n{{"a": 1}}\n' if name == "t.jsonl" else f'[{{"a": {inner}}}]')
            try:
                assert open_table(name).names
            except UnwrittenError as error:
                assert "cannot be read as JSON" in str(error)


def memory(what: str) -> int:
    """Return how many MiB this process has (VmSize) or has ever held at once (VmHWM)."""
    status = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[what].split()[0]) >> 10


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc/self/status")


@needs_proc
@pytest.mark.parametrize("stored", [False, True])
def test_one_long_text_in_every_row_of_parquet_takes_memory_once(folder: Path, stored: bool) -> None:
    """A text of 64 kB that 8,192 rows share would be 512 MB if it were written out; the file has 1 kB."""
    texts = pa.DictionaryArray.from_arrays([0, 2, *[0] * 8_190], ["x" * 2**16, "unused", "y"])
    pq.write_table(pa.table({"a": texts, "b": range(8_192)}), "t.parquet", store_schema=stored)
    before = memory("VmHWM")
    reader = open_table("t.parquet")
    (batch,) = [batch for batch, _ in reader.batches()]
    assert Table.of(reader).rows == 8_192
    assert memory("VmHWM") - before < 200
    assert batch.column(0).dictionary.to_pylist() == ["x" * 2**16, "y"]


@needs_proc
@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x93NUMPY\1\0" + bytes(200)])
def test_a_length_that_a_file_claims_takes_no_memory(folder: Path, data: bytes) -> None:
    """Arrow took, and kept, the two gigabytes that the first bytes of a small file asked for."""
    Path("t.arrow").write_bytes(data + b"x" * 200)
    before = memory("VmSize")
    refused("t.arrow", "not a complete Arrow file")
    assert memory("VmSize") - before < 500


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_types_of_arrow_are_never_unpickled(folder: Path, name: str) -> None:
    """An extension type may bring a pickle; it stays bytes."""
    about = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": pickle.dumps(Touch())}
    schema = pa.schema([pa.field("a", pa.string(), metadata=about), pa.field("b", pa.string())])
    table = pa.Table.from_arrays([pa.array(["x", "y"]), pa.array(["x", "y"])], schema=schema)
    if name == "t.parquet":
        pq.write_table(table, name)
    else:
        with pa.ipc.new_file(name, schema) as writer:
            writer.write_table(table)
    assert Table.of(name).rows == 2
    assert not Path("touched.txt").exists()


@pytest.mark.parametrize("name", ["t.npy", "t.pkl", "t.csv", "t"])
def test_pickles_are_never_loaded(folder: Path, name: str) -> None:
    """Arrays of objects and pickles are no tables, whatever they are called."""
    for array in (False, True):
        file = io.BytesIO()
        if array:
            np.save(file, np.array([Touch(), Touch()], object), allow_pickle=True)
        else:
            pickle.dump(Touch(), file)
        Path(name).write_bytes(file.getvalue())
        refused(name, "is not text")
    assert not Path("touched.txt").exists()


RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DOCTYPES = {
    "file": '<!DOCTYPE x [<!ENTITY e SYSTEM "secret.txt">]>',
    "network": '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY e "e">]>',
    "laughs": "<!DOCTYPE x [<!ENTITY e0 'ha'>"
    + "".join(f"<!ENTITY e{k} '{f'&e{k - 1};' * 10}'>" for k in range(1, 12))
    + "<!ENTITY e '&e11;'>]>",
}


def relations(*links: tuple[str, str]) -> str:
    """Return the part of a workbook that says where its other parts are."""
    each = (f'<Relationship Id="r{k}" Type="{RELATIONS}/{kind}" Target="{to}"/>' for k, (kind, to) in enumerate(links))
    return f"<Relationships>{''.join(each)}</Relationships>"


def workbook(path: Path, doctype: str, cell: str, shared: bytes = b"") -> Path:
    """Write a workbook with this cell, a link to another file, and perhaps a part of shared texts."""
    row = "".join(
        f'<c r="{name}" t="inlineStr"><is><t>{text}</t></is></c>' for name, text in (("A1", "a"), ("B1", "b"))
    )
    more = f'<c r="A2" t="inlineStr"><is><t>{cell}</t></is></c><c r="B2"><f>\'[secret.csv]s\'!A1</f><v>7</v></c>'
    rows = f'<row r="1">{row}</row><row r="2">{more}</row>'
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'{doctype}<workbook xmlns:r="{RELATIONS}"><sheets><sheet name="s" sheetId="1" r:id="r0"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations(
            ("worksheet", "worksheets/sheet1.xml"),
            ("externalLink", "secret.csv"),
            ("sharedStrings", "sharedStrings.xml" if shared else "../../secret.csv"),
        ),
        "xl/worksheets/sheet1.xml": f"{doctype}<worksheet><sheetData>{rows}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        if shared:
            archive.writestr("xl/sharedStrings.xml", shared)
    return path


@pytest.mark.parametrize("doctype", DOCTYPES)
def test_entities_in_a_workbook_stand_for_nothing(folder: Path, doctype: str) -> None:
    """What a document type declares is not read, fetched or unfolded; links to other files are not followed."""
    pytest.importorskip("python_calamine")
    path = workbook(folder / "t.xlsx", DOCTYPES[doctype], "x&e;y")
    try:
        batch, _ = next(open_table(path).batches())
        said = json.dumps(batch.to_pydict())
    except UnwrittenError as error:
        said = str(error)
    assert SECRET not in said
    assert len(said) < 300


@pytest.mark.parametrize("declared", [None, 10])
def test_a_workbook_that_unpacks_to_very_much(
    folder: Path, declared: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes of all parts are counted, whatever size the archive declares."""
    pytest.importorskip("python_calamine")
    monkeypatch.setattr(budgets, "EXCEL_BYTES", 2**22)
    path = workbook(folder / "t.xlsx", "", "x", b"<sst>" + b"<si><t>x</t></si>" * 2**20 + b"</sst>")
    if declared is not None:
        data = bytearray(path.read_bytes())
        at = data.rindex(b"PK\x01\x02")
        data[at + 24 : at + 28] = declared.to_bytes(4, "little")
        path.write_bytes(data)
    refused(path, "t.xlsx unpacks to more than 4 MiB: save the table as .csv")


def test_a_pattern_names_files_and_no_more(folder: Path) -> None:
    """A pattern reads the files that it matches, by their own names; a name with signs of a pattern is one file."""
    for name in ("m1.csv", "m2.csv", "*.csv"):
        Path(name).write_bytes(TEXT)
    assert open_table("*.csv").title == "*.csv"
    Path("m3.csv").write_bytes(b"SQLite format 3\0" + bytes(99))
    refused("m?.csv", "m3.csv holds a SQLite database")


@pytest.mark.parametrize("scheme", ["http", "https", "ftp", "s3", "gs", "file", "hdfs"])
def test_addresses_of_files_are_not_read(scheme: str) -> None:
    """Nothing is fetched, and no package is asked for."""
    refused(f"{scheme}://127.0.0.1:9/t.csv", f"{scheme}:// is an address of a file, and no network is used")
