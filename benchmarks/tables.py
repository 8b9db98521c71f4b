"""Tables of a million rows: the speed of checking against a plain loop, and the memory of mining."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

import unwritten
from benchmarks.timing import MarkdownTable
from experiments import datasets
from unwritten.errors import DataError
from unwritten.review import Findings
from unwritten.tables import open_table

#: Runs the command line, then prints the peak memory of this process in KiB.
CHILD = """
import re, sys
from unwritten.cli import app
app(sys.argv[1:], standalone_mode=False)
print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
"""
LOOPED = 20_000  # rows for the plain loop, which is slow

Term = tuple[str, dict[str, int]]


def check(quick: bool) -> MarkdownTable:
    """Checking a CSV file of a million rows against a plain Python loop over rows and rules."""
    rows = LOOPED if quick else 1_000_000
    table = MarkdownTable(f"Checking {rows:,} rows of a CSV file, against a loop over rows and rules in Python")
    with tempfile.TemporaryDirectory() as folder:
        for case, whole in _cases(rows):
            path = Path(folder) / "rows.csv"
            arrow_csv.write_csv(_damaged(whole), path)
            model = unwritten.mine(unwritten.Table.of(whole.slice(0, min(rows, 100_000))))
            _compare(table, case, model, path, rows)
    table.notes.append(
        f"Both read the file. The loop runs on the first {LOOPED:,} rows: csv.DictReader, and for each rule a "
        "dictionary lookup per column. One row in a thousand was damaged. `alike` counts rows with the same "
        "verdict."
    )
    return table


def _compare(table: MarkdownTable, case: str, model: unwritten.Model, path: Path, rows: int) -> None:
    start = perf_counter()
    broken_rows = {finding.row for finding in Findings(model, open_table(path))}
    ours = (perf_counter() - start) / rows
    start = perf_counter()
    few = min(rows, LOOPED)
    looped = _loop(model, path, few)
    theirs = (perf_counter() - start) / few
    alike = few - len(looped ^ {row for row in broken_rows if row <= few})
    table.add(
        case=case,
        columns=len(model.schema.columns) if model.schema else 0,
        rules=len(model.rules),
        found=len(broken_rows),
        ours_s=ours * rows,
        us_per_row=1e6 * ours,
        loop_us_per_row=1e6 * theirs,
        ratio=theirs / ours,
        alike=f"{alike:,} of {few:,}",
    )


def _loop(model: unwritten.Model, path: Path, rows: int) -> set[int]:
    """Return the rows that break a rule, by a plain loop."""
    assert model.schema is not None  # noqa: S101
    rules = []
    for rule in model.rules:
        terms: list[Term] = []
        for column in model.schema.used:
            part = rule.coefficients[model.schema.places[column.name]].tolist()
            if any(part) and column.kind == "integer":
                terms.append((column.name, {"": part[0]}))
            elif any(part):
                values = [0, part[0]] if column.kind == "boolean" else part
                terms.append((column.name, dict(zip((str(level) for level in column.levels), values, strict=True))))
        rules.append((terms, rule.sense == "==", rule.rhs))
    bad = set()
    with open(path, newline="", encoding="utf-8") as file:
        for place, row in enumerate(islice(csv.DictReader(file), rows), 1):
            for terms, equality, rhs in rules:
                total = 0
                for name, values in terms:
                    total += values[""] * int(row[name]) if "" in values else values.get(row[name], 0)
                if total != rhs if equality else total > rhs:
                    bad.add(place)
                    break
    return bad


def memory(quick: bool) -> MarkdownTable:
    """`unwritten mine` as a process of its own: time and peak memory."""
    rows = 20_000 if quick else 1_000_000
    table = MarkdownTable(f"Mining a generated table of {rows:,} rows × 50 columns")
    with tempfile.TemporaryDirectory() as folder:
        path, model = Path(folder) / "rows.csv", Path(folder) / "rows.rules"
        arrow_csv.write_csv(generated(rows), path)
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", CHILD, "mine", str(path), "-o", str(model)],
            check=True,
            capture_output=True,
            text=True,
        )
        seconds = perf_counter() - start
        peak = int(done.stdout.split()[-1]) / 2**20
        table.add(
            rows=rows,
            file_mb=path.stat().st_size / 1e6,
            seconds=seconds,
            us_per_row=1e6 * seconds / rows,
            peak_gib=peak,
            rules="; ".join(sentence.text for sentence in unwritten.load(model).sentences),
        )
    return table


def generated(rows: int, seed: int = 0) -> pa.Table:
    """Generate fifty columns: 44 without rules, and six that obey three rules."""
    rng = np.random.default_rng(seed)
    columns: dict[str, pa.Array] = {}
    for j in range(44):
        names = [f"v{k}" for k in range(4 + j % 8)]
        codes = rng.integers(0, len(names), rows).astype(np.int32)
        columns[f"c{j}"] = pa.DictionaryArray.from_arrays(codes, names).cast(pa.string())
    trim = rng.integers(0, 6, rows)
    net, tax = rng.integers(0, 500, rows), rng.integers(0, 500, rows)
    columns["trim"] = pa.array(trim)
    columns["engine"] = pa.array(np.where(trim < 2, rng.integers(0, 2, rows), rng.integers(0, 5, rows)))
    columns["sport"] = pa.array(np.where(trim > 2, "yes", "no"))
    columns |= {"net": pa.array(net), "tax": pa.array(tax), "gross": pa.array(net + tax)}
    return pa.table(columns)


def _cases(rows: int) -> list[tuple[str, pa.Table]]:
    cases = [("generated", generated(rows))]
    try:
        names, values, _ = datasets.renault(None)
    except DataError:  # the data set is absent
        return cases
    sales = pa.table({name: [str(value) for value in column] for name, column in zip(names, values.T, strict=True)})
    copies = -(-rows // sales.num_rows)
    return [*cases, ("Renault sales, repeated", pa.concat_tables([sales] * copies).slice(0, rows))]


def _damaged(table: pa.Table) -> pa.Table:
    """Replace a value in one row of a thousand by that of the row before, in the fourth column from the end."""
    place = table.num_columns - 4
    column = np.array(table.column(place).to_pylist())
    chosen = np.arange(1000, len(column), 1000)
    column[chosen] = column[chosen - 1]
    return table.set_column(place, table.column_names[place], pa.array(column))
