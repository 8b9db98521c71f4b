"""Streams: Sudoku grids generated on the fly and mined in one pass, and two Dask workers against one."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import unwritten
from benchmarks.timing import MarkdownTable
from unwritten.samples import sudoku

BATCH = 20_000
PARTITION = 100_000  # rows per task: 73 MB, about the size that Dask advises
BASES = 200  # grids from a search; all others are permutations of these

Bytes = NDArray[np.uint8]


def stream(quick: bool) -> MarkdownTable:
    """One pass over a stream of Sudoku grids on one thread, and the same grids on one and two Dask workers."""
    count = 120_000 if quick else 10_000_000  # more than one partition
    measured = _run("one", count)
    table = MarkdownTable(f"One pass over {count:,} generated Sudoku grids (729 columns), and two workers against one")
    cells = {"rules": measured["rules"], "rank": measured["rank"], "true_rules_implied": measured["implied"]}
    table.add(
        case="one pass, one thread",
        grids=count,
        seconds=measured["seconds"],
        grids_per_s=count / measured["read"],
        first_and_last_part_s=f"{measured['parts'][0]:.3g} and {measured['parts'][-1]:.3g}",
        peak_mib=measured["peak"],
        ratio=measured["parts"][-1] / measured["parts"][0],
        **cells,
    )
    times = {workers: _run("workers", count, workers) for workers in (1, 2)}
    for workers, facts in times.items():
        table.add(
            case=f"Dask, {workers} worker{'s' if workers > 1 else ''} of one thread",
            grids=count,
            seconds=facts["seconds"],
            grids_per_s=count / facts["seconds"],
            first_and_last_part_s="",
            peak_mib=facts["peak"],
            ratio=times[1]["seconds"] / facts["seconds"],
            **{"rules": facts["rules"], "rank": facts["rank"], "true_rules_implied": facts["implied"]},
        )
    share = measured["making"] / measured["read"]
    table.notes.append(
        f"Times include making the grids ({share:.0%} of the pass). A part is a tenth of the pass; ratio: its last "
        "to its first. That of the workers is the time of one to that of both, mining the merged tally included. "
        f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."
    )
    return table


def labels(n: int, seed: int) -> Bytes:
    """Generate `n` solved grids as 0/1 labels (n × 729): base grids with rows, columns and digits permuted."""
    bases, orders, digits = _tables()
    rng = np.random.default_rng(seed)
    rows, columns = (orders[rng.integers(0, len(orders), n)] for _ in range(2))
    is_transposed = rng.integers(0, 2, (n, 1, 1), dtype=np.int32)
    cells = (9 - 8 * is_transposed) * rows[:, :, None] + (1 + 8 * is_transposed) * columns[:, None, :]
    cells += 81 * rng.integers(0, len(bases), (n, 1, 1), dtype=np.int32)
    values = bases.ravel()[cells].reshape(n, 81)
    values += 9 * rng.integers(0, len(digits), (n, 1), dtype=np.int32)
    places = digits.ravel()[values] + np.arange(0, 729, 9, dtype=np.int32)
    out = np.zeros((n, 729), np.uint8)
    out.ravel()[places + 729 * np.arange(n)[:, None]] = 1
    return out


def partition(n: int, k: int) -> Bytes:
    """Generate partition `k` of the grids, in batches."""
    starts = range(0, n, BATCH)
    return np.concatenate([labels(min(BATCH, n - start), k * PARTITION + start) for start in starts])


@cache
def _tables() -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return the base grids (digits from 0), the 1,296 orders of rows that keep bands, and all orders of the digits."""
    three = list(permutations(range(3)))
    orders = [[3 * band + row for band, inner in zip(p, rest, strict=True) for row in inner]
              for p, *rest in product(three, repeat=4)]  # fmt: skip
    grids = sudoku.grids(BASES, seed=0) - 1
    return grids.astype(np.int32), np.array(orders, np.int32), np.array(list(permutations(range(9))), np.int32)


def one_pass(count: int) -> dict[str, Any]:
    """Mine a stream of `count` grids and time it in ten parts."""
    making, marks = 0.0, [0.0]

    def batches() -> Iterator[Bytes]:
        nonlocal making
        for k, start in enumerate(range(0, count, BATCH)):
            began = perf_counter()
            block = labels(min(BATCH, count - start), k)
            making += perf_counter() - began
            yield block
            if (start + BATCH) * 10 // count > start * 10 // count:
                marks.append(perf_counter() - clock)

    _tables()
    clock = perf_counter()
    model = unwritten.mine(batches())
    parts = np.diff(marks).tolist()
    return {"read": marks[-1], "parts": parts, "making": making, **_facts(model, perf_counter() - clock)}


def on_workers(count: int, workers: int) -> dict[str, Any]:
    """Mine `count` grids on a local Dask cluster."""
    import dask.array as da
    from dask import delayed
    from distributed import Client, LocalCluster

    sizes = [min(PARTITION, count - start) for start in range(0, count, PARTITION)]
    parts = [da.from_delayed(delayed(partition)(n, k), (n, 729), np.uint8) for k, n in enumerate(sizes)]
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.run(_tables)
        clock = perf_counter()
        model = unwritten.mine(da.concatenate(parts))
        return _facts(model, perf_counter() - clock)


def _facts(model: unwritten.Model, seconds: float) -> dict[str, Any]:
    rows = np.column_stack([sudoku.true_rules(), -np.ones(324, np.int64)])
    return {
        "seconds": seconds,
        "rules": len(model.rules),
        "rank": model.rules.rank,
        "implied": f"{int(model.rules.implied(rows).sum())} of 324",
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10,
    }


def _run(*arguments: object) -> dict[str, Any]:
    """Run `one_pass` or `on_workers` in a process of its own, with one thread for products of matrices."""
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "benchmarks.stream", *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | single, check=True, capture_output=True, text=True)
    facts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return facts


if __name__ == "__main__":
    kind, *numbers = sys.argv[1:]
    print(json.dumps({"one": one_pass, "workers": on_workers}[kind](*map(int, numbers))))
