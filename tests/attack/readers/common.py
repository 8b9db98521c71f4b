"""The parts of a reader under test: make an input, and read it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fuzzed:
    """Make an input from a random generator, read one, and prepare what the first reading needs.

    A child process reads `chunk` inputs.
    """

    make: Callable[[random.Random], bytes]
    read: Callable[[bytes], None]
    prepare: Callable[[], object]
    chunk: int = 1_000


def written(data: bytes, suffix: str) -> str:
    """Write a file in the working directory, and return its relative name."""
    name = f"input{suffix}"
    Path(name).write_bytes(data)
    return name
