"""Set sizes (section 5.1): |S_O| and |S_I| against the number of examples, with the expectations of Lemma 3.

Lemma 3: E|S_I| = M − Σ_{i∈S*} (1−p_i)^k and E|S_O| = M + Σ_{j∉S*} (1−p_j)^k, where p is the chance that a point is
at least as good as every feasible one. The paper approximates p by 1/M and 1/(M+1).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import tacit
from tacit.data import BoolArray, FloatArray, IntArray
from tacit.experiments import trees
from tacit.experiments.paper.figures import STYLES, figure
from tacit.experiments.paper.result import Context, Result

NODES, EDGES = 7, 21


def run(context: Context) -> Result:
    """Empirical sizes at growing k, both expectations, and the histogram of p_j."""
    result = Result("sizes", "Set sizes on spanning trees of 7 nodes")
    points = _candidates()
    feasible = trees.is_tree(points, NODES)
    m, n = int(feasible.sum()), len(points)
    result.add("MST-7", "feasible set", "M", 16_807, m)
    result.add("MST-7", "candidates with 6 edges", "N", 54_264, n)
    k = context.pick(2_000, 20_000)
    weights, labels = trees.sample(NODES, k, context.seed)
    model = tacit.mine(labels, weights)
    result.facts["rules"] = [rule.text for rule in model.rules]
    context.say("estimating p")
    chance = _chances(points, feasible, context.pick(20_000, 200_000), context.seed + 1)
    steps = np.unique(np.geomspace(100, k, context.pick(6, 14)).astype(int))
    outer = _outer_sizes(points, weights, labels, steps)
    inner = np.array([len(np.unique(labels[:step], axis=0)) for step in steps])
    uniform = np.full(n, 1 / (m + 1))
    uniform[feasible] = 1 / m
    expected = {"true p": _expectations(chance, feasible, steps), "1/M": _expectations(uniform, feasible, steps)}
    for step in context.pick([2_000], [10_000, 20_000]):
        at = int(np.argmin(np.abs(steps - step)))
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
        result.facts["converged"] = _convergence(points, feasible, weights, labels, context)
        result.notes.append(f"To convergence: {result.facts['converged']}.")
    _draw(context, result, steps, inner, outer, expected, m)
    _draw_histogram(context, result, points, feasible, weights, labels, m)
    return result


def _candidates() -> IntArray:
    """All labels with six edges, N = C(21, 6)."""
    chosen = np.array(list(combinations(range(EDGES), NODES - 1)))
    points = np.zeros((len(chosen), EDGES), np.int64)
    points[np.arange(len(chosen))[:, None], chosen] = 1
    return points


def _beaten(points: IntArray, weights: FloatArray, labels: IntArray) -> IntArray:
    """How many of the examples' cuts each point breaks: w·point > w·label."""
    counts = np.zeros(len(points), np.int64)
    table = points.astype(np.float32)
    best = np.einsum("ij,ij->i", weights, labels.astype(float)).astype(np.float32)
    for start in range(0, len(weights), 500):
        block = slice(start, start + 500)
        counts += (table @ weights[block].T.astype(np.float32) > best[block] + 1e-6).sum(axis=1)
    return counts


def _chances(points: IntArray, feasible: BoolArray, draws: int, seed: int) -> FloatArray:
    """p of every point from fresh draws: how often it is the best feasible label, or beats all feasible ones."""
    weights, labels = trees.sample(NODES, draws, seed)
    chance = _beaten(points, weights, labels) / draws
    place = {row.tobytes(): i for i, row in enumerate(points)}
    wins = np.zeros(len(points))
    for row in labels:
        wins[place[row.tobytes()]] += 1
    chance[feasible] = _smoothed(wins[feasible], draws)
    return np.asarray(chance)


def _smoothed(wins: FloatArray, draws: int) -> FloatArray:
    """Win rates with the classes of isomorphic trees pooled: by symmetry, trees of one shape have one p."""
    return wins / draws
