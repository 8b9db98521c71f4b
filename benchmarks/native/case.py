"""One case of `python -m benchmarks native`, run by its path, so that it can measure any checkout of the library.

    python benchmarks/native/case.py NAME [--quick]

The process sets the case up and prints, as JSON, the names of its measures and what a unit of each is. Then it reads
lines: each names a measure to run once. The answer is a line of JSON with the seconds per unit and a digest of the
result.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from time import perf_counter

import numpy as np
from mining_cases import MINING
from solving_cases import SOLVING

CASES = {**SOLVING, **MINING}


def digest(parts: Iterable[object]) -> str:
    """Return a short digest of arrays; floats are rounded to nine digits, and the width of integers does not count."""
    total = hashlib.sha256()
    for part in parts:
        array = np.asarray(part)
        if array.dtype.kind == "f":
            array = np.round(array, 9) + 0.0
        elif array.dtype.kind in "iub":
            array = array.astype(np.int64)
        total.update(repr((array.shape, array.dtype.kind)).encode())
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:12]


def main() -> None:
    """Set up a case, then run its measures as they are asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=CASES)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    measures = CASES[options.name](options.quick)
    for measure in measures.values():
        measure.run(min(2, measure.units))  # loads and compiles whatever the first call needs
    print(json.dumps({name: measure.of for name, measure in measures.items()}), flush=True)
    for line in sys.stdin:
        measure = measures[line.rstrip("\n")]
        start = perf_counter()
        result = measure.run(measure.units)
        seconds = perf_counter() - start
        print(json.dumps([seconds / measure.units, digest(measure.answer(result))]), flush=True)


if __name__ == "__main__":
    main()
