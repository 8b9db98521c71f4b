"""Sibling rows: where else the template of several rules could stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules.patterns.pattern_axes import PatternAxes
from unwritten.rules.patterns.search import LEAST_RULES, template_groups
from unwritten.rules.rule import RowSense

if TYPE_CHECKING:
    from unwritten.rules.ruleset import RuleSet

Rows = list[tuple[IntArray, RowSense, int]]


@dataclass(frozen=True, eq=False)
class SiblingRows:
    """The places of rules that are one template, and the rows `[a, −b]` of this template at all other places."""

    stated: tuple[int, ...]
    others: IntArray


def sibling_rows(rules: RuleSet) -> Iterator[SiblingRows]:
    """Yield the siblings of all inequalities that are alike along some axes, for every set of axes."""
    axes = pattern_axes(rules)
    if axes is None:
        return
    rows, classes = rows_and_classes(rules)
    for template, at in template_groups(axes, rows, classes):
        room = [range(len(axes.axes[a].values) - template.span(a) + 1) for a in template.moving]
        if template.sense == "==" or prod(map(len, room)) > budgets.SIBLING_PLACES:
            continue
        moved = (template.row_at(axes, place) for place in product(*room) if place not in at)
        whole = [np.append(row, -template.rhs) for row in moved if np.count_nonzero(row) == len(template.grids)]
        yield SiblingRows(tuple(at.values()), np.array(whole, np.int64).reshape(-1, len(rules.variables) + 1))


def pattern_axes(rules: RuleSet) -> PatternAxes | None:
    """The axes of the variables; None if there are too few rules, or no grids."""
    layout = rules.variables.layout if len(rules) >= LEAST_RULES else None
    return None if layout is None or not layout.grids else PatternAxes.of(layout, len(rules.variables))


def rows_and_classes(rules: RuleSet) -> tuple[Rows, list[object]]:
    """Each rule as a row, and the class of rules that it can be put together with (None: with no other rule)."""
    senses: list[RowSense] = ["==" if equal else "<=" for equal in rules.equality.tolist()]
    classes: list[object] = [
        None if e is not None and e.violations else (origin, e is not None and e.needed > 0)
        for origin, e in zip(rules.origins, rules.evidence, strict=True)
    ]
    return list(zip(rules.matrix, senses, rules.rhs.tolist(), strict=True)), classes
