"""Single changes: every way to make a row right by changing one cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining import lifted_labels
from unwritten.review.examined_row import ExaminedRow
from unwritten.rules import RuleSet


def single_changes(row: ExaminedRow, label: IntArray, must_change: IntArray) -> list[IntArray]:
    """Return all feasible labels that differ from `label` in one cell.

    Cells in `must_change` cannot keep their value: with two or more of them there is no such label. An integer that
    may take more than `budgets.REPAIR_VALUES` values is tried at the values seen most often, at both ends of its range
    and at the allowed value nearest to the present one.
    """
    if len(must_change) > 1:
        return []
    model, width = row.model, len(label)
    broken = model.check_labels(label[None]).violations[0]
    # Latents follow from the label, so rules over latents are only checked at the end.
    has_no_latent = np.asarray(~model.rules.matrix[:, width:].any(axis=1))
    broken_rules = model.rules[broken & has_no_latent]
    cells = must_change if len(must_change) else np.arange(len(row.columns))
    feasible: list[IntArray] = []
    for block in _blocks(_candidates(row, label, cells, broken_rules, model.rules[has_no_latent]), width):
        labels = block
        if len(broken_rules):
            labels = block[~broken_rules.violations(lifted_labels(model.lifts, block)).any(axis=1)]
        feasible += list(labels[model.check_labels(labels, strict=True).feasible]) if len(labels) else []
    return feasible


def _candidates(
    row: ExaminedRow, label: IntArray, cells: IntArray, broken_rules: RuleSet, rules: RuleSet
) -> Iterator[IntArray]:
    """Yield the labels with one cell changed; a cell is skipped unless every broken rule uses it."""
    for cell in cells.tolist():
        place, column = row.places[cell], row.columns[cell]
        if not broken_rules.matrix[:, place].any(axis=1).all():
            continue
        if column.one_hot:
            values = np.eye(column.width, dtype=np.int64)
        elif column.kind == "boolean":
            values = np.array([[0], [1]])
        else:
            values = _allowed_integers(row, label, place.start, rules)[:, None]
        is_present = (values == label[place]).all(axis=1)
        for value in values if row.unknown[cell] and not column.one_hot else values[~is_present]:
            candidate = label.copy()
            candidate[place] = value
            yield candidate


def _allowed_integers(row: ExaminedRow, label: IntArray, j: int, rules: RuleSet) -> IntArray:
    """Return the values of integer variable `j` that every rule allows while the other variables keep their values.

    All values of the interval if they are at most `budgets.REPAIR_VALUES`, else a selection of them.
    """
    low, high = int(row.model.variables.lower[j]), int(row.model.variables.upper[j])
    touching = rules[rules.matrix[:, j] != 0]
    for i in range(len(touching)):
        factor, rest = int(touching.matrix[i, j]), int(touching.rhs[i])
        used = np.flatnonzero(touching.matrix[i, : len(label)])
        rest -= sum(int(touching.matrix[i, k]) * int(label[k]) for k in used.tolist() if k != j)
        if touching.equality[i]:
            if rest % factor:
                return np.zeros(0, np.int64)
            low, high = max(low, rest // factor), min(high, rest // factor)
        elif factor > 0:
            high = min(high, rest // factor)
        else:
            low = max(low, -(rest // -factor))
    if high - low < budgets.REPAIR_VALUES:
        return np.arange(low, high + 1)
    seen, counts = np.unique(row.model.seen[:, j], return_counts=True)
    inside = (seen >= low) & (seen <= high)
    most_seen = seen[inside][np.argsort(-counts[inside], kind="stable")][: budgets.REPAIR_VALUES]
    return np.unique([low, high, min(max(int(label[j]), low), high), *most_seen.tolist()])


def _blocks(labels: Iterator[IntArray], width: int) -> Iterator[IntArray]:
    """Collect labels into arrays of at most `budgets.REPAIR_BLOCK_ENTRIES` integers."""
    size, block = max(1, budgets.REPAIR_BLOCK_ENTRIES // width), list[IntArray]()
    for label in labels:
        block.append(label)
        if len(block) == size:
            yield np.array(block)
            block = []
    if block:
        yield np.array(block)
