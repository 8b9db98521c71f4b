"""Rectangles: forbidden pairs of levels of two columns, in as few rectangles as a greedy search finds.

Sets of levels are bit masks. A rectangle (A, B) forbids every pair in A × B.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from unwritten import budgets

Rectangle = tuple[int, int]


def cover(given: list[Rectangle]) -> list[tuple[Rectangle, tuple[int, ...]]]:
    """Rectangles, each exactly the union of the given ones that come with it; every given one is in at least one.

    Greedy: the rectangle with the most given ones that are not yet covered goes first, of these the largest.

    >>> cover([(0b01, 0b01), (0b01, 0b10), (0b10, 0b01), (0b10, 0b10)])
    [((3, 3), (0, 1, 2, 3))]
    """
    if len(given) > budgets.RECTANGLE_PAIRS:
        return _joined(given)
    exact = {}
    for rectangle in _candidates(given):
        inside = _inside(rectangle, given)
        if _fills(rectangle, inside, given):
            exact[rectangle] = sum(1 << i for i in inside)
    left = (1 << len(given)) - 1
    found = []
    while left:
        best = max(exact, key=lambda r: ((left & exact[r]).bit_count(), r[0].bit_count() * r[1].bit_count(), r))
        found.append((best, _inside(best, given)))
        left &= ~exact[best]
    return found


def _candidates(given: list[Rectangle]) -> list[Rectangle]:
    """The given ones, and the largest rectangles around whole lines and intersections of two lines."""
    lines = _lines(given)
    rights = set(lines.values())
    if len(lines) <= budgets.RECTANGLE_LINES:
        rights |= {a & b for a, b in combinations(sorted(rights), 2)} - {0}
    around = {(sum(1 << a for a, line in lines.items() if line & right == right), right) for right in rights}
    return sorted(around.union(given))


def _joined(given: list[Rectangle]) -> list[tuple[Rectangle, tuple[int, ...]]]:
    """Each left level with all that it is forbidden with, equal ones together; wide ones as they were given."""
    lines = _lines([(left, right) for left, right in given if left.bit_count() == 1])
    same: dict[int, int] = defaultdict(int)
    for a, line in lines.items():
        same[line] |= 1 << a
    members: dict[Rectangle, list[int]] = defaultdict(list)
    for i, (left, right) in enumerate(given):
        if left.bit_count() == 1:
            line = lines[left.bit_length() - 1]
            members[same[line], line].append(i)
        else:
            members[left, right].append(i)
    return [(rectangle, tuple(inside)) for rectangle, inside in members.items()]


def _lines(given: list[Rectangle]) -> dict[int, int]:
    """What each level of the left column is forbidden with."""
    lines: dict[int, int] = defaultdict(int)
    for left, right in given:
        for a in range(left.bit_length()):
            if left >> a & 1:
                lines[a] |= right
    return dict(lines)


def _inside(rectangle: Rectangle, given: list[Rectangle]) -> tuple[int, ...]:
    left, right = rectangle
    return tuple(i for i, (a, b) in enumerate(given) if a & ~left == 0 and b & ~right == 0)


def _fills(rectangle: Rectangle, inside: tuple[int, ...], given: list[Rectangle]) -> bool:
    lines = _lines([given[i] for i in inside])
    return len(lines) == rectangle[0].bit_count() and all(line == rectangle[1] for line in lines.values())
