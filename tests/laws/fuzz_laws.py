"""Fuzzing the laws of mining: random records with rare odd rows, for every miner, kind of rule and source of rows.

    python tests/laws/fuzz_laws.py [--records N] [--large M] [--seed S] [--first K] [--jobs J]

N small records are mined with samples, folds and blocks made smaller still, and M large ones with the true sizes. Every
broken law is printed; then the exit code is 1. The seed and the number of a record make the same record again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

CHUNK = 25  # records that a process works on at a time


def checked(seed: int, numbers: range, large: bool = False, miner: str | None = None) -> tuple[Counter[str], list[str]]:
    """Check some records of a seed; return what was stated, and every broken law with its record."""
    from laws.broken_laws import broken_laws
    from laws.records import draw

    counts: Counter[str] = Counter()
    faults = []
    for number in numbers:
        record = draw(seed, number, large=large, miner=miner)
        try:
            broken = broken_laws(record, counts)
        except Exception:  # noqa: BLE001 whatever it is, it is a fault
            broken = [traceback.format_exc()]
        size = "large" if large else "small"
        faults += [
            f"{size} record {number} of seed {seed} ({record.form}, {record.options}): {text}" for text in broken
        ]
    return counts, faults


def main(arguments: list[str] | None = None) -> int:
    """Check random records; exit code 1 if a law is broken."""
    parser = argparse.ArgumentParser(description="Check that training rows obey everything that is mined from them.")
    parser.add_argument("--records", type=int, default=10_000, help="how many small records (default: 10,000)")
    parser.add_argument("--large", type=int, default=50, help="how many large records (default: 50)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first record")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    began, counts, wrong = time.monotonic(), Counter[str](), 0
    first, last, done = options.first, options.first + options.records, 0
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        chunks = [
            pool.submit(checked, options.seed, range(k, k + 1), True) for k in range(first, first + options.large)
        ]
        chunks += [
            pool.submit(checked, options.seed, range(start, min(start + CHUNK, last)))
            for start in range(first, last, CHUNK)
        ]
        for chunk in chunks:
            stated, faults = chunk.result()
            counts += stated
            wrong += len(faults)
            sys.stdout.write("".join(f"{text}\n" for text in faults))
            sys.stdout.flush()
            done += 1
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{done:,} of {len(chunks):,} parts, {wrong} faults \033[K")
    sys.stdout.write("".join(f"{count:8,} {what}\n" for what, count in counts.most_common()))
    sys.stdout.write(f"{counts['records']:,} records: {wrong} faults in {time.monotonic() - began:,.0f} s\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.exit(main())
