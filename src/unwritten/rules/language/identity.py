"""Identity: a digest of what rows say, whatever the order of rows, variables and columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import gcd

NamedRow = tuple[dict[str, int], bool, int]  # coefficients by name, equality or at most, right-hand side

NONE: Mapping[str, Sequence[str]] = {}


def digest(rows: Iterable[NamedRow], blocks: Mapping[str, Sequence[str]] = NONE) -> str:
    """The SHA-256 of the rows in canonical form; `blocks` names, for a variable, all those of which exactly one is 1.

    >>> digest([({"a": 1, "b": 1}, True, 1)]) == digest([({"b": -2, "a": -2}, True, -2)])
    True
    """
    text = json.dumps(sorted(_canonical(row, blocks) for row in rows))
    return sha256(text.encode()).hexdigest()


def _canonical(row: NamedRow, blocks: Mapping[str, Sequence[str]]) -> list[object]:
    entries, equality, rhs = row
    forms = [_shifted(entries, rhs, blocks)]
    if equality:
        forms.append(_shifted({name: -value for name, value in entries.items()}, -rhs, blocks))
    return [equality, *min(forms)]


def _shifted(
    entries: dict[str, int], rhs: int, blocks: Mapping[str, Sequence[str]]
) -> tuple[list[tuple[str, int]], int]:
    """The row with least entry 0 in every block it touches, divided by what its numbers have in common."""
    entries = dict(entries)
    for block in {tuple(blocks[name]) for name in entries if name in blocks}:
        least = min(entries.get(name, 0) for name in block)
        rhs -= least
        entries.update({name: entries.get(name, 0) - least for name in block})
    common = gcd(rhs, *entries.values()) or 1
    return sorted((name, value // common) for name, value in entries.items() if value), rhs // common
