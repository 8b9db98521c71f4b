"""Fuzzing the engines: random small programs must have the same answers as a list of all labels.

    python tests/native/fuzz_programs.py [--programs N] [--seed S] [--first K] [--jobs J]

A difference ends the run with exit code 1 and the smallest program found that shows it. The seed and the number of a
program make the same program again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from native.small_programs import SmallProgram

CHUNK = 2_000  # programs that a process works on at a time


def first_difference(seed: int, first: int, last: int) -> tuple[int, str] | None:
    """Compare programs `first` to `last`; return the number of the first that differs and what differs, or None."""
    from native.small_programs import difference, draw

    for number in range(first, last):
        what = explained(difference, draw(seed, number))
        if what:
            return number, what
    return None


def explained(difference: Callable[[SmallProgram], str], small: SmallProgram) -> str:
    """Return what differs in a program; an exception of the engine is a difference too."""
    try:
        return difference(small)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 whatever it is, it is a difference
        return f"{type(error).__name__}: {error}"


def shrunk(small: SmallProgram) -> SmallProgram:
    """Leave out parts of a program that differs for as long as it still differs."""
    from native.small_programs import difference

    while True:
        for smaller in _smaller(small):
            if explained(difference, smaller):
                small = smaller
                break
        else:
            return small


def _smaller(small: SmallProgram) -> Iterator[SmallProgram]:
    """Yield programs with one query, row, cut or variable less, or with simpler settings."""
    for i in range(len(small.weights)):
        if len(small.weights) > 1:
            yield replace(small, weights=_without(small.weights, i), floors=_without(small.floors, i))
    for i in range(len(small.redundant)):
        yield replace(small, redundant=_without(small.redundant, i))
    for i in range(len(small.rows)):
        rows = _without(small.rows, i)
        yield replace(small, rows=rows, redundant=tuple(row for row in small.redundant if row in rows))
    for i in range(len(small.cuts)):
        yield replace(small, cuts=_without(small.cuts, i), limits=_without(small.limits, i))
    for j in range(len(small.lower)):
        if len(small.lower) > 1 and small.lower[j] <= 0 <= small.upper[j]:  # the variable becomes 0
            yield replace(
                small,
                lower=_without(small.lower, j),
                upper=_without(small.upper, j),
                rows=tuple((_without(row, j), sense, rhs) for row, sense, rhs in small.rows),
                redundant=tuple((_without(row, j), sense, rhs) for row, sense, rhs in small.redundant),
                cuts=tuple(_without(cut, j) for cut in small.cuts),
                weights=tuple(_without(row, j) for row in small.weights),
            )
    if any(small.multipliers or ()):
        yield replace(small, multipliers=(0.0,) * len(small.multipliers or ()))
    for name, simple in (("tiles", 1000), ("first", 1000), ("floors", (-1,) * len(small.floors))):
        if getattr(small, name) != simple:
            yield replace(small, **{name: simple})


def _without(parts: tuple, place: int) -> tuple:  # type: ignore[type-arg]
    return parts[:place] + parts[place + 1 :]


def report(seed: int, number: int, what: str) -> None:
    """Print a difference, and the smallest program that shows it."""
    from native.small_programs import difference, draw

    small = shrunk(draw(seed, number))
    sys.stdout.write(f"program {number} of seed {seed}: {what}\nsmaller: {explained(difference, small)}\n{small}\n")


def search(programs: int, seed: int, first: int, jobs: int) -> tuple[int, str] | None:
    """Compare programs in `jobs` processes; return the number of one that differs and what differs, or None."""
    starts = range(first, first + programs, CHUNK)
    began, done = time.monotonic(), 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork" if sys.platform == "linux" else "spawn")) as pool:
        chunks = [pool.submit(first_difference, seed, k, min(k + CHUNK, first + programs)) for k in starts]
        for start, chunk in zip(starts, chunks, strict=True):
            try:
                found = chunk.result()
            except BrokenProcessPool:
                return start, f"the process died between this program and {start + CHUNK * (1 + jobs)}"
            if found:
                pool.shutdown(cancel_futures=True)
                return found
            done = min(done + CHUNK, programs)
            if sys.stderr.isatty():
                left = (time.monotonic() - began) / done * (programs - done)
                sys.stderr.write(f"\r{done:,} of {programs:,} programs, {left:,.0f} s left \033[K")
                sys.stderr.flush()
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    return None


def main(arguments: list[str] | None = None) -> int:
    """Compare random programs; exit code 1 if one differs."""
    parser = argparse.ArgumentParser(description="Compare the engines with a list of all labels on random programs.")
    parser.add_argument("--programs", type=int, default=1_000_000, help="how many programs (default: 1,000,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    found = search(options.programs, options.seed, options.first, options.jobs)
    if found and "the process died" in found[1]:
        sys.stdout.write(
            f"program {found[0]} of seed {options.seed}: {found[1]}: run these with --programs 1 --first NUMBER\n"
        )
    elif found:
        report(options.seed, *found)
    else:
        sys.stdout.write(f"{options.programs:,} programs, {time.monotonic() - began:,.0f} s, no difference\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.exit(main())
