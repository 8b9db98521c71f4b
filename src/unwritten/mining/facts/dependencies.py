"""Dependencies: columns whose values decide another column.

A dependency is tested by the rows whose left values came before: their right value must be the same again. It is
weighed against the chance that it is, by the right values of the other rows, or of those that agree with one column on
the left. Groups of rows with equal left values count once: copies of one row prove nothing, and several rows of one
thing prove little (`entities`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.facts import Dependency, Key, LinearFact
from unwritten.mining.facts.entities import Arrow, Entity, collisions_of, entities, things_of
from unwritten.mining.facts.keys import joined_codes
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of
from unwritten.tables import Column

Candidate = tuple[tuple[str, ...], str]  # columns, and one that they may determine
Way = tuple[frozenset[str], str]  # columns, and one that they determine


@dataclass(frozen=True)
class _Found:
    left: tuple[str, ...]
    right: str
    groups: int
    nats: float


def find_dependencies(sample: Sample) -> list[Dependency]:
    """Return the dependencies with one or two columns on the left."""
    rights = list(sample.columns)
    lefts = [column for column in rights if column.role != "float"]
    single, near = _search(sample, [(column,) for column in lefts], rights, set())
    implied = {(each.left[0], each.right) for each in single}
    things = entities(sample, implied)
    single = [_of_things(each, things, implied) for each in single]
    near = _near_of_things(near, things, implied)
    said = [each for each in single if not _said_by_rules(sample, each)]
    facts = _weighed(said, price_of(len(lefts) * len(rights)), len(near), sample.n)
    if len(lefts) <= budgets.FACT_PAIR_COLUMNS:
        order = {column.name: k for k, column in enumerate(rights)}
        same = {b for a, b in implied if (b, a) in implied and order[a] < order[b]}  # the first column stands for both
        first, told = ([c for c in columns if c.name not in same] for columns in (lefts, rights))
        double, near = _search(sample, list(combinations(first, 2)), told, implied)
        double = [_of_things(each, things, implied) for each in double]
        near = _near_of_things(near, things, implied)
        facts += _weighed(double, price_of(len(lefts) ** 2 * len(rights) / 2), len(near), sample.n)
    return facts


def _weighed(dependencies: list[_Found], price: float, near: int, rows: int) -> list[Dependency]:
    """Return the dependencies that enough groups of rows support, with their evidence."""
    telling = [each for each in dependencies if each.groups >= budgets.FACT_TRIALS]
    return [
        Dependency(
            each.left,
            each.right,
            (),
            evidence=evidence_of(each.groups, each.nats, price, doubt_of_kind(near, len(telling), rows)),
        )
        for each in telling
    ]


def _search(
    sample: Sample, lefts: list[tuple[Column, ...]], rights: list[Column], implied: set[tuple[str, str]]
) -> tuple[list[_Found], list[Candidate]]:
    """Return the dependencies that hold in all rows, and those that hold in nearly all."""
    holding: list[_Found] = []
    near: list[Candidate] = []
    quick = np.linspace(0, sample.n - 1, min(sample.n, budgets.FACT_QUICK_ROWS)).astype(np.int64)
    names = {c.name for left in lefts for c in left} | {c.name for c in rights}
    few = {name: sample.codes(name)[quick] for name in names}
    for left in lefts:
        left_names = [c.name for c in left]
        short = _joined([few[name] for name in left_names])
        groups_short = len(np.unique(short))
        wanted = [
            c.name
            for c in rights
            if c.name not in left_names
            and not any((name, c.name) in implied for name in left_names)
            and len(np.unique(_joined([short, few[c.name]]))) <= groups_short * (1 + NEAR) + 1
        ]
        if not wanted:
            continue
        codes = np.unique(joined_codes(sample, left_names), return_inverse=True)[1]
        for right in wanted:
            exceptions, repeated = _exceptions(codes, sample.codes(right))
            if not exceptions:
                holding.append(_Found(tuple(left_names), right, *_against_chance(sample, left_names, right)))
            elif exceptions <= NEAR * repeated:
                near.append((tuple(left_names), right))
    return holding, near


def _exceptions(codes: IntArray, values: IntArray) -> tuple[int, int]:
    """Return how many left values have a further right value, and how many have several rows."""
    counts = np.bincount(codes)
    return len(np.unique(_joined([codes, values]))) - len(counts), int((counts > 1).sum())


def _near_of_things(near: list[Candidate], among: list[Entity], arrows: set[Arrow]) -> list[Candidate]:
    """Return those of nearly held dependencies that nearly hold if the rows of one thing count once."""
    of_things = []
    for left, right in near:
        for entity in things_of(left, right, among, arrows):
            codes = np.unique(joined_codes(entity.things, list(left)), return_inverse=True)[1]
            exceptions, repeated = _exceptions(codes, entity.things.codes(right))
            if exceptions > NEAR * repeated:
                break
        else:
            of_things.append((left, right))
    return of_things


def _of_things(dependency: _Found, among: list[Entity], arrows: set[Arrow]) -> _Found:
    """Return a dependency with the least evidence that it has if the rows of one thing count once."""
    for entity in things_of(dependency.left, dependency.right, among, arrows):
        if dependency.right == entity.name:
            collisions = collisions_of(entity.things, dependency.left)
            groups, nats = int(min(collisions, entity.things.n)), collisions
        else:
            groups, nats = _against_chance(entity.things, dependency.left, dependency.right)
        dependency = replace(dependency, groups=min(dependency.groups, groups), nats=min(dependency.nats, nats))
    return dependency


def _against_chance(sample: Sample, left: Sequence[str], right: str) -> tuple[int, float]:
    """Return how many groups of equal left values are evidence, and their nats against chance.

    Each group with two or more rows counts once: the chance that its second row has the right value of the first one,
    given the columns that predict it best.
    """
    groups = np.unique(joined_codes(sample, list(left)), return_inverse=True)[1]
    values = sample.codes(right)
    given = [sample.codes(name) for name in left] if len(left) > 1 else [np.zeros(sample.n, np.int64)]
    first = np.unique(groups, return_index=True)[1]
    rows = first[np.bincount(groups) > 1]
    best = np.zeros(len(rows))
    for known in given:
        best = np.maximum(best, _shares(known, values, groups)[rows])
    return int((best < 0.9).sum()), float(-np.log(np.clip(best, 1e-12, 1.0)).sum())


def _shares(known: IntArray, values: IntArray, groups: IntArray) -> FloatArray:
    """Return for each row how many rows of other groups with the same known value have its value, as a share.

    Where hardly any other group has the known value, the average over such values is used: if one column nearly
    determines another by itself, the smaller groups that a further column makes are no evidence for it.
    """
    joint = np.unique(_joined([known, values]), return_inverse=True)[1]
    inner = np.unique(groups, return_inverse=True)[1]
    size = np.bincount(inner)[inner]  # all rows of a group have its known and right values
    alike = np.bincount(joint)[joint] - size
    others = np.bincount(known)[known] - size
    usual = float((alike[others > 0] / others[others > 0]).mean()) if (others > 0).any() else 0.5
    return np.asarray((alike + usual) / (others + 1.0))


def _joined(parts: list[IntArray]) -> IntArray:
    combined = parts[0]
    for part in parts[1:]:
        combined = combined * (int(part.max(initial=0)) + 1) + part
    return combined


def _said_by_rules(sample: Sample, dependency: _Found) -> bool:
    """True if rules over the values of both columns say it in few sentences."""
    columns = {column.name: column for column in sample.columns}
    left, right = columns[dependency.left[0]], columns[dependency.right]
    by_value = all(column.kind in ("category", "boolean") for column in (left, right))
    return by_value and max(left.width, right.width) <= budgets.FACT_FEW_LEVELS


def without_implied(facts: list[Dependency], sums: list[LinearFact], known: Sequence[Way] = ()) -> list[Dependency]:
    """Join dependencies in both directions, and drop those that follow from others, from sums or from `known` ways.

    Of columns that determine each other, the first one stands for all. A dependency follows from others if these lead
    from its left columns to its right one; those on two columns, and those that fewest groups tell, are dropped first.
    """
    speaker = _speakers(facts)
    joined = [_joined_ways(fact, speaker) for fact in facts]
    stated = [fact for fact in joined if fact is not None]
    ways = [way for fact in stated for way in _ways(fact)]
    of_sums = [(frozenset(fact.names) - {name}, name) for fact in sums for name in fact.names]
    independent = list(stated)
    for fact in sorted(stated, key=lambda fact: (-len(fact.left), fact.evidence.examples if fact.evidence else 0)):
        others = [way for way in ways if way not in _ways(fact)]
        if all(right in _closure(left, [*others, *of_sums, *known]) for left, right in _ways(fact)):
            independent.remove(fact)
            ways = others
    return independent


def without_implied_keys(keys: list[Key], facts: list[Dependency]) -> list[Key]:
    """Drop the keys that determine the columns of another one: rows that agree on them agree on it, too."""
    ways = [way for fact in facts for way in _ways(fact)]
    independent = list(keys)
    for key in reversed(keys):
        known = _closure(frozenset(key.columns), ways)
        if any(known.issuperset(other.columns) for other in independent if other is not key):
            independent.remove(key)
    return independent


def _speakers(facts: list[Dependency]) -> dict[str, str]:
    """Return for each column the first one that it determines and is determined by."""
    single = {(fact.left[0], fact.right) for fact in facts if len(fact.left) == 1}
    speaker: dict[str, str] = {}
    for fact in facts:
        a, b = fact.left[0], fact.right
        if len(fact.left) == 1 and (b, a) in single and a not in speaker:
            speaker.setdefault(b, a)
    return speaker


def _joined_ways(fact: Dependency, speaker: dict[str, str]) -> Dependency | None:
    """Return the dependency, in both directions if both hold; None if a column that stands for another says it."""
    if any(name in speaker for name in fact.left) or (len(fact.left) > 1 and fact.right in speaker):
        return None
    if len(fact.left) == 1 and fact.right in speaker:
        return replace(fact, both=True) if speaker[fact.right] == fact.left[0] else None
    return fact


def _ways(fact: Dependency) -> list[Way]:
    ways = [(frozenset(fact.left), fact.right)]
    return [*ways, (frozenset({fact.right}), fact.left[0])] if fact.both else ways


def _closure(start: frozenset[str], ways: list[Way]) -> set[str]:
    """Return all columns that some columns determine."""
    known = set(start)
    grown = True
    while grown:
        more = {right for left, right in ways if left <= known} - known
        known |= more
        grown = bool(more)
    return known
