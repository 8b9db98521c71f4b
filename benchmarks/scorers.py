"""What consistency costs a scorer: labels and probabilities under rules that form a forest, per row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np
from scipy.special import expit

import unwritten
from benchmarks.timing import MarkdownTable
from unwritten.data import FloatArray, IntArray
from unwritten.model import Model
from unwritten.sklearn.matched_marginals import MatchedMarginals

SHAPES: dict[str, Callable[[int, np.random.Generator], int]] = {
    "random forest": lambda j, rng: int(rng.integers(-1, j)),
    "binary tree": lambda j, rng: (j + 1) // 2 - 1,
    "chains of 20": lambda j, rng: j - 1 if j % 20 else -1,
    "one chain": lambda j, rng: j - 1,
}
"""The parent of label j, or −1."""


def scorers(quick: bool) -> MarkdownTable:
    """CPU time of labels and of probabilities for scores that contradict most rules, one thread."""
    widths, rows = ((100,), 20) if quick else ((100, 500, 700), 500)
    table = MarkdownTable(f"Scores made consistent, {rows} rows, scores N(0, 2²)")
    for width in widths:
        for shape, parent_of in SHAPES.items():
            rng = np.random.default_rng(0)
            parents = np.array([parent_of(j, rng) for j in range(width)])
            weights = 2 * rng.normal(size=(rows, width))
            given = expit(weights)
            for kind in ("child requires parent", "parent is the sum of its children"):
                model = forest_model(parents, kind)
                model.predict(weights[:1], progress=False)
                matched = MatchedMarginals(model.rules)
                table.add(
                    labels=width,
                    shape=shape,
                    rules=kind,
                    label_us=microseconds(partial(model.predict, weights, progress=False), rows),
                    probabilities_us=microseconds(partial(matched.marginals, given), rows),
                    worst_miss=_worst_miss(matched, given),
                )
    return table


def forest_model(parents: IntArray, kind: str) -> Model:
    """A model of given rules, and one example."""
    width = len(parents)
    each = np.eye(width, dtype=np.int64)
    if kind == "child requires parent":
        rows = [(each[j] - each[parents[j]], "<=", 0) for j in np.flatnonzero(parents >= 0)]
    else:
        inner = np.unique(parents[parents >= 0])
        rows = [((parents == parent).astype(np.int64) - each[parent], "==", 0) for parent in inner]
    return unwritten.mine(np.zeros((1, width), np.int64), rules=[], prior=rows, progress=False)


def microseconds(run: Callable[[], object], rows: int) -> float:
    """The CPU time per row, the best of three runs."""
    times = []
    for _ in range(3):
        start = process_time()
        run()
        times.append(process_time() - start)
    return 1e6 * min(times) / rows


def _worst_miss(matched: MatchedMarginals, given: FloatArray) -> float:
    """By how much the expected sum of a rule is missed at most."""
    rules = matched.rules
    over = matched.marginals(given) @ rules.matrix.T - rules.rhs
    return float(np.where(rules.equality, np.abs(over), over).max())
