"""Which rare values were only seen together, in a table as a whole: see `facts/seen_together.py`.

Rows with such values are fewer than one in 1,000 together, so by Good and Turing hardly any new row has one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.facts import SeenTogether
from unwritten.rules import RuleSet
from unwritten.tables import Schema
from unwritten.tables.column import Column, Level

Cell = tuple[str, Level]


def seen_together(schema: Schema, seen: IntArray, counts: IntArray, rules: RuleSet) -> tuple[SeenTogether, ...]:
    """Return the rare values that were only seen together, the rarest first; what the rules say already is left out.

    Parameters
    ----------
    seen, counts
        All distinct rows as labels, and how often each was seen.
    """
    examples = int(counts.sum())
    most = (examples - 1) // budgets.NEW_VALUE_ROWS
    together: dict[bytes, list[tuple[Cell, int, int]]] = {}
    rows: dict[bytes, int] = {}
    for cell, variable, sign, mask in _values(schema, seen):
        came = int(counts[mask].sum())
        if 0 < came <= most:
            key = np.packbits(mask).tobytes()
            rows[key] = came
            together.setdefault(key, []).append((cell, variable, sign))
    chosen, left = [], most
    for key in sorted(together, key=lambda key: (rows[key], -len(together[key]), together[key][0][0][0])):
        members = together[key]
        if len({name for (name, _), _, _ in members}) < 2 or _is_said(rules, members):
            continue
        left -= rows[key]
        if left < 0:
            break
        chosen.append(SeenTogether(tuple(cell for cell, _, _ in members), rows[key]))
    return tuple(chosen)


def _values(schema: Schema, seen: IntArray) -> Iterator[tuple[Cell, int, int, BoolArray]]:
    """Yield each known value of closed columns: its variable, 1 or −1 if that is 1 or 0 for it, and the rows it is in.

    A missing value is a state of a row and has no companions.
    """
    for column, place in _closed(schema):
        for k, level in enumerate(column.levels):
            variable, sign = (place.start + k, 1) if column.one_hot else (place.start, 1 if k else -1)
            if level is not None:
                yield (column.name, level), variable, sign, np.asarray(seen[:, variable] == (sign > 0))


def _closed(schema: Schema) -> Iterator[tuple[Column, slice]]:
    for column in schema.used:
        if column.closed and column.kind in ("category", "boolean"):
            yield column, schema.places[column.name]


def _is_said(rules: RuleSet, members: list[tuple[Cell, int, int]]) -> bool:
    """True if the equalities imply that the values come together."""
    rows = np.zeros((len(members) - 1, rules.matrix.shape[1] + 1), np.int64)
    (_, first, sign), *others = members
    for row, (_, variable, other) in zip(rows, others, strict=True):  # first literal − other literal = 0
        row[first] += sign
        row[variable] -= other
        row[-1] = (sign < 0) - (other < 0)
    return bool(rules.implied(rows).all())
