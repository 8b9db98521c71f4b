"""Fuzzing answers and proofs: random integer programs with offsets up to 10⁹ against exact brute force.

    python tests/solving/fuzz_offsets.py [--programs N] [--seed S] [--first K] [--jobs J] [--pairs P]

Each program is asked of all engines of our own, and of P pairs of a solver engine and a back end that are drawn for it
(10 pairs are all of them). Every wrong answer is printed; then the exit code is 1. The seed and the number of a program
make the same program again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

CHUNK = 100  # programs that a process works on at a time


def checked(seed: int, first: int, last: int, pairs: int) -> tuple[Counter[str], list[str]]:
    """Check programs `first` to `last`; return what was claimed, and every fault with its program."""
    from solving.offset_programs import draw, faults

    counts: Counter[str] = Counter()
    found = []
    for number in range(first, last):
        program = draw(seed, number, pairs)
        counts["programs"] += 1
        try:
            wrong = faults(program, counts)
        except Exception as error:  # noqa: BLE001 whatever it is, it is a fault
            wrong = [f"{type(error).__name__}: {error}"]
        found += [f"program {number} of seed {seed}: {what}\n  {program}" for what in wrong]
    return counts, found


def main(arguments: list[str] | None = None) -> int:
    """Check random programs; exit code 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(description="Check answers and proofs of random programs by exact brute force.")
    parser.add_argument("--programs", type=int, default=100_000, help="how many programs (default: 100,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--pairs", type=int, default=2, help="pairs of engine and back end for each program")
    options = parser.parse_args(arguments)
    began, last = time.monotonic(), options.first + options.programs
    counts, wrong = Counter[str](), 0
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        chunks = [
            pool.submit(checked, options.seed, start, min(start + CHUNK, last), options.pairs)
            for start in range(options.first, last, CHUNK)
        ]
        for chunk in chunks:
            claims, found = chunk.result()
            counts += claims
            wrong += len(found)
            sys.stdout.write("".join(f"{text}\n" for text in found))
            sys.stdout.flush()
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{counts['programs']:,} of {options.programs:,} programs, {wrong} faults \033[K")
    summary = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    sys.stdout.write(f"{summary}: {wrong} faults in {time.monotonic() - began:,.0f} s\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.exit(main())
