"""Wide data: Sudoku of side 16, and thousands of one-hot columns with known rules; time and peak memory."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from benchmarks.timing import MarkdownTable
from unwritten.building import build_exact as build
from unwritten.data import Examples
from unwritten.model import Model
from unwritten.options import MiningOptions
from unwritten.samples import sudoku
from unwritten.sources import Gathered
from unwritten.tally import Tally


@dataclass(frozen=True)
class Planted:
    """Sparse one-hot labels, and the rules that they were generated to obey."""

    labels: Any
    groups: list[tuple[int, ...]]
    equal: list[tuple[int, int]]
    requires: list[tuple[int, int]]
    apart: list[tuple[int, int]]
    sums: Sequence[tuple[int, ...]] = ()  # the first column is the sum of the others


def planted(n: int, columns: int, levels: int = 10, each: int = 20, seed: int = 0) -> Planted:
    """Generate columns in fours: a value of the first requires one of the second and excludes one of the third.

    The fourth column equals the first. The columns after the first `4 * each` obey no rules.
    """
    rng = np.random.default_rng(seed)
    values = rng.integers(0, levels, (n, columns))
    equal, requires, apart = [], [], []
    for k in range(each):
        first, second, third, fourth = range(4 * k, 4 * k + 4)
        a, b, c = rng.integers(0, levels, 3).tolist()
        values[values[:, first] == a, second] = b
        both = (values[:, first] == a) & (values[:, third] == c)
        values[both, third] = (c + 1) % levels
        values[:, fourth] = values[:, first]
        requires.append((first * levels + a, second * levels + b))
        apart.append((first * levels + a, third * levels + c))
        equal += [(first * levels + v, fourth * levels + v) for v in range(levels)]
    places = (values + levels * np.arange(columns)).ravel()
    starts = np.arange(0, n * columns + 1, columns)
    labels = csr_array((np.ones(n * columns, np.int8), places, starts), shape=(n, columns * levels))
    groups = [tuple(range(levels * k, levels * k + levels)) for k in range(columns)]
    return Planted(labels, groups, equal, requires, apart)


def families(n: int, count: int, columns: int = 10, levels: int = 10, seed: int = 0) -> Planted:
    """Generate rows that each belong to one of several families.

    A family has a 0/1 column and one-hot columns of its own, which are 0 in rows of other families. The rules: exactly
    one family column is 1, and a family column is the sum of each of the family's one-hot columns.
    """
    rng = np.random.default_rng(seed)
    width = 1 + columns * levels
    first = width * rng.integers(0, count, (n, 1))
    values = 1 + levels * np.arange(columns) + rng.integers(0, levels, (n, columns))
    places = np.column_stack([first, first + values]).ravel()
    starts = np.arange(0, len(places) + 1, columns + 1)
    labels = csr_array((np.ones(len(places), np.int8), places, starts), shape=(n, count * width))
    group = tuple(range(0, count * width, width))
    sums = [(k, *range(j, j + levels)) for k in group for j in range(k + 1, k + width, levels)]
    return Planted(labels, [group], [], [], [], sums)


def mined(labels: object, prior: Any = None) -> Model:
    """Mine as `unwritten.mine(labels, prior=prior)` does."""
    examples = Examples.of(labels)
    tally = Tally.of(examples.labels)
    return build(Gathered(tally, examples, tally), MiningOptions(prior=prior))


def counted(model: Model, truth: Planted, *, given: bool = False) -> tuple[int, int]:
    """Count the planted rules that the mined rules state, and the mined rules that were not planted.

    Of two groups that equal columns share only one is expected, unless the groups are given.
    """
    stated: set[tuple[Any, ...]] = set()
    for row, equality, rhs in zip(model.rules.matrix, model.rules.equality, model.rules.rhs, strict=True):
        places = np.flatnonzero(row)
        sign = np.sign(row[places[0]]) if equality else 1
        stated.add((bool(equality), int(sign * rhs), tuple(places.tolist()), tuple((sign * row[places]).tolist())))
    repeated = {j for _, j in truth.equal}
    wanted = {(True, 1, group, (1,) * len(group)) for group in truth.groups if given or not repeated & set(group)}
    wanted |= {(True, 0, pair, (1, -1)) for pair in truth.equal}
    wanted |= {(False, 0, pair, (1, -1)) for pair in truth.requires}
    wanted |= {(False, 1, pair, (1, 1)) for pair in truth.apart}
    wanted |= {(True, 0, places, (1,) + (-1,) * (len(places) - 1)) for places in truth.sums}
    return len(stated & wanted), len(stated - wanted)


def large_sudoku(n: int, side: int) -> dict[str, Any]:
    """Mine Sudoku of a larger side, and compare the mined rules with the true ones."""
    labels = sudoku.one_hot(sudoku.large_grids(n, seed=0, box=round(side**0.5)))
    truth = sudoku.true_rules(side)
    start, used = perf_counter(), process_time()
    model = mined(labels)
    took = {"seconds": perf_counter() - start, "cpu_s": process_time() - used}
    rules = model.rules + model.redundant
    ours, theirs = ({row.tobytes() for row in rows} for rows in (rules.matrix, truth))
    plain = bool(rules.equality.all() and (rules.rhs == 1).all())
    return {
        "case": f"Sudoku {side} × {side}",
        "rows": n,
        "columns": side**3,
        "planted": len(truth),
        "found": len(ours & theirs),
        "others": len(ours - theirs) + (not plain),
        **took,
        "peak_GiB": _peak(),
        "notes": len(model.notes),
    }


def one_hot_columns(n: int, columns: int, *, given: bool = False) -> dict[str, Any]:
    """Mine one-hot columns with planted rules from a sparse matrix; their groups may be given as known rules."""
    case = f"{columns:,} columns of 10 values, {'given as such' if given else 'sparse'}"
    return _compared(case, planted(n, columns), given=given)


def separate_families(n: int, count: int) -> dict[str, Any]:
    """Mine rows of separate families from a sparse matrix."""
    return _compared(f"{count} families of 101 columns, sparse", families(n, count))


def _compared(case: str, truth: Planted, *, given: bool = False) -> dict[str, Any]:
    prior = None
    if given:
        rows = np.zeros((len(truth.groups), truth.labels.shape[1]), np.int64)
        for row, group in zip(rows, truth.groups, strict=True):
            row[list(group)] = 1
        prior = [(row, "==", 1) for row in rows]
    start, used = perf_counter(), process_time()
    model = mined(truth.labels, prior)
    took = {"seconds": perf_counter() - start, "cpu_s": process_time() - used}
    found, others = counted(model, truth, given=given)
    rules = len(truth.groups) + len(truth.equal) + len(truth.requires) + len(truth.apart) + len(truth.sums)
    return {
        "case": case,
        "rows": truth.labels.shape[0],
        "columns": truth.labels.shape[1],
        "planted": rules - len(truth.requires),  # of two equal groups, one follows from the other
        "found": found,
        "others": others,
        **took,
        "peak_GiB": _peak(),
        "notes": len(model.notes),
    }


def wide(quick: bool) -> MarkdownTable:
    """Mining thousands of columns: time, and the peak memory of a process of its own for each case."""
    cases = [
        partial(large_sudoku, *((1_200, 9) if quick else (4_000, 16))),
        partial(one_hot_columns, *((3_000, 300) if quick else (5_000, 2_000))),
        partial(separate_families, *((5_000, 17) if quick else (60_000, 198))),
    ]
    if not quick:
        cases += [
            partial(one_hot_columns, 5_000, 2_000, given=True),
            partial(large_sudoku, 500, 16),
            partial(one_hot_columns, 20_000, 2_000),
        ]
    table = MarkdownTable("Wide data: rules mined, time, peak memory")
    for case in cases:
        with get_context("spawn").Pool(1) as pool:
            table.add(**pool.apply(case))
    return table


def _peak() -> float:
    """Return the peak memory of this process in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _main() -> None:
    print(wide(quick=False))


if __name__ == "__main__":
    _main()
