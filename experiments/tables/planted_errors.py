"""Planted errors in the sample tables: are the wrong rows the suspects, and are there few others?

A third of the errors are values of another row, a third are typing errors or numbers far out of range, a third are
numbers that are a little off. Some cannot be noticed by anyone: another sales channel is as good as the right one.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from experiments.result import Result, RunContext
from unwritten.samples.sample_tables import SampleName, sample_rows

SAMPLES: tuple[SampleName, ...] = ("orders", "shifts", "sensors")
ROWS, ERRORS = 1_200, 12
PRECISION, RECALL, SUSPECTS, SECONDS = "suspects that are wrong, %", "wrong rows named, %", "suspects", "s to mine"

Row = dict[str, str | None]


def run(context: RunContext) -> Result:
    """Mine each table with planted errors and noise="auto", with several seeds."""
    result = Result("planted-errors", f"{ERRORS} wrong cells in {ROWS:,} rows of each sample table")
    for name in SAMPLES:
        numbers: dict[str, list[float]] = {PRECISION: [], RECALL: [], SUSPECTS: [], SECONDS: []}
        for seed in range(context.seed + 1, context.seed + 1 + context.pick(1, 3)):
            context.say(f"{name}: seed {seed}")
            rows, wrong = planted(name, seed)
            start = perf_counter()
            suspects = unwritten.mine(rows, noise="auto").suspects.tolist()
            numbers[SECONDS].append(perf_counter() - start)
            named = len(wrong.intersection(suspects))
            numbers[PRECISION].append(100 * named / max(1, len(suspects)))
            numbers[RECALL].append(100 * named / len(wrong))
            numbers[SUSPECTS].append(len(suspects))
        for measure, values in numbers.items():
            spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
            result.add(name, "noise=auto", measure, None, float(np.mean(values)), spread=spread)
    result.notes.append("Means over seeds ± standard deviation. A cell is wrong in each of the wrong rows.")
    return result


def planted(name: SampleName, seed: int) -> tuple[list[Row], set[int]]:
    """Return a sample table in which one cell of some rows is wrong, and the places of these rows."""
    rng = np.random.default_rng(seed)
    made = sample_rows(name, rows=ROWS, seed=seed)
    rows = [{column: None if cell is None else str(cell) for column, cell in row.items()} for row in made]
    right = [dict(row) for row in rows]
    places = rng.choice(len(rows), ERRORS, replace=False).tolist()
    for k, place in enumerate(places):
        row = rows[place]
        while row == right[place]:
            column = list(row)[int(rng.integers(len(row)))]
            other = right[int(rng.integers(len(rows)))][column]
            row[column] = (other, _far_off(row[column]), _a_little_off(row[column], rng))[k % 3]
    return rows, set(places)


def _far_off(cell: str | None) -> str:
    if cell is None or not _is_number(cell):
        return (cell or " ")[:-1] + "#"
    return f"{1000 * float(cell) + 7:.2f}" if "." in cell else str(1000 * int(cell) + 7)


def _a_little_off(cell: str | None, rng: np.random.Generator) -> str | None:
    if cell is None or not _is_number(cell):
        return cell
    more = int(rng.integers(1, 10))
    return f"{float(cell) + more:.2f}" if "." in cell else str(int(cell) + more)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdecimal()
