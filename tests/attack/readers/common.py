"""What every reader is: a way to make an input, and a way to read it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


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
