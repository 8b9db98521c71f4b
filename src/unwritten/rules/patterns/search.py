"""Find patterns: the largest sets of rules that are one template at all combinations of some places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import product
from math import prod

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules.patterns.boxes import largest_box
from unwritten.rules.patterns.pattern import Pattern, Template
from unwritten.rules.patterns.pattern_axes import PatternAxes
from unwritten.rules.patterns.templates import PlacedRow, key_of, opposite_key
from unwritten.rules.rule import RowSense

LEAST_RULES = 3  # fewer are said one by one

Box = tuple[tuple[int, ...], ...]


def find_patterns(
    axes: PatternAxes, rows: Sequence[tuple[IntArray, RowSense, int]], classes: Sequence[object]
) -> list[Pattern]:
    """Return patterns that replace rules, the one with the first rule first; no rule is in two of them.

    Only rules of one class are put together, and those of class None not at all. The search is greedy: it takes the
    pattern that replaces most rules, and of equal ones the one with the fewest axes.
    """
    groups = [_Group(axes, *part) for part in _groups(axes, rows, classes)]
    waiting = [(-len(group.rules), len(group.template.moving), k) for k, group in enumerate(groups)]
    heapify(waiting)
    used: set[int] = set()
    patterns = []
    while waiting:
        size, depth, k = heappop(waiting)
        box, rules = groups[k].best(used)
        if len(rules) < LEAST_RULES:
            continue
        if len(rules) < -size:
            heappush(waiting, (-len(rules), depth, k))
            continue
        patterns.append(Pattern(axes, groups[k].template, box, rules))
        used.update(rules)
        heappush(waiting, (-len(rules), depth, k))
    return sorted(_joined(patterns), key=lambda pattern: min(pattern.rules))


def _groups(
    axes: PatternAxes, rows: Sequence[tuple[IntArray, RowSense, int]], classes: Sequence[object]
) -> list[tuple[Template, dict[tuple[int, ...], int]]]:
    """The rules of each template by the place where they stand; templates of too few rules are left out."""
    if len(rows) > budgets.PATTERN_RULES or not axes.axes:
        return []
    alike: dict[tuple[object, ...], list[tuple[int, PlacedRow]]] = defaultdict(list)
    for i, (row, sense, rhs) in enumerate(rows):
        placed = None if classes[i] is None else PlacedRow.of(axes, row, sense, rhs)
        if placed is not None and placed.bases:
            alike[classes[i], *placed.widest].append((i, placed))
    templates: dict[tuple[object, ...], Template] = {}
    places: dict[tuple[object, ...], dict[tuple[int, ...], int]] = defaultdict(dict)
    for siblings in alike.values():
        for i, placed in siblings if len(siblings) >= LEAST_RULES else ():
            for template, place in placed.templates():
                key = (classes[i], *key_of(template))
                templates.setdefault(key, template)
                places[key].setdefault(place, i)  # a rule that is stated twice is said twice
    return [(templates[key], at) for key, at in places.items() if len(at) >= LEAST_RULES]


class _Group:
    """The rules of one template, and the largest box of places that is still free."""

    def __init__(self, axes: PatternAxes, template: Template, rules: dict[tuple[int, ...], int]) -> None:
        self._axes, self.template, self.rules = axes, template, rules

    def best(self, used: set[int]) -> tuple[Box, tuple[int, ...]]:
        """The largest box of places whose rules are not used yet, and those rules."""
        free = {place for place, rule in self.rules.items() if rule not in used}
        while free:
            box = largest_box(free)
            if prod(len(values) for values in box) < LEAST_RULES:
                break
            if self._is_plain(box):
                return box, tuple(self.rules[place] for place in product(*box))
            free -= set(product(*box))
        return (), ()

    def _is_plain(self, box: Box) -> bool:
        """True unless a row that takes several places stands at places that only a list could name."""
        return all(
            len(bases) > 1 and self.is_plain_move(axis, bases)
            for axis, bases in zip(self.template.moving, box, strict=True)
        )

    def is_plain_move(self, axis: int, bases: tuple[int, ...]) -> bool:
        """True for single places, windows at (nearly) all places, and blocks side by side."""
        span, size = self.template.span(axis), len(self._axes.axes[axis].values)
        if span == 1:
            return True
        possible = size - span + 1
        blocks = tuple(range(0, size, span))
        return len(bases) == possible or (3 <= len(bases) >= possible - 2) or (bases == blocks and size % span == 0)


def _joined(patterns: list[Pattern]) -> list[Pattern]:
    """Join "at least" and "at most" of the same sums at the same places."""
    uppers: dict[tuple[object, ...], Pattern] = {}
    joined: list[Pattern] = []
    for pattern in patterns:
        template = pattern.template
        mirrored = (*opposite_key(template), pattern.bases)
        own = (*opposite_key(replace(template, coefficients=-template.coefficients)), pattern.bases)
        partner = uppers.pop(mirrored, None) if template.sense == "<=" else None
        if partner is None:
            uppers[own] = pattern
            joined.append(pattern)
            continue
        joined.remove(partner)
        upper, lower = (partner, pattern) if partner.template.coefficients[0] > 0 else (pattern, partner)
        rules = tuple(i for pair in zip(upper.rules, lower.rules, strict=True) for i in pair)
        joined.append(replace(upper, rules=rules, low=-lower.template.rhs))
    return joined
