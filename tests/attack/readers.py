"""Readers: what is fuzzed, with valid inputs to start from and the ways in which each is made strange."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
import struct
import tempfile
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import tacit
from attack.mutators import (
    bytes_changed,
    encoded,
    json_changed,
    members_of,
    npy_changed,
    text_changed,
    text_of,
    zip_fields_changed,
    zipped,
)
from tacit.cli.explain import _row
from tacit.cli.solve import weights_of
from tacit.experiments import datasets, trees, xcsp
from tacit.review import Findings, explain
from tacit.rules import parse_rule
from tacit.tables import Table
from tacit.tables.source import source_of


@dataclass(frozen=True)
class Fuzzed:
    """How to make an input, and how to read one."""

    make: Callable[[random.Random], bytes]
    read: Callable[[bytes], None]
    prepare: Callable[[], object]


def written(data: bytes, suffix: str) -> str:
    """A file in the working directory, by its relative name."""
    name = f"input{suffix}"
    Path(name).write_bytes(data)
    return name


@cache
def frame() -> pa.Table:
    """A small table with columns of every kind, and a rule or two."""
    rng = np.random.default_rng(5)
    n = 150
    trim = rng.choice(["base", "sport", "two words", "lux\u202eury"], n)
    doors = np.where(trim == "sport", 3, np.where(trim == "base", 5, rng.choice([3, 5], n)))
    seats = doors + rng.integers(0, 40, n)
    note = [None if k % 7 == 0 else "y" if k % 2 else "n" for k in range(n)]
    return pa.table(
        {
            "trim": trim,
            "doors": doors,
            "seats": seats,
            "a,b": note,
            "price": rng.normal(size=n),
            "sold": rng.integers(0, 2, n).astype(bool),
            "when": pa.array(rng.integers(0, 10**9, n), pa.timestamp("s")),
        }
    )


# CSV


@cache
def csv_seeds() -> tuple[bytes, ...]:
    """The table with different delimiters, line ends, quotes and encodings."""
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
    """A first byte for the suffix and options, then a CSV file."""
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
    """Inspect it, read it as labels, and find what is wrong with its rows."""
    kind = data[0] if data else 0
    path = written(data[1:], (".csv", ".csv.gz", ".csv.bz2", ".csv.xz")[kind % 4])
    choice = kind // 4
    known: dict[int, Any] = {3: {"delimiter": ";"}, 4: {"encoding": "cp1252"}, 5: {"encoding": "utf-16"}}
    options = known.get(choice, {})
    both(Table.of(path, missing="error" if choice == 6 else "category", missing_words=["NA"], **options))


def both(table: Table) -> None:
    """The second pass over a table, and a check of its rows by a model that knows other columns too."""
    assert len(table.labels()) == table.rows
    for _finding in Findings(table_model(), table.source):
        pass


# Parquet and Arrow


def _parquet(**options: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(frame(), file, **options)
    return file.getvalue()


@cache
def parquet_seeds() -> tuple[bytes, ...]:
    """The table packed in several ways."""
    return (
        _parquet(compression="none"),
        _parquet(compression="snappy", use_dictionary=False),
        _parquet(compression="zstd", data_page_version="2.0", row_group_size=20),
        _parquet(compression="gzip", write_statistics=False, version="1.0"),
        _parquet(compression="none", use_dictionary=False, column_encoding={"seats": "DELTA_BINARY_PACKED"}),
    )


def parquet_made(rng: random.Random) -> bytes:
    """Mostly changes of the footer, which says where everything is."""
    seed = rng.choice(parquet_seeds())
    (length,) = struct.unpack("<I", seed[-8:-4])

    def in_footer(size: int) -> int:
        return max(0, size - 8 - rng.randrange(min(size, length + 8)))

    return bytes_changed(rng, seed, rng.choice(parquet_seeds()), in_footer if rng.random() < 0.6 else None)


def parquet_read(data: bytes) -> None:
    """Read a Parquet file twice."""
    both(Table.of(written(data, ".parquet"), {"when": "skip"} if len(data) % 2 else None))


@cache
def arrow_seeds() -> tuple[bytes, ...]:
    """Files and streams, with and without dictionaries and compression."""
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
    """Changes anywhere."""
    return bytes_changed(rng, rng.choice(arrow_seeds()), rng.choice(arrow_seeds()))


def arrow_read(data: bytes) -> None:
    """Read an Arrow file twice."""
    both(Table.of(written(data, ".arrow"), {"when": "skip"} if len(data) % 2 else None))


# models


@cache
def table_model() -> tacit.Model:
    """A model of the table, edited by a person."""
    model = tacit.mine(Table.of(frame(), {"price": "bins:3"}))
    first = next(s.id for s in model.sentences if s.origin == "mined")
    edited = model.without([first]).with_rules(["trim = sport requires doors = 3"])
    return replace(edited, total=2 * edited.examples, notes=("a note",))


@cache
def models() -> tuple[tacit.Model, ...]:
    """One of each kind: plain, with cuts, with a lift, with a matroid, noisy, of a table."""
    weights, labels = trees.sample(4, 60, seed=0)
    noisy = tacit.mine(np.eye(4, dtype=int).repeat(30, axis=0), names=list("abcd"))
    return (
        tacit.mine(np.eye(4, dtype=int).repeat(3, axis=0), names=["a", "b c", "ü", "=x"]),
        tacit.mine(labels, weights),
        tacit.mine(labels, rules=["equalities"], lifts=["pairs"]),
        tacit.mine(trees.sample(5, 200, seed=0)[1]),
        replace(noisy, suspects=np.array([3], np.int64)),
        tacit.mine(np.array([[0, 3], [3, 0], [1, 2], [2, 1]]), sense="min"),
        table_model(),
    )


@cache
def model_seeds() -> tuple[bytes, ...]:
    """The models as files."""
    seeds = []
    with tempfile.TemporaryDirectory() as place:
        for model in models():
            model.save(Path(place) / "seed.tacit")
            seeds.append((Path(place) / "seed.tacit").read_bytes())
    return tuple(seeds)


def model_made(rng: random.Random) -> bytes:
    """Changes of bytes, of the zip's fields, of members, of the header or of arrays."""
    data = rng.choice(model_seeds())
    kind = rng.randrange(12)
    if kind == 0:
        return bytes_changed(rng, data, rng.choice(model_seeds()))
    if kind == 1:
        return zip_fields_changed(rng, data)
    members = members_of(data)
    if kind < 8:
        document = json.loads(members["header.json"])
        if kind == 2:
            document = json_changed(rng, document)
        else:
            document["content"] = json_changed(rng, document["content"])
        members["header.json"] = json.dumps(document).encode()
        if kind == 3:
            members["header.json"] = bytes_changed(rng, members["header.json"])
    if kind >= 7:
        for name in rng.sample(sorted(set(members) - {"header.json"}), rng.choice((1, 1, 2))):
            members[name] = npy_changed(rng, members[name])
    listed = list(members.items())
    if kind == 11:
        k = rng.randrange(len(listed))
        change = rng.randrange(4)
        if change == 0:
            del listed[k]
        elif change == 1:
            listed.append(listed[k])
        elif change == 2:
            listed[k] = (text_of(rng).replace("\0", "0").encode("utf-8", "replace").decode()[:200] or "x", listed[k][1])
        else:
            listed.append((rng.choice(("../x", "/x", "c:\\x", "a/b.npy", "CON.npy")), rng.randbytes(30)))
    return zipped(listed, rng.choice((0, 8, 8, 8)))


def model_read(data: bytes) -> None:
    """Load it, and ask what every caller asks: sentences, a summary, a check, another save."""
    model = tacit.load(written(data, ".tacit"))
    for sentence in model.sentences:
        str(sentence)
    model.summary()
    model.check(model.seen).summary() if len(model.seen) else None
    model.save("again.tacit")
    assert tacit.load("again.tacit") == model


# XCSP and the other data sets

NETWORK = """<instance>
 <presentation format="XCSP 2.1" type="CSP"/>
 <domains nbDomains="2">
  <domain name="D" nbValues="3">0 1 2</domain><domain name="E" nbValues="4">-1 4..6</domain>
 </domains>
 <variables nbVariables="3">
  <variable name="a" domain="D"/><variable name="b" domain="D"/><variable name="c" domain="E"/>
 </variables>
 <relations nbRelations="2">
  <relation name="R" arity="2" nbTuples="3" semantics="supports">0 -1|1 5| 2 6</relation>
  <relation name="S" arity="2" nbTuples="2" semantics="conflicts">1 1|0 2</relation>
 </relations>
 <constraints nbConstraints="2">
  <constraint name="x" arity="2" scope="a c" reference="R"/><constraint name="y" scope="b a" reference="S"/>
 </constraints>
</instance>"""
LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
TRICKS = [
    f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="cp037"?>',
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "&l9;",
    "&#0;",
    "&#x110000;",
    "&lt;",
    "<!doctype x>",
]
XML_TOKENS = [
    *("<", ">", "/", "=", '"', "domain", "variable", "relation", "constraint", "name", "nbValues", "arity", "scope"),
    *("0..4194305", "..", "1..0", "-9999999999..9999999999", "|", "| |", "semantics", "xmlns=", "a:", "<x>", "</x>"),
    *("<x>" * 3_000, *TRICKS),
]


def tree_changed(rng: random.Random) -> str:
    """Well-formed XML: attributes, texts and elements changed, dropped, doubled or moved."""
    root = ElementTree.fromstring(NETWORK)
    for _ in range(rng.choice((1, 1, 2, 3))):
        every = list(root.iter())
        one, other = rng.choice(every), rng.choice(every)
        keys = list(one.attrib) or ["name"]
        word = rng.choice((text_of(rng), rng.choice(XML_TOKENS), "R", "a", "D", "3"))
        match rng.randrange(7):
            case 0 | 1:
                one.set(rng.choice(keys), word)
            case 2:
                one.attrib.pop(rng.choice(keys), None)
            case 3:
                one.text = rng.choice((word, f"{one.text} {word}", f"{one.text}|{word}", "0..4194304", "-1..0 0"))
            case 4 if len(one):
                one.remove(one[rng.randrange(len(one))])
            case 5 if len(other):
                one.append(deepcopy(other[rng.randrange(len(other))]))
            case _:
                one.tag = rng.choice((other.tag, "x"))
    text = ElementTree.tostring(root, "unicode")
    return "".join(c for c in text if c in "\t\n" or c >= " ")


def xcsp_made(rng: random.Random) -> bytes:
    """Changed XML, sometimes with a document type in front."""
    if rng.random() < 0.6:
        return encoded(tree_changed(rng))
    text = text_changed(rng, NETWORK, XML_TOKENS, NETWORK)
    if rng.random() < 0.2:
        text = rng.choice(TRICKS) + text
    if rng.random() < 0.2:
        return bytes_changed(rng, encoded(text))
    return encoded(text)


def xcsp_read(data: bytes) -> None:
    """Parse it."""
    xcsp.parse(data.decode("utf-8", "surrogateescape"))


ARFF = "\n".join(
    [
        "@RELATION x",
        "@ATTRIBUTE f1 numeric",
        "@ATTRIBUTE f2 numeric",
        "@ATTRIBUTE class hierarchical 1,1/2,1/2/3,4",
        "@DATA",
        *("1.5,2,1/2/3", "0,1e3,4", "-1,0,1/2@4"),
    ]
)
LINES: dict[str, tuple[str, Callable[[Sequence[str]], object]]] = {
    "satnet": ("\n".join(f"{'0' * 81},{'123456789' * 9}" for _ in range(3)), datasets.satnet_of),
    "mst": ("\n".join(" ".join(str(k % 5) for k in range(98)) for _ in range(3)), datasets.mst_of),
    "arff": (ARFF, datasets.arff_of),
    "renault": ("a b c\n1 2 3\n4 5 6\n-1 0 2", lambda lines: datasets.renault_of(lines, lines[1:])),
}


def lines_made(rng: random.Random) -> bytes:
    """A first byte for the kind of file, then its text."""
    k = rng.randrange(len(LINES))
    text = list(LINES.values())[k][0]
    return bytes([k]) + encoded(text_changed(rng, text, ["@DATA", "@ATTRIBUTE class", ",", "/", "@", "\n", " "], ARFF))


def lines_read(data: bytes) -> None:
    """Parse the lines as the experiments do once the checksum is right."""
    _, parse = list(LINES.values())[(data[0] if data else 0) % len(LINES)]
    parse([line for line in data[1:].decode("utf-8", "replace").split("\n") if line.strip()])


# the language of rules, weights, rows

RULES = (
    "trim = sport requires doors = 3",
    'trim ∈ {base, "two words"} excludes "a,b" = missing',
    "doors = 3 exactly when trim = sport",
    "at most two of trim = sport, doors = 5, sold, price = missing",
    "2·[trim = sport] + seats − 3·doors ≤ 5",
    "seats = doors + 2",
    "doors, seats all differ",
    'trim and "a,b" go together: base ↔ y, sport ↔ n',
    "a requires b",
    "exactly one of a, b, c",
    "trim = sport never (noisy: 1 of 9 examples break it)",
)
RULE_TOKENS = [
    *("requires", "excludes", "exactly when", "always", "never", "at most", "at least", "exactly", "two", "of", "and"),
    *("all differ", "go together:", "↔", "<->", "∈", "in", "{", "}", "[", "]", "=", "==", "≠", "!=", "≤", "<=", ">"),
    *("<", "+", "-", "−", "*", "·", ",", '"', "trim", "doors", "seats", "sold", '"a,b"', "base", "sport", "3"),
    *("missing", "a", "b", "(noisy: ", " examples break it)", "not in", "∉", '"\\u0000"', '"\\ud800"', "- " * 500),
    *("a requires " * 400, "[" * 500),
]


def rule_made(rng: random.Random) -> bytes:
    """A sentence, or parts of several."""
    text = text_changed(rng, rng.choice(RULES), RULE_TOKENS, rng.choice(RULES))
    return bytes([rng.randrange(2)]) + encoded(text)


def rule_read(data: bytes) -> None:
    """Read it over columns or over variables; what is read makes a model that can say it again."""
    model = table_model() if data[:1] == b"\0" else models()[4]
    text = data[1:].decode("utf-8", "surrogatepass")
    parse_rule(text, model.variables, model.schema)
    _ = [str(sentence) for sentence in model.with_rules([text]).sentences]


@cache
def weight_seeds() -> tuple[bytes, ...]:
    """Tables of weights by the names of variables."""
    names = table_model().variables.names
    seeds = []
    for some, delimiter in ((names, ","), (names[:3], ";"), (names[::2], "\t")):
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter)
        writer.writerow(some)
        writer.writerows([[k / 7 + j for j in range(len(some))] for k in range(3)])
        seeds.append(text.getvalue().encode())
    return tuple(seeds)


def weights_made(rng: random.Random) -> bytes:
    """Changed tables."""
    return bytes_changed(rng, rng.choice(weight_seeds()), rng.choice(weight_seeds()))


def weights_read(data: bytes) -> None:
    """Read weights and decide."""
    model = table_model()
    weights = weights_of(written(data, ".csv"), model.variables.names)
    decided = model.decide(weights[:3], time_limit=1.0)
    good = [str(status) in ("optimal", "feasible") for status in decided.status]
    assert model.check(decided.labels[good]).feasible.all() if any(good) else True


def row_made(rng: random.Random) -> bytes:
    """A first byte for the model, then a JSON object."""
    rows = frame().drop_columns(["price", "when"]).to_pylist()
    row = {**rng.choice(rows), "price": 0.5} if rng.random() < 0.7 else {"a": 1, "b": 0, "c": 0, "d": 0}
    text = json.dumps(json_changed(rng, row))
    if rng.random() < 0.3:
        text = bytes_changed(rng, text.encode()).decode("utf-8", "replace")
    return bytes([rng.randrange(2)]) + encoded(text)


def row_read(data: bytes) -> None:
    """Read a row as `tacit explain` does, and explain it."""
    model = table_model() if data[:1] == b"\0" else models()[4]
    text = data[1:].decode("utf-8", "surrogatepass")
    found = explain(model, _row(model, text if text.lstrip().startswith("{") else "{" + text), time_limit=1.0)
    json.dumps(found.state(), allow_nan=False)
    found.summary()


def _ready_tables() -> None:
    source_of(frame())
    both(Table.of(frame()))


READERS = {
    "csv": Fuzzed(csv_made, csv_read, _ready_tables),
    "parquet": Fuzzed(parquet_made, parquet_read, _ready_tables),
    "arrow": Fuzzed(arrow_made, arrow_read, _ready_tables),
    "tacit": Fuzzed(model_made, model_read, model_seeds),
    "xcsp": Fuzzed(xcsp_made, xcsp_read, lambda: None),
    "lines": Fuzzed(lines_made, lines_read, lambda: None),
    "rule": Fuzzed(rule_made, rule_read, models),
    "weights": Fuzzed(weights_made, weights_read, weight_seeds),
    "row": Fuzzed(row_made, row_read, models),
}
