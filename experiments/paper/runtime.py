"""Running time (section 5.2): training and query times, with the paper's way in the same run.

The paper's way computes the kernel by a float SVD, and puts every rule and cut into one MILP, here for an open solver.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from scipy.linalg import null_space

import unwritten
from experiments import datasets, hierarchy
from experiments.figures import figure
from experiments.paper import nets
from experiments.paper.convnets import FULL_SIZE, QUICK_SIZE, ConvNet
from experiments.paper.published import NETWORK_SECONDS, SECONDS
from experiments.result import Result, RunContext
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku, trees

T = TypeVar("T")
TRAIN, QUERY = "training s", "query s"
FEATURES = 80  # the number in ImCLEF07A


def run(context: RunContext) -> Result:
    """Time every model of the paper's table."""
    result = Result("runtime", "Running time, ours and the paper's way on the open solver")
    weights, labels = trees.sample(7, context.pick(1_000, 20_000), context.seed)
    queries, _ = trees.sample(7, context.pick(50, 500), context.seed + 1)
    few = context.pick(1, 5)
    _time_mlp(context, result, "MST", weights, labels, hidden=50)
    _time_model(context, result, "MST", "Outer", labels, weights, queries, few, rules=[])
    _time_model(context, result, "MST", "Outer+EQ", labels, weights, queries, few)
    grids, puzzles = _sudoku(context)
    _time_convnet(context, result, grids)
    _time_model(
        context, result, "Sudoku", "Outer+EQ", sudoku.one_hot(grids), None, sudoku.clues_to_weights(puzzles), few
    )
    scores, paths = hierarchy.sample(context.pick(500, 10_000), context.seed)
    path_queries, _ = hierarchy.sample(context.pick(50, 1_000), context.seed + 1)
    features = np.random.default_rng(context.seed).normal(size=(len(paths), FEATURES))
    _time_mlp(context, result, "HMC", features, paths, hidden=80)
    _time_model(context, result, "HMC", "Outer", paths, scores, path_queries, few, rules=[])
    _time_model(context, result, "HMC", "Outer+Latent", paths, scores, path_queries, few, lifts="pairs")
    result.notes.append(
        "Networks are those of the experiments mst, sudoku and hmc (two layers; the ConvNet at a size that a CPU can "
        "train), on one thread. Their time per query is a share of one large batch."
    )
    result.notes.append("HMC here is generated data of the same shape (96 labels, 63 paths) with noisy scores.")
    result.notes.append("Sudoku keeps no cuts: no label within the bounds can break one, so both ways have only rules.")
    _draw(context, result)
    return result


def _time_model(
    context: RunContext,
    result: Result,
    case: str,
    name: str,
    labels: IntArray,
    weights: FloatArray | None,
    queries: FloatArray,
    few: int,
    **options: Any,
) -> None:
    """Time one model in our way and in the paper's, and check that both give the same values."""
    context.say(f"{case} {name}")
    options = {"rules": ["equalities"], **options}
    train, model = _timed(lambda: unwritten.mine(labels, weights, **options))
    model.decide(queries[:1])
    query, ours = _timed(lambda: model.decide(queries))
    slow, theirs = _timed(lambda: model.decide(queries[:few], engine="monolithic"))
    query, slow = query / len(queries), slow / few
    paper_train, paper_query = SECONDS[case, name]
    result.add(case, name, TRAIN, paper_train, train)
    result.add(case, name, QUERY, paper_query, query)
    result.add(case, f"{name}, paper's way", QUERY, paper_query, slow)
    result.add(case, name, "times faster per query", None, slow / query)
    if options["rules"] and not options.get("lifts"):
        bordered = np.column_stack([labels, np.ones(len(labels))])
        kernel, _ = _timed(lambda: null_space(bordered))
        result.add(case, f"{name}, paper's way", "kernel s", None, kernel)
    same = np.abs(theirs.values - ours.values[:few]) <= 1e-9
    result.facts[f"{case} {name}"] = {"same values": bool(same.all()), "engine": sorted(set(ours.engine.tolist()))}


def _time_network(
    context: RunContext, result: Result, case: str, name: str, fit: Callable[[], float], answer: Callable[[], int]
) -> None:
    """Time a base network: its training, and one query as a share of a batch."""
    context.say(f"{case} {name}")
    train = fit()
    seconds, count = _timed(answer)
    for measure, paper, ours in zip((TRAIN, QUERY), NETWORK_SECONDS[case], (train, seconds / count), strict=True):
        result.add(case, name, measure, paper, ours)


def _time_mlp(context: RunContext, result: Result, case: str, given: FloatArray, wanted: IntArray, hidden: int) -> None:
    """Time a multi-layer perceptron of two layers."""
    net = nets.mlp(given.shape[1], wanted.shape[1], hidden, 2, context.seed)
    fit = partial(nets.train, net, given, wanted, epochs=context.pick(2, 300), lr=1e-3)
    _time_network(context, result, case, "NN", fit, lambda: len(nets.probabilities(net, given)))


def _time_convnet(context: RunContext, result: Result, grids: IntArray) -> None:
    """Time a convolutional network; half the cells of every grid are hidden, which does not change the time."""
    given = np.where(np.random.default_rng(context.seed).random(grids.shape) < 0.5, grids, 0)
    net = ConvNet(context.pick(QUICK_SIZE, FULL_SIZE), masked=False, seed=context.seed)
    fit = partial(net.fit, given, grids, context.say)
    _time_network(context, result, "Sudoku", "ConvNet", lambda: _timed(fit)[0], lambda: len(net.solve(given)))


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call took, and its result."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def _sudoku(context: RunContext) -> tuple[IntArray, IntArray]:
    """Read training grids and test puzzles from SATNet's file, or generate them if it is absent."""
    count, tests = context.pick((600, 10), (9_000, 100))
    try:
        puzzles, grids = datasets.satnet(context.data)
    except DataError:
        grids = sudoku.grids(count + tests, context.seed)
        rng = np.random.default_rng(context.seed)
        puzzles = np.array([sudoku.puzzle(grid, rng) for grid in grids[-tests:]])
    return grids[:count], puzzles[-tests:]


def _draw(context: RunContext, result: Result) -> None:
    """Draw the seconds per query in both ways, on a logarithmic axis."""
    cases = list(SECONDS)
    place = np.arange(len(cases))
    with figure(context, result, "runtime") as axes:
        for shift, suffix, label, look in (
            (-0.2, ", paper's way", "all rows in one MILP", {"color": "0.8", "hatch": "//"}),
            (0.2, "", "ours", {"color": "0.35"}),
        ):
            times = [result.ours(case, name + suffix, QUERY) for case, name in cases]
            axes.bar(place + shift, times, 0.4, label=label, edgecolor="black", **look)
        axes.set_xticks(place, [f"{case}\n{name}" for case, name in cases], fontsize=8)
        axes.set(yscale="log", ylabel="seconds per query")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
