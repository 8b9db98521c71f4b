"""Boxes: sets of places that are all combinations of some values on each axis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from math import prod

Place = tuple[int, ...]
Box = tuple[tuple[int, ...], ...]


def largest_box(places: Collection[Place]) -> Box:
    """Return a large box within the places: values of one axis that have the same places on the others, and so on.

    >>> largest_box({(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)})
    ((0, 1), (0, 1))
    """
    first = next(iter(places))
    if len(first) == 1:
        return (tuple(sorted(place[0] for place in places)),)
    sides = [sorted({place[k] for place in places}) for k in range(len(first))]
    if prod(len(side) for side in sides) == len(places):
        return tuple(tuple(side) for side in sides)
    return max((_along(places, k) for k in range(len(first))), key=_size)


def _along(places: Collection[Place], k: int) -> Box:
    """The largest box whose values on axis k all have the same places on the other axes."""
    others: dict[int, set[Place]] = defaultdict(set)
    for place in places:
        others[place[k]].add((*place[:k], *place[k + 1 :]))
    alike: dict[frozenset[Place], list[int]] = defaultdict(list)
    for value in sorted(others):
        alike[frozenset(others[value])].append(value)
    boxes = []
    for rest, values in alike.items():
        inner = largest_box(rest)
        boxes.append((*inner[:k], tuple(values), *inner[k:]))
    return max(boxes, key=_size)


def _size(box: Box) -> int:
    return prod(len(side) for side in box)
