"""Identity: a digest of what rows mean, whatever the order of rows, variables and columns.

Unlike `columns.normal_row` it works on names, so that a digest survives another order of columns, and it simplifies
nothing but one-hot blocks and common factors: a further step would change the ids that people have stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import gcd

from unwritten.rules.columns.one_hot_rows import with_least_zero
from unwritten.rules.ruleset import RuleSet

NamedRow = tuple[dict[str, int], bool, int]  # coefficients by name, equality (else at most), right-hand side

NO_BLOCKS: Mapping[str, Sequence[str]] = {}


def digest(rows: Iterable[NamedRow], blocks: Mapping[str, Sequence[str]] = NO_BLOCKS) -> str:
    """The SHA-256 of the rows in canonical form.

    `blocks` maps each variable of a one-hot column to all variables of that column, exactly one of which is 1.

    >>> digest([({"a": 1, "b": 1}, True, 1)]) == digest([({"b": -2, "a": -2}, True, -2)])
    True
    """
    text = json.dumps(sorted(_canonical(row, blocks) for row in rows))
    return sha256(text.encode()).hexdigest()


def row_digests(rules: RuleSet) -> list[str]:
    """The digest of each rule by itself."""
    return [digest([row]) for row in named_rows(rules)]


def named_rows(rules: RuleSet) -> list[NamedRow]:
    """The rules as rows by name."""
    return [(entries, sense == "==", rhs) for entries, sense, rhs in rules.triples()]


def _canonical(row: NamedRow, blocks: Mapping[str, Sequence[str]]) -> list[object]:
    """The row, or its negative if it is an equality, whichever comes first."""
    entries, equality, rhs = row
    forms = [_shifted(entries, rhs, blocks)]
    if equality:
        forms.append(_shifted({name: -value for name, value in entries.items()}, -rhs, blocks))
    return [equality, *min(forms)]


def _shifted(
    entries: dict[str, int], rhs: int, blocks: Mapping[str, Sequence[str]]
) -> tuple[list[tuple[str, int]], int]:
    """The row with least entry 0 in every block it touches, divided by the common factor of its numbers."""
    entries = dict(entries)
    for block in {tuple(blocks[name]) for name in entries if name in blocks}:
        values, least = with_least_zero([entries.get(name, 0) for name in block])
        rhs -= least
        entries.update(zip(block, values, strict=True))
    common = gcd(rhs, *entries.values()) or 1
    return sorted((name, value // common) for name, value in entries.items() if value), rhs // common
