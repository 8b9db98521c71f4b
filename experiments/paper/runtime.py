"""Running time (section 5.2): training and query times, with the paper's way in the same run.

The paper's way: the kernel by a float SVD, and every rule and cut in one MILP, here on the open solver.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from scipy.linalg import null_space

import unwritten
from experiments import datasets, hierarchy
from experiments.figures import figure
from experiments.paper import nets
from experiments.paper.convnets import FULL_SIZE, QUICK_SIZE, ConvNet
from experiments.result import Context, Result
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku, trees

TRAIN, QUERY = "training s", "query s"
PAPER = {
    ("MST", "Outer"): (24.1, 7.9),
    ("MST", "Outer+EQ"): (26.5, 3.8),
    ("Sudoku", "Outer+EQ"): (5.2, 1.2),
    ("HMC", "Outer"): (560.3, 1.1),
    ("HMC", "Outer+Latent"): (599.3, 7.1),
}
FEATURES = 80  # as ImCLEF07A has
NETWORKS = {"MST": (190, 5e-4), "Sudoku": (636, 5e-4), "HMC": (44.9, 4e-4)}


def run(context: Context) -> Result:
    """Every row of the table."""
    result = Result("runtime", "Running time, ours and the paper's way on the open solver")
    weights, labels = trees.sample(7, context.pick(1_000, 20_000), context.seed)
    asked, _ = trees.sample(7, context.pick(50, 500), context.seed + 1)
    few = context.pick(1, 5)
    _mlp(context, result, "MST", weights, labels, hidden=50)
    _row(context, result, "MST", "Outer", labels, weights, asked, few, rules=[])
    _row(context, result, "MST", "Outer+EQ", labels, weights, asked, few)
    grids, puzzles = _sudoku(context)
    _convnet(context, result, grids)
    _row(context, result, "Sudoku", "Outer+EQ", sudoku.one_hot(grids), None, sudoku.clues_to_weights(puzzles), few)
    scores, paths = hierarchy.sample(context.pick(500, 10_000), context.seed)
    queries, _ = hierarchy.sample(context.pick(50, 1_000), context.seed + 1)
    features = np.random.default_rng(context.seed).normal(size=(len(paths), FEATURES))
    _mlp(context, result, "HMC", features, paths, hidden=80)
    _row(context, result, "HMC", "Outer", paths, scores, queries, few, rules=[])
    _row(context, result, "HMC", "Outer+Latent", paths, scores, queries, few, lifts="pairs")
    result.notes.append(
        "Networks are those of the experiments mst, sudoku and hmc (two layers; the ConvNet at a size that a CPU can "
        "bear), on one thread. Their time per query is a share of one large batch."
    )
    result.notes.append("HMC here is generated data of the same shape (96 labels, 63 paths) with noisy scores.")
    result.notes.append("Sudoku keeps no cuts: no label within the bounds can break one, so both ways have only rules.")
    _draw(context, result)
    return result


def _row(
    context: Context,
    result: Result,
    case: str,
    name: str,
    labels: IntArray,
    weights: FloatArray | None,
    asked: FloatArray,
    few: int,
    **options: Any,
) -> None:
    """Time one model both ways, and check that both give the same values."""
    context.say(f"{case} {name}")
    options = {"rules": ["equalities"], **options}
    train, model = _timed(lambda: unwritten.mine(labels, weights, **options))
    model.decide(asked[:1])
    query, ours = _timed(lambda: model.decide(asked))
    slow, theirs = _timed(lambda: model.decide(asked[:few], engine="monolithic"))
    query, slow = query / len(asked), slow / few
    paper_train, paper_query = PAPER[case, name]
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


def _network(
    context: Context, result: Result, case: str, name: str, fit: Callable[[], float], answer: Callable[[], int]
) -> None:
    """Time a base network: training, and the share of one query in a batch."""
    context.say(f"{case} {name}")
    train = fit()
    seconds, count = _timed(answer)
    for measure, paper, ours in zip((TRAIN, QUERY), NETWORKS[case], (train, seconds / count), strict=True):
        result.add(case, name, measure, paper, ours)


def _mlp(context: Context, result: Result, case: str, given: FloatArray, wanted: IntArray, hidden: int) -> None:
    net = nets.mlp(given.shape[1], wanted.shape[1], hidden, 2, context.seed)
    fit = partial(nets.train, net, given, wanted, epochs=context.pick(2, 300), lr=1e-3)
    _network(context, result, case, "NN", fit, lambda: len(nets.probabilities(net, given)))


def _convnet(context: Context, result: Result, grids: IntArray) -> None:
    """Half the cells of every grid are hidden, which makes no difference to the time."""
    given = np.where(np.random.default_rng(context.seed).random(grids.shape) < 0.5, grids, 0)
    net = ConvNet(context.pick(QUICK_SIZE, FULL_SIZE), masked=False, seed=context.seed)
    fit = partial(net.fit, given, grids, context.say)
    _network(context, result, "Sudoku", "ConvNet", lambda: _timed(fit)[0], lambda: len(net.solve(given)))


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    done = work()
    return perf_counter() - start, done


def _sudoku(context: Context) -> tuple[IntArray, IntArray]:
    """Training grids and test puzzles: SATNet's, or generated ones where the file is absent."""
    count, tests = context.pick((600, 10), (9_000, 100))
    try:
        puzzles, grids = datasets.satnet(context.data)
    except DataError:
        grids = sudoku.grids(count + tests, context.seed)
        rng = np.random.default_rng(context.seed)
        puzzles = np.array([sudoku.puzzle(grid, rng) for grid in grids[-tests:]])
    return grids[:count], puzzles[-tests:]


def _draw(context: Context, result: Result) -> None:
    """Seconds per query, both ways, on a logarithmic axis."""
    cases = list(PAPER)
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
