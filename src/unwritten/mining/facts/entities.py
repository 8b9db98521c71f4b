"""Entities: rules about things that have several rows each, such as the visits of a patient.

If a column determines all columns of a dependency, its rows repeat what is known of one thing, so they count once. If
the left columns determine that very column, they are a key of the things: it is weighed by the collisions to be
expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unwritten.mining.facts.keys import expected_collisions
from unwritten.mining.facts.row_sample import Sample
from unwritten.tables import Column

Arrow = tuple[str, str]  # a column, and one that it determines


@dataclass(frozen=True)
class Entity:
    """A column that names things with several rows, and the columns that it determines."""

    name: str
    decided: frozenset[str]
    things: Sample  # one row of each thing, and every row whose thing is missing


def entities(sample: Sample, arrows: set[Arrow]) -> list[Entity]:
    """Return the columns that determine others and have several rows for some values."""
    named = []
    for column in sample.columns:
        decided = frozenset(right for left, right in arrows if left == column.name)
        codes = sample.codes(column.name)
        first = np.unique(codes, return_index=True)[1]
        if decided and len(first) < sample.n:
            unknown = np.flatnonzero(~sample.present(column.name))
            named.append(Entity(column.name, decided, sample.at(np.union1d(first, unknown))))
    return named


def things_of(left: tuple[str, ...], right: str, among: list[Entity], arrows: set[Arrow]) -> list[Entity]:
    """Return the entities that a dependency is all about, except those that its left columns name themselves."""
    return [
        entity
        for entity in among
        if entity.decided.issuperset(left)
        and (right == entity.name or right in entity.decided)
        and not any((name, entity.name) in arrows for name in left)
    ]


def rows_about(sample: Sample, names: Sequence[str], among: Sequence[Entity]) -> Sample:
    """Return the rows that count if a rule is about some columns: one for each thing if all are about a thing."""
    fit = [each.things for each in among if all(name in each.decided or name == each.name for name in names)]
    return min(fit, key=lambda things: things.n, default=sample)


def collisions_of(things: Sample, left: tuple[str, ...]) -> float:
    """Return how many pairs of things would agree on some columns if these were independent."""
    columns: dict[str, Column] = {column.name: column for column in things.columns}
    return expected_collisions(things, [columns[name] for name in left if name in columns])
