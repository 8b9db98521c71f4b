"""Spanning trees from a few hundred examples: is the matroid behind them mined?"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

import unwritten
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.data import FloatArray, IntArray
from unwritten.samples import trees

MineTrees = Callable[[int, IntArray, FloatArray], unwritten.Model]
ALONE = "auto, labels alone"
MODELS: dict[str, MineTrees] = {
    ALONE: lambda _, labels, __: unwritten.mine(labels),
    "auto, with weights": lambda _, labels, weights: unwritten.mine(labels, weights),
    "Outer+EQ": lambda _, labels, weights: unwritten.mine(labels, weights, rules=["equalities"]),
    "Outer+EQ, rank rules": lambda _, labels, weights: unwritten.mine(labels, weights, rules=["equalities", "ranks"]),
    "auto, node symmetry": lambda nodes, labels, weights: unwritten.mine(
        labels, weights, symmetries=unwritten.relabelled(trees.edges(nodes))
    ),
}
#: numbers of examples by number of nodes
SIZES = {7: (100, 200, 250, 500, 1_000), 10: (350, 500), 15: (500, 1_000)}
#: numbers of examples on 7 nodes for the models that list all sets of edges; on 10 nodes there are too many sets
SMALL = {"Outer+EQ, rank rules": (500, 1_000), "auto, node symmetry": (100, 200)}


def run(context: RunContext) -> Result:
    """Measure every model on fresh queries: its exact match (EM), and the share of true trees that it forbids."""
    result = Result("few-trees", "Spanning trees from few examples")
    seeds = range(context.seed, context.seed + context.pick(2, 10))
    for nodes, sizes in context.pick({7: (250,)}, SIZES).items():
        for size in sizes:
            for name in MODELS:
                if name in SMALL and (nodes != 7 or size not in context.pick(SMALL | {name: (250,)}, SMALL)[name]):
                    continue
                trials(context, result, nodes, size, name, seeds)
    result.notes.append(
        'EM counts answers of the best value on 500 fresh queries per seed; "forbidden" counts the true trees '
        "of these queries that the mined rules exclude. If the evidence for a matroid is too weak, auto uses rules and "
        "cuts."
    )
    _draw(context, result)
    return result


def trials(context: RunContext, result: Result, nodes: int, size: int, name: str, seeds: range) -> None:
    """Measure one model for one size of graph and one number of examples, over several seeds."""
    exact_match, forbidden, matroids, seconds = [], [], 0, []
    for seed in seeds:
        context.say(f"{nodes} nodes, {size} examples, {name}, seed {seed}")
        weights, labels = trees.sample(nodes, size, seed)
        queries, truth = trees.sample(nodes, context.pick(100, 500), 10_000 + seed)
        start = perf_counter()
        model = MODELS[name](nodes, labels, weights)
        seconds.append(perf_counter() - start)
        decisions = model.decide(queries)
        distance = np.abs(decisions.values - (queries * truth).sum(axis=1))
        exact_match.append(100 * float((trees.is_tree(decisions.labels, nodes) & (distance < 1e-9)).mean()))
        forbidden.append(100 * float((~model.check(truth).feasible).mean()))
        matroids += model.matroid is not None
    case = f"{nodes} nodes, {size:,} examples"
    result.add(case, name, "test EM %", None, float(np.mean(exact_match)), spread=float(np.std(exact_match)))
    result.add(case, name, "worst seed %", None, min(exact_match))
    result.add(case, name, "true trees forbidden %", None, float(np.mean(forbidden)), spread=float(np.std(forbidden)))
    result.add(case, name, "s to mine", None, float(np.mean(seconds)))
    result.facts[f"{case}, {name}"] = {"EM": exact_match, "matroids": matroids, "seeds": len(seeds)}


def _draw(context: RunContext, result: Result) -> None:
    """Draw the test EM against the number of examples, for 7 nodes."""
    with figure(context, result, "few-trees") as axes:
        for style, name in zip(STYLES, MODELS, strict=True):
            points = [
                (int(row.case.split(", ")[1].split()[0].replace(",", "")), row.ours)
                for row in result.rows
                if row.model == name and row.measure == "test EM %" and row.case.startswith("7 nodes")
            ]
            if points:
                axes.plot(*np.array(points).T, label=name, **style)
        axes.set(xlabel="examples, 7 nodes", ylabel="test EM (%)", ylim=(-3, 103))
        axes.legend(fontsize=8, loc="center")
