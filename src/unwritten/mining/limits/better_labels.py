"""Labels near the examples that are worth more than the chosen ones: they pin a limit at its edge.

A step changes a few columns by 1, or moves along a short vector that keeps all known equalities.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.choices import Choices
from unwritten.rules import RuleSet

MOST_COLUMNS = 4  # columns that one step changes
BLOCK = 1 << 22  # products of steps and examples that are held in memory at once


def steps_of(width: int, rules: RuleSet) -> IntArray:
    """The steps that are tried: as many columns at a time as the budget allows, within the known equalities."""
    columns = 1
    while columns < MOST_COLUMNS and _count(width, columns + 1) <= budgets.LIMIT_MOVES:
        columns += 1
    steps = _unit_steps(width, columns)
    equalities = rules.matrix[rules.equality]
    if len(equalities):
        steps = steps[~(steps @ equalities.T).any(axis=1)]
        steps = np.concatenate([steps, _kernel_steps(equalities)])
    _, first = np.unique(steps, axis=0, return_index=True)
    return steps[np.sort(first)]


def _count(width: int, columns: int) -> int:
    return sum(comb(width, k) * 2**k for k in range(1, columns + 1))


def _unit_steps(width: int, columns: int) -> IntArray:
    """All steps that change at most so many columns by 1."""
    parts = []
    for k in range(1, min(columns, width) + 1):
        chosen = np.array(list(combinations(range(width), k)))
        for signs in product((1, -1), repeat=k):
            step = np.zeros((len(chosen), width), np.int64)
            np.put_along_axis(step, chosen, np.array(signs)[None].repeat(len(chosen), axis=0), axis=1)
            parts.append(step)
    return np.concatenate(parts)


def _kernel_steps(equalities: IntArray) -> IntArray:
    """Short vectors that keep all equalities, with the sums and differences of each two of them."""
    basis = linalg.kernel(equalities)
    if not len(basis) or basis.dtype == object:  # no vectors, or none that are short
        return np.zeros((0, equalities.shape[1]), np.int64)
    if len(basis) <= budgets.LATTICE_COLUMNS:
        basis = linalg.short_basis(basis)
    steps = [basis, -basis]
    if 2 * len(basis) ** 2 <= budgets.LIMIT_MOVES:
        first, second = np.triu_indices(len(basis), 1)
        for one, other in product((1, -1), repeat=2):
            steps.append(one * basis[first] + other * basis[second])
    return np.concatenate(steps)


def better_steps(choices: Choices, steps: IntArray, rows: FloatArray | None = None) -> Iterator[tuple[int, BoolArray]]:
    """For each example, which steps lead to labels that are worth more, lie within bounds, and obey the rows if given.

    Examples without such a step are left out. Rows `[a, b]` say a·y ≤ b of labels that count from their lower bounds.
    """
    gains = steps.astype(np.float64)
    ups, downs = ((sign * steps.T > 0).astype(np.float32) for sign in (1, -1))
    units = bool(len(steps)) and int(np.abs(steps).max()) == 1
    values = (choices.weights * choices.labels).sum(axis=1)
    size = max(1, BLOCK // max(1, len(steps)))
    lower, upper = choices.variables.lower, choices.variables.upper
    for start in range(0, len(choices), size):
        part = slice(start, start + size)
        labels = choices.labels[part]
        good = choices.weights[part] @ gains.T > (choices.thresholds[part] - values[part])[:, None]
        if rows is not None:
            room = rows[:, -1] - (labels - lower) @ rows[:, :-1].T
            for k, change in enumerate(rows[:, :-1] @ gains.T):
                good &= change <= room[:, k, None]
        if units:  # a step of 1 leaves the bounds where a column is at its end
            good &= ((labels == upper).astype(np.float32) @ ups + (labels == lower).astype(np.float32) @ downs) == 0
        for i in np.flatnonzero(good.any(axis=1)):
            if not units:
                possible = np.flatnonzero(good[i])
                after = labels[i] + steps[possible]
                good[i, possible] = ((after >= lower) & (after <= upper)).all(axis=1)
            if good[i].any():
                yield start + int(i), good[i]


def better_labels(
    choices: Choices, steps: IntArray, most: int, rng: np.random.Generator, rows: FloatArray | None = None
) -> tuple[IntArray, IntArray]:
    """Labels that are worth more than the label of an example, at most so many for each, and the example of each."""
    labels, examples = [np.zeros((0, steps.shape[1]), np.int64)], [np.zeros(0, np.int64)]
    for i, good in better_steps(choices, steps, rows):
        chosen = np.flatnonzero(good)
        if len(chosen) > most:
            chosen = rng.choice(chosen, most, replace=False)
        labels.append(choices.labels[i] + steps[chosen])
        examples.append(np.full(len(chosen), i))
    return np.concatenate(labels), np.concatenate(examples)


def random_labels(choices: Choices, kept: IntArray, steps: IntArray, rules: RuleSet, count: int) -> IntArray:
    """Labels a random step from one of the kept labels, within bounds and rules; at most so many."""
    rng = np.random.default_rng(0)
    labels = kept[rng.integers(0, len(kept), count)] + steps[rng.integers(0, len(steps), count)]
    labels = labels[((labels >= choices.variables.lower) & (labels <= choices.variables.upper)).all(axis=1)]
    return np.unique(labels[rules.obeyed_by(labels)], axis=0)
