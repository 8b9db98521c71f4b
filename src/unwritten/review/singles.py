"""Single changes: every way to make a row right by changing one cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining import lifted_labels
from unwritten.review.row import Row
from unwritten.rules import RuleSet


def single_changes(row: Row, label: IntArray, must_change: IntArray) -> list[IntArray]:
    """All right labels one cell away from `label`, where at most `must_change` cells cannot stay.

    Integers that may take more than `budgets.REPAIR_VALUES` values are tried at the seen ones, the ends and the nearest
    value.
    """
    if len(must_change) > 1:
        return []
    model, width = row.model, len(label)
    broken = model.check(label[None]).violations[0]
    plain = np.asarray(
        ~model.rules.matrix[:, width:].any(axis=1)
    )  # latents follow from labels: what they say is checked last
    wrong = model.rules[broken & plain]
    cells = must_change if len(must_change) else np.arange(len(row.columns))
    found: list[IntArray] = []
    for labels in _blocks(_changed(row, label, cells, wrong, model.rules[plain]), width):
        rest = labels[~wrong.violations(lifted_labels(model.lifts, labels)).any(axis=1)] if len(wrong) else labels
        found += list(rest[model.check(rest).feasible]) if len(rest) else []
    return found


def _changed(row: Row, label: IntArray, cells: IntArray, wrong: RuleSet, rules: RuleSet) -> Iterator[IntArray]:
    """The labels with one cell changed that could put right all these wrong rules: each must speak of the cell."""
    places = list(row.schema.places.values())
    for cell in cells.tolist():
        place, column = places[cell], row.columns[cell]
        if not wrong.matrix[:, place].any(axis=1).all():
            continue
        start = place.start
        if column.one_hot:
            values = np.eye(column.width, dtype=np.int64)
        elif column.kind == "boolean":
            values = np.array([[0], [1]])
        else:
            values = _numbers(row, label, start, rules)[:, None]
        same = (values == label[place]).all(axis=1)
        for value in values if row.unknown[cell] and not column.one_hot else values[~same]:
            other = label.copy()
            other[place] = value
            yield other


def _numbers(row: Row, label: IntArray, j: int, rules: RuleSet) -> IntArray:
    """The values of one integer variable that every row allows while the others stay: all of an interval, or some."""
    low, high = int(row.model.variables.lower[j]), int(row.model.variables.upper[j])
    touched = rules[rules.matrix[:, j] != 0]
    for i in range(len(touched)):
        times, rest = int(touched.matrix[i, j]), int(touched.rhs[i])
        others = np.flatnonzero(touched.matrix[i, : len(label)])
        rest -= sum(int(touched.matrix[i, k]) * int(label[k]) for k in others.tolist() if k != j)
        if touched.equality[i]:
            if rest % times:
                return np.zeros(0, np.int64)
            low, high = max(low, rest // times), min(high, rest // times)
        elif times > 0:
            high = min(high, rest // times)
        else:
            low = max(low, -(rest // -times))
    if high - low < budgets.REPAIR_VALUES:
        return np.arange(low, high + 1)
    seen, counts = np.unique(row.model.seen[:, j], return_counts=True)
    inside = (seen >= low) & (seen <= high)
    often = seen[inside][np.argsort(-counts[inside], kind="stable")][: budgets.REPAIR_VALUES]
    return np.unique([low, high, min(max(int(label[j]), low), high), *often.tolist()])


def _blocks(labels: Iterator[IntArray], width: int) -> Iterator[IntArray]:
    size, block = max(1, budgets.REPAIR_BLOCK_ENTRIES // width), list[IntArray]()
    for label in labels:
        block.append(label)
        if len(block) == size:
            yield np.array(block)
            block = []
    if block:
        yield np.array(block)
