"""Faults that fuzzing and fault injection found, one test each."""

from __future__ import annotations

import gzip
import io
import json
import struct
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unwritten
from attack.mutators import members_of, zipped
from attack.readers.datasets import NETWORK
from attack.readers.samples import table_model
from experiments import datasets, xcsp
from unwritten.building import build_exact as build
from unwritten.data import Examples
from unwritten.errors import DataError, FormatError, SolverError
from unwritten.formats import read_archive, write_archive
from unwritten.model.state import pack
from unwritten.options import MiningOptions
from unwritten.solving.backends import Reply, backend_class
from unwritten.solving.decision import Answers, Status
from unwritten.sources import Gathered
from unwritten.tables import Table
from unwritten.tables.quoting import quoted
from unwritten.tally import Tally


def refused(path: Path, words: str) -> str:
    """Assert that a table is refused with one sentence, and return it."""
    with pytest.raises(DataError, match=words) as caught:
        Table.of(path).labels()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_damaged_gzip(tmp_path: Path) -> None:
    """A damaged gzip file raised an error of zlib."""
    data = bytearray(gzip.compress(b"a,b\n" + b"1,2\n" * 500 + bytes(range(32, 127)) * 20))
    for at in range(12, 40):
        data[at] ^= 0xFF
    (tmp_path / "x.csv.gz").write_bytes(data)
    refused(tmp_path / "x.csv.gz", "cannot be read")


@pytest.mark.parametrize(
    ("head", "unit", "words"),
    [
        (b"a", b"a" * 2**16, "has one line only"),  # a name that never ends
        (b'a,b\n1,"', b"x\n" * 2**15, "a quote that is not closed"),  # a quote that never ends
        (b"c", b"".join(b",c%d" % k for k in range(700)), "columns, more than"),
        (b'"a', b"\n" * 2**16, "a quote that is not closed"),
    ],
)
def test_lines_without_end(tmp_path: Path, head: bytes, unit: bytes, words: str) -> None:
    """A small file that unpacks to one endless line of 20 MB is refused after the first block."""
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(head + unit * 300, 1))
    refused(tmp_path / "x.csv.gz", words)


def test_columns_without_end(tmp_path: Path) -> None:
    """A first line of 200,000 names is refused before any work is done for each name."""
    path = tmp_path / "x.csv"
    path.write_text(",".join(f"c{k}" for k in range(200_000)) + "\n")
    refused(path, "has 200,000 columns, more than 100,000")


def _ipc(table: pa.Table) -> bytes:
    file = io.BytesIO()
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def test_an_index_beyond_its_dictionary(tmp_path: Path) -> None:
    """Arrow does not check the indices of a file: the process crashed, or read foreign memory."""
    codes = np.array([0, 1, 0x5A5A5A], np.int32)
    data = _ipc(pa.table({"a": pa.DictionaryArray.from_arrays(np.array([0, 1, 1], np.int32), ["x", "y"])}))
    data = data.replace(struct.pack("<3i", 0, 1, 1), codes.tobytes())
    (tmp_path / "x.arrow").write_bytes(data)
    refused(tmp_path / "x.arrow", "not a complete Arrow file")


def test_an_offset_beyond_its_text(tmp_path: Path) -> None:
    """Arrow does not check the offsets of texts either."""
    data = _ipc(pa.table({"a": ["ab", "cd"]})).replace(struct.pack("<3i", 0, 2, 4), struct.pack("<3i", 0, 2, 10**8))
    (tmp_path / "x.arrow").write_bytes(data)
    refused(tmp_path / "x.arrow", "not a complete Arrow file")


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_text_that_is_not_utf8(tmp_path: Path, kind: str) -> None:
    """Bytes that are not UTF-8, in values or in names, raised a UnicodeDecodeError."""
    table = pa.table({"abcdefgh": ["ijklmnop", "qrstuvwx"]})
    file = io.BytesIO()
    pq.write_table(table, file, compression="none", use_dictionary=False)
    data = _ipc(table) if kind == "arrow" else file.getvalue()
    for old in (b"ijklmnop", b"abcdefgh"):
        path = tmp_path / f"x.{kind}"
        path.write_bytes(data.replace(old, b"\xff\xfe" + old[2:]))
        refused(path, "file|column")


@pytest.mark.parametrize("unit", ["s", "us"])
def test_years_beyond_the_calendar(unit: str) -> None:
    """A timestamp beyond the dates of Python raised an OverflowError or a ValueError."""
    with pytest.raises(DataError, match="holds timestamp"):
        Table.of(pa.table({"a": pa.array([2**62, 0], pa.timestamp(unit))}))


def _edited(tmp_path: Path, **header: Any) -> Path:
    """Save the model of a table with some fields of its header replaced."""
    content, arrays = pack(table_model())
    path = tmp_path / "x.rules"
    write_archive(path, {**content, **header}, arrays)
    return path


@pytest.mark.parametrize(
    "evidence",
    [
        [10, -1, 0.5, 1.0, 0.0],  # a negative number of violations
        [10, 11, 0.5, 1.0, 0.0],  # more violations than examples
        [-5, 0, 0.5, 1.0, 0.0],
        [10, 1, 1.5, 1.0, 0.0],  # a probability above 1: its logarithm failed when sentences were printed
        [10, 1, 0.5, -3.0, 0.0],
        [10, 1, 0.5, 10**400, 0.0],  # too large for a float
        [10**30, 1, 0.5, 1.0, 0.0],
        [10, 1, 0.5, 1.0],
        [10, 1, 0.5, 1.0, 2.0],
    ],
)
def test_impossible_evidence(tmp_path: Path, evidence: list[Any]) -> None:
    """A file with impossible evidence is refused when it is loaded, not later when sentences are printed."""
    content, _ = pack(table_model())
    path = _edited(tmp_path, evidence=[evidence] * len(content["evidence"]))
    with pytest.raises(FormatError, match="save the model again"):
        unwritten.load(path)


@pytest.mark.parametrize("total", [10**400, 2**63, -1, 1, True, 1.5])
def test_impossible_totals(tmp_path: Path, total: Any) -> None:
    """A total number of examples that is too large for a float made sentences fail."""
    with pytest.raises(FormatError, match="save the model again"):
        unwritten.load(_edited(tmp_path, total=total))


def test_counts_that_overflow(tmp_path: Path) -> None:
    """Counts whose sum exceeds 64 bits became a negative number of examples."""
    content, arrays = pack(table_model())
    counts = np.full(len(arrays["counts"]), 2**62)
    write_archive(tmp_path / "x.rules", content, {**arrays, "counts": counts})
    with pytest.raises(FormatError, match="save the model again"):
        unwritten.load(tmp_path / "x.rules")


def test_messages_about_models_are_one_plain_line(tmp_path: Path) -> None:
    """A message that quotes a name from the file escapes its control characters."""
    content, _ = pack(table_model())
    schema = json.loads(json.dumps(content["schema"]))
    schema[0]["kind"] = "\x1b[31m\nx"
    schema[0]["name"] = "\x1b[31m\nx"
    with pytest.raises(FormatError) as caught:
        unwritten.load(_edited(tmp_path, schema=schema))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("parse", "lines"),
    [
        (datasets.satnet_of, ["12,34"]),
        (datasets.satnet_of, ["x" * 81 + "," + "1" * 81]),
        (datasets.mst_of, ["1 2 3"]),
        (datasets.mst_of, ["nan " * 98]),
        (datasets.arff_of, ["@DATA"]),
        (datasets.arff_of, ["1,2,3"]),
        (datasets.arff_of, ["@ATTRIBUTE class hierarchical a,b", "@DATA", "1,2,c"]),
        (lambda lines: datasets.renault_of(lines, lines), []),
        (lambda lines: datasets.renault_of(lines, ["x"]), ["a b", "1 2 3"]),
    ],
)
def test_lines_of_another_file(parse: Any, lines: list[str]) -> None:
    """Lines of another file raised IndexError or StopIteration instead of an error of ours."""
    with pytest.raises(DataError, match="get it again"):
        parse(lines)


def test_counts_with_blanks_around_them() -> None:
    """int() accepts a number with line breaks around it, and the message repeated them."""
    with pytest.raises(FormatError, match="announces nbValues=4 but has 3") as caught:
        xcsp.parse(NETWORK.replace('nbValues="3"', 'nbValues="&#10;4"'))
    assert str(caught.value).isprintable()


def test_one_solver_in_two_engines_is_one_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two engines that both use HiGHS counted as two solvers that say "infeasible"; they count as one."""
    model = unwritten.mine(np.eye(6, dtype=int)[:4], rules=[], bounds=(0, 1)).with_rules([([1] * 6, ">=", 2)])
    monkeypatch.setattr(backend_class("highs"), "solve", lambda *a, **k: Reply(Status.INFEASIBLE))
    decided = model.decide(np.ones((1, 6)), engine="monolithic", backend="highs")
    assert decided.status[0] == "optimal"
    assert decided.values[0] == 6


def test_blank_answers_have_a_status_with_a_remedy() -> None:
    """np.full turned statuses into plain text, so `predict` failed instead of naming the remedy."""
    assert Answers.blank(1, 2).status[0].remedy
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "unwritten.solving.engines.lazy.Lazy.__init__", lambda *_: (_ for _ in ()).throw(SolverError("no"))
        )
        model = unwritten.mine(np.eye(3, dtype=int), rules=[], bounds=(0, 1)).with_rules([([1, 1, 1], ">=", 2)])
        with pytest.raises(SolverError, match="try another backend"):
            model.predict(np.ones((1, 3)), engine="lazy")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, 2.0**63])
def test_values_that_are_not_integers(value: float) -> None:
    """NaN became the smallest integer, which means "no label" in one place and is a label in others."""
    assert Reply(Status.OPTIMAL, np.array([0.0, value])).rounded() is None


@pytest.mark.parametrize("name", ["\x1b[31m", "a\u202eb", "\x9b", "\u00a0", "\ud800", "𝔘 \U000e0001"])
def test_quoted_texts_are_plain_and_read_back(name: str) -> None:
    """Sentences are printed unchanged, so the names in them are escaped as JSON, which the language reads back."""
    assert quoted(name).isprintable()
    assert json.loads(quoted(name)) == name


def test_a_message_names_no_path_of_the_machine(tmp_path: Path) -> None:
    """The operating system's message about a missing file contained the whole path."""
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    table = Table.of(path)
    path.unlink()
    with pytest.raises(DataError) as caught:
        table.labels()
    assert str(tmp_path) not in str(caught.value)


def test_a_wrong_declaration_of_utf8(tmp_path: Path) -> None:
    """Arrow printed a traceback on standard error if a short line was not UTF-8."""
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n1,2\n\xff\xfe\n")
    with pytest.raises(DataError, match="is not utf-8 text"):
        Table.of(path, encoding="utf-8")


def test_members_out_of_order_are_the_same_model(tmp_path: Path) -> None:
    """The order of the members in the zip does not change the model."""
    table_model().save(tmp_path / "a.rules")
    members = list(members_of((tmp_path / "a.rules").read_bytes()).items())
    (tmp_path / "b.rules").write_bytes(zipped(members[::-1]))
    assert unwritten.load(tmp_path / "b.rules") == table_model()
    assert read_archive(tmp_path / "a.rules")[0] == read_archive(tmp_path / "b.rules")[0]


@pytest.mark.parametrize("times", [10**9, 10**12])
def test_more_examples_than_can_be_listed(times: int) -> None:
    """A billion examples with few distinct labels failed, because code listed the examples to draw half of them."""
    labels = np.array(list(product([0, 1], repeat=2)) * 2)[:, [0, 1, 0]]
    few = Tally.of(labels)
    tally = Tally(few.n * times, few.gram * times, few.seen, few.counts * times)
    model = build(Gathered(tally, Examples.of(tally.seen, names=["a", "b", "c"]), tally), MiningOptions())
    assert [str(sentence) for sentence in model.sentences] == ["a = c"]
    assert model.examples == 8 * times


def test_room_for_less_than_one_label() -> None:
    """The label of zeros has the hash 0, which thinning never drops: thinning continued past the last bit."""
    with pytest.raises(DataError, match="raise most_kept"):
        unwritten.mine([np.vstack([np.eye(6, dtype=np.uint8), np.zeros((2, 6), np.uint8)])], most_kept=1)
