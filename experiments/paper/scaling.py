"""Scaling (section 5.2): time per query against the number of variables, in one MILP of all rows and in our way."""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.samples import trees


def run(context: RunContext) -> Result:
    """Time queries on spanning trees of growing graphs, with a fixed number of rows."""
    rows = context.pick(1_000, 20_000)
    result = Result("scaling", f"Time per query against D, {rows:,} rows, Outer+EQ")
    sizes = context.pick((7, 8), (7, 8, 10, 12, 15, 20, 25, 30))
    for nodes in sizes:
        context.say(f"{nodes} nodes")
        weights, labels = trees.sample(nodes, rows, context.seed)
        queries, truth = trees.sample(nodes, context.pick(10, 100), context.seed + 1)
        model = unwritten.mine(labels, weights, rules=["equalities"])
        case = f"{nodes} nodes, D = {labels.shape[1]}"
        few = context.pick(1, 3 if nodes <= 15 else 1)
        model.decide(queries[:1])
        start = perf_counter()
        ours = model.decide(queries)
        fast = (perf_counter() - start) / len(queries)
        start = perf_counter()
        slow = model.decide(queries[:few], engine="monolithic")
        all_rows = (perf_counter() - start) / few
        same = np.abs(slow.values - ours.values[:few]) <= 1e-9
        result.add(case, "all rows in one MILP", "s per query", None, all_rows)
        result.add(case, "ours", "s per query", None, fast)
        result.add(case, "ours", "times faster", None, all_rows / fast)
        result.add(case, "Outer+EQ", "test EM %", None, 100 * (ours.labels == truth).all(axis=1).mean())
        result.facts[case] = {"same values": bool(same.all()), "engine": sorted(set(ours.engine.tolist()))}
    result.notes.append(
        "From about 9 nodes on the rows exclude almost nothing (see the exact match): what grows with D in one MILP "
        "is the cost of loading and presolving rows that exclude nothing."
    )
    result.notes.append(
        "The MILP's time includes loading the rows, as in the paper, where every query builds its model."
    )
    _draw(context, result)
    return result


def _draw(context: RunContext, result: Result) -> None:
    """Draw both times against the number of variables."""
    cases = list(result.facts)
    variables = [int(case.rsplit(" ", 1)[1]) for case in cases]
    with figure(context, result, "scaling") as axes:
        for model, style in (("all rows in one MILP", STYLES[1]), ("ours", STYLES[0])):
            axes.plot(variables, [result.ours(case, model, "s per query") for case in cases], label=model, **style)
        axes.set(yscale="log", xlabel="variables D", ylabel="seconds per query")
        axes.legend()
