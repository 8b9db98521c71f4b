"""Set sizes (section 5.1): |S_O| and |S_I| against the number of examples, with the expectations of Lemma 3.

Lemma 3: E|S_I| = M − Σ_{i∈S*} (1−p_i)^k and E|S_O| = M + Σ_{j∉S*} (1−p_j)^k, where p is the probability that a point
is at least as good as every feasible point. The paper approximates p by 1/M and 1/(M+1).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import unwritten
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.samples import trees

NODES, EDGES = 7, 21


def run(context: RunContext) -> Result:
    """Measure the sizes at growing k, compute both expectations, and draw the histogram of p_j."""
    result = Result("sizes", "Set sizes on spanning trees of 7 nodes")
    points = _candidates()
    feasible = trees.is_tree(points, NODES)
    m, n = int(feasible.sum()), len(points)
    result.add("MST-7", "feasible set", "M", 16_807, m)
    result.add("MST-7", "candidates with 6 edges", "N", 54_264, n)
    k = context.pick(2_000, 20_000)
    weights, labels = trees.sample(NODES, k, context.seed)
    model = unwritten.mine(labels, weights, rules=["equalities"])
    result.facts["rules"] = [rule.text for rule in model.rules]
    context.say("estimating p")
    p = _estimate_p(points, feasible, context.pick(20_000, 100_000), context.seed + 1)
    steps = np.unique([*np.geomspace(100, k, context.pick(6, 14)).astype(int), k // 2])
    outer = _outer_sizes(points, weights, labels, steps)
    inner = np.array([len(np.unique(labels[:step], axis=0)) for step in steps])
    uniform = np.full(n, 1 / (m + 1))
    uniform[feasible] = 1 / m
    expected = {"true p": _expectations(p, feasible, steps), "p = 1/M": _expectations(uniform, feasible, steps)}
    for step in (k // 2, k):
        at = int(np.flatnonzero(steps == step)[0])
        case = f"k = {steps[at]:,}"
        result.add(case, "|S_I|", "size", None, inner[at])
        result.add(case, "|S_O|", "size", None, outer[at])
        for kind, (expected_inner, expected_outer) in expected.items():
            result.add(case, f"E|S_I|, {kind}", "size", None, expected_inner[at])
            result.add(case, f"E|S_O|, {kind}", "size", None, expected_outer[at])
    gap = np.abs(inner / expected["true p"][0] - 1).max()
    result.facts |= {
        "steps": steps.tolist(),
        "inner": inner.tolist(),
        "outer": outer.tolist(),
        "expected": {kind: [part.tolist() for part in pair] for kind, pair in expected.items()},
        "worst relative gap of |S_I|": float(gap),
    }
    result.notes.append(f"|S_I| is within {100 * gap:.2f} % of its expectation (true p) at every k.")
    if not context.quick:
        reached = result.facts["converged"] = _convergence(points, m, context)
        result.notes.append(f"S_O is the feasible set after {reached['outer']} examples, S_I after {reached['inner']}.")
    _draw(context, result, m)
    broken = _broken_cuts(points[~feasible], weights, labels) / k
    result.facts["mean p_j, in units of 1/(M+1)"] = float(broken.mean() * (m + 1))
    _draw_histogram(context, result, broken, k, m)
    return result


def _candidates() -> IntArray:
    """List all labels with six edges; there are N = C(21, 6)."""
    chosen = np.array(list(combinations(range(EDGES), NODES - 1)))
    points = np.zeros((len(chosen), EDGES), np.int64)
    points[np.arange(len(chosen))[:, None], chosen] = 1
    return points


def _estimate_p(points: IntArray, feasible: BoolArray, draws: int, seed: int) -> FloatArray:
    """Estimate p of every point from fresh draws: how often a tree is the best label, or another point beats all trees.

    Relabelling the nodes does not change p, so all points of one shape get the average of their shape.
    """
    weights, labels = trees.sample(NODES, draws, seed)
    wins = np.zeros(len(points))
    rank = _codes(points).argsort()
    np.add.at(wins, rank[np.searchsorted(_codes(points)[rank], _codes(labels))], 1)
    wins[~feasible] = _broken_cuts(points[~feasible], weights, labels)
    _, shape, size = np.unique(_shapes(points), axis=0, return_inverse=True, return_counts=True)
    return np.asarray((np.bincount(shape.ravel(), wins) / size)[shape.ravel()] / draws)


def _broken_cuts(points: IntArray, weights: FloatArray, labels: IntArray) -> IntArray:
    """Count the cuts w·y ≤ w·label that each point breaks."""
    best = np.einsum("ij,ij->i", weights, labels.astype(float)).astype(np.float32)
    table, counts = points.astype(np.float32), np.zeros(len(points), np.int64)
    for start in range(0, len(weights), 1000):
        block = slice(start, start + 1000)
        counts += (table @ weights[block].T.astype(np.float32) > best[block]).sum(axis=1)
    return counts


def _codes(labels: IntArray) -> IntArray:
    """Encode each label as one integer with the same bits."""
    return np.asarray(labels @ (1 << np.arange(labels.shape[1])))


def _shapes(points: IntArray) -> IntArray:
    """Describe each graph by the sorted walk counts of its nodes, which relabelling the nodes does not change."""
    adjacency = np.zeros((len(points), NODES, NODES), np.int64)
    for column, (a, b) in enumerate(trees.edges(NODES)):
        adjacency[:, a, b] = adjacency[:, b, a] = points[:, column]
    power, counts = adjacency, []
    for _ in range(5):
        counts += [power.sum(axis=2), np.einsum("nii->ni", power)]
        power = power @ adjacency
    table = np.stack(counts, axis=2)
    keys = table @ (31 ** np.arange(table.shape[2]))
    return np.sort(keys, axis=1)


def _expectations(chance: FloatArray, feasible: BoolArray, steps: IntArray) -> tuple[FloatArray, FloatArray]:
    """Compute E|S_I| and E|S_O| of Lemma 3 at each k."""
    missed = (1 - chance[:, None]) ** steps
    m = feasible.sum()
    return m - missed[feasible].sum(axis=0), m + missed[~feasible].sum(axis=0)


def _outer_sizes(points: IntArray, weights: FloatArray, labels: IntArray, steps: IntArray) -> IntArray:
    """Count the candidates that the first k cuts leave, for each k."""
    alive, sizes, start = points, [], 0
    for step in steps:
        alive = _surviving(alive, weights[start:step], labels[start:step])
        sizes.append(len(alive))
        start = step
    return np.array(sizes)


def _surviving(points: IntArray, weights: FloatArray, labels: IntArray) -> IntArray:
    """Return the points that break none of the cuts w·y ≤ w·label."""
    limits = np.einsum("ij,ij->i", weights, labels.astype(float)) + 1e-9
    for start in range(0, len(weights), 500):
        block = slice(start, start + 500)
        points = points[(points @ weights[block].T <= limits[block]).all(axis=1)]
    return points


def _convergence(points: IntArray, m: int, context: RunContext) -> dict[str, int | None]:
    """Count the examples until S_O and S_I are the feasible set; None if two million are not enough."""
    alive, seen = points, np.zeros(0, np.int64)
    reached: dict[str, int | None] = {"outer": None, "inner": None}
    for block in range(100):
        weights, labels = trees.sample(NODES, 20_000, context.seed + 100 + block)
        context.say(f"to convergence: {20_000 * (block + 1):,} examples, {len(alive):,} and {len(seen):,} labels")
        seen = np.union1d(seen, _codes(labels))
        alive = alive if len(alive) == m else _surviving(alive, weights, labels)
        for name, size in (("outer", len(alive)), ("inner", len(seen))):
            if size == m and reached[name] is None:
                reached[name] = 20_000 * (block + 1)
        if all(reached.values()):
            break
    return reached


def _draw(context: RunContext, result: Result, m: int) -> None:
    """Draw |S_O| and |S_I| against k, with both expectations and the true size."""
    facts = result.facts
    with figure(context, result, "sizes") as axes:
        for name, series, style in (
            ("|S_O|", facts["outer"], STYLES[0]),
            ("|S_I|", facts["inner"], STYLES[1]),
        ):
            axes.plot(facts["steps"], series, label=name, **style)
        for kind, line in (("true p", (0, (4, 2))), ("p = 1/M", (0, (1, 1)))):
            inner, outer = facts["expected"][kind]
            axes.plot(facts["steps"], outer, color="0.25", linestyle=line, label=f"expected, {kind}")
            axes.plot(facts["steps"], inner, color="0.25", linestyle=line)
        axes.axhline(m, color="0.6", linewidth=1)
        axes.annotate(f"M = {m:,}", (facts["steps"][0], m), va="top", fontsize=9)
        axes.set(xscale="log", xlabel="examples k", ylabel="labels in the set")
        axes.legend()


def _draw_histogram(context: RunContext, result: Result, chance: FloatArray, k: int, m: int) -> None:
    """Draw the distribution of p_j outside the feasible set, and 1/(M+1)."""
    with figure(context, result, "chances") as axes:
        axes.hist(chance, bins=(np.arange(round(chance.max() * k) + 2) - 0.5) / k, color="0.75", edgecolor="0.2")
        axes.axvline(1 / (m + 1), color="black", linestyle="--", label="1/(M+1)")
        axes.set(xlabel=f"$p_j$ of infeasible labels, from {k:,} examples", ylabel="labels")
        axes.ticklabel_format(axis="x", style="sci", scilimits=(0, 0))
        axes.legend()
