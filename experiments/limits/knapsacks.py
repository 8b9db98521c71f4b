"""Knapsacks decided optimally for random weights: are the rows recovered, and are fresh queries answered rightly?"""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from experiments.result import Result, RunContext
from unwritten.data import FloatArray, IntArray
from unwritten.programs import LinearProgram

LARGEST = 19  # size of an item


def run(context: RunContext) -> Result:
    """Mine knapsacks of several sizes, and compare the limits with the true rows."""
    result = Result("knapsacks", "Knapsacks: true rows among the limits, other limits, and fresh queries right in %")
    cases = context.pick(
        ((15, 1, 200), (30, 1, 300)), ((30, 1, 300), (30, 1, 500), (50, 1, 1_000), (100, 1, 1_000), (30, 2, 1_000))
    )
    queries = context.pick(100, 500)
    for items, rows, size in cases:
        outcomes = []
        for seed in range(context.seed, context.seed + context.pick(1, 3)):
            context.say(f"{items} items, {rows} rows, {size} examples, seed {seed}")
            outcomes.append(_outcome(items, rows, size, queries, seed))
        case = f"{items} items, {rows} rows, {size:,} examples"
        for measure, unit in (("recovered", "rows"), ("other", "rows"), ("right", "%"), ("seconds", "s")):
            result.add(
                case, "limits", f"{measure} ({unit})", None, float(np.mean([each[measure] for each in outcomes]))
            )
    return result


def _outcome(items: int, rows: int, size: int, queries: int, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, LARGEST + 1, (rows, items))
    capacities = sizes.sum(axis=1) // 3
    weights = rng.uniform(0, 1, (size + queries, items))
    labels = decided(sizes, capacities, weights)
    start = perf_counter()
    model = unwritten.mine(labels[:size], weights[:size], progress=False)
    seconds = perf_counter() - start
    limits = {(*rule.coefficients.tolist(), rule.rhs) for rule in model.rules}
    truth = {(*row.tolist(), int(capacity)) for row, capacity in zip(sizes, capacities, strict=True)}
    asked = weights[size:]
    best = (asked * labels[size:]).sum(axis=1)
    right = np.isclose(model.decide(asked, progress=False).values, best, rtol=0, atol=1e-6)
    return {
        "recovered": len(limits & truth),
        "other": len(limits - truth),
        "right": 100 * float(right.mean()),
        "seconds": seconds,
    }


def decided(sizes: IntArray, capacities: IntArray, weights: FloatArray) -> IntArray:
    """The best choice of items for each row of weights."""
    items = sizes.shape[1]
    program = LinearProgram(np.zeros(items), np.ones(items), integral=np.ones(items, bool))
    program.add(sizes.astype(np.float64), upper=capacities.astype(np.float64))
    labels = np.zeros(weights.shape, np.int64)
    for i, objective in enumerate(weights):
        values = program.solve(objective).values
        if values is not None:
            labels[i] = np.rint(values)
    return labels
