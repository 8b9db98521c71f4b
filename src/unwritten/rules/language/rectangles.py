"""Rectangles: the forbidden pairs of levels of two columns, in as few rectangles as a greedy search finds.

Sets of levels are bit masks. A rectangle (A, B) forbids every pair in A × B. The line of a level of the left column is
the set of levels of the right column that it is forbidden with.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from unwritten import budgets

Rectangle = tuple[int, int]


def cover(given: list[Rectangle]) -> list[tuple[Rectangle, tuple[int, ...]]]:
    """Return rectangles with the same union as the given ones, each with the places of the given ones inside it.

    Each rectangle is exactly the union of the given ones inside it, and every given one is inside at least one. The
    search is greedy: it takes the rectangle with the most given ones that are not yet covered, and of several the
    largest.

    >>> cover([(0b01, 0b01), (0b01, 0b10), (0b10, 0b01), (0b10, 0b10)])
    [((3, 3), (0, 1, 2, 3))]
    """
    if len(given) > budgets.RECTANGLE_PAIRS:
        return _equal_lines_joined(given)
    covered_by = {}  # each exact rectangle with the given ones inside it, as a bit mask
    for rectangle in _candidates(given):
        inside = _inside(rectangle, given)
        if _is_filled(rectangle, inside, given):
            covered_by[rectangle] = sum(1 << i for i in inside)
    uncovered = (1 << len(given)) - 1
    chosen = []
    while uncovered:
        best = max(
            covered_by,
            key=lambda r: ((uncovered & covered_by[r]).bit_count(), r[0].bit_count() * r[1].bit_count(), r),
        )
        chosen.append((best, _inside(best, given)))
        uncovered &= ~covered_by[best]
    return chosen


def _candidates(given: list[Rectangle]) -> list[Rectangle]:
    """The given rectangles, and the largest ones whose right side is a line or the intersection of two lines."""
    lines = _lines(given)
    rights = set(lines.values())
    if len(lines) <= budgets.RECTANGLE_LINES:
        rights |= {a & b for a, b in combinations(sorted(rights), 2)} - {0}
    largest = {(sum(1 << a for a, line in lines.items() if line & right == right), right) for right in rights}
    return sorted(largest.union(given))


def _equal_lines_joined(given: list[Rectangle]) -> list[tuple[Rectangle, tuple[int, ...]]]:
    """Join left levels whose lines are equal; rectangles with several left levels stay as they were given.

    This takes linear time, for more rectangles than the greedy search can handle.
    """
    lines = _lines([(left, right) for left, right in given if left.bit_count() == 1])
    levels_with: dict[int, int] = defaultdict(int)
    for a, line in lines.items():
        levels_with[line] |= 1 << a
    members: dict[Rectangle, list[int]] = defaultdict(list)
    for i, (left, right) in enumerate(given):
        if left.bit_count() == 1:
            line = lines[left.bit_length() - 1]
            members[levels_with[line], line].append(i)
        else:
            members[left, right].append(i)
    return [(rectangle, tuple(inside)) for rectangle, inside in members.items()]


def _lines(given: list[Rectangle]) -> dict[int, int]:
    """The line of each left level."""
    lines: dict[int, int] = defaultdict(int)
    for left, right in given:
        for a in range(left.bit_length()):
            if left >> a & 1:
                lines[a] |= right
    return dict(lines)


def _inside(rectangle: Rectangle, given: list[Rectangle]) -> tuple[int, ...]:
    """The places of the given rectangles that lie inside this one."""
    left, right = rectangle
    return tuple(i for i, (a, b) in enumerate(given) if a & ~left == 0 and b & ~right == 0)


def _is_filled(rectangle: Rectangle, inside: tuple[int, ...], given: list[Rectangle]) -> bool:
    """True if the given rectangles inside this one cover all of it."""
    lines = _lines([given[i] for i in inside])
    return len(lines) == rectangle[0].bit_count() and all(line == rectangle[1] for line in lines.values())
