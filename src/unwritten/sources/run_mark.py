"""A digest of data and options: a checkpoint is used only by a run with the same digest."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass

import numpy as np

from unwritten.rules import RuleSet


def mark_of(*parts: object) -> str:
    """A digest that is the same for the same data and options in another process."""
    digest = hashlib.sha256()

    def feed(part: object) -> None:
        if isinstance(part, np.ndarray):
            digest.update(f"array {part.dtype} {part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        elif isinstance(part, dict):
            feed([item for key in sorted(part, key=str) for item in (key, part[key])])
        elif isinstance(part, list | tuple):
            digest.update(f"list {len(part)}".encode())
            for item in part:
                feed(item)
        elif isinstance(part, RuleSet):
            feed(part.triples())
        elif is_dataclass(part) and not isinstance(part, type):
            feed({field.name: getattr(part, field.name) for field in fields(part) if field.compare})
        elif part is None or isinstance(part, str | bool | int | float):
            digest.update(f"{type(part).__name__} {part!r};".encode())
        else:
            digest.update(f"{getattr(part, '__qualname__', type(part).__qualname__)};".encode())

    feed(parts)
    return digest.hexdigest()
