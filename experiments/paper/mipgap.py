"""MIP gap (section 5.2): what a solver that may stop early costs in accuracy and saves in time."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

import unwritten
from experiments.figures import STYLES, figure
from experiments.result import Context, Result
from unwritten.samples import trees

GAPS = (0.0, 0.02, 0.05, 0.1, 0.15)


def run(context: Context) -> Result:
    """Exact match and time per query against the gap, on lazy rows, as the paper's solver would answer."""
    result = Result("mipgap", "Accuracy and time against the MIP gap, MST-7, Outer+EQ")
    weights, labels = trees.sample(7, context.pick(1_000, 20_000), context.seed)
    asked, truth = trees.sample(7, context.pick(20, 200), context.seed + 1)
    model = unwritten.mine(labels, weights, rules=["equalities"])
    # Without the seen labels: with them a poor answer would be replaced by the best seen one.
    plain = replace(model, seen=model.seen[:0], counts=model.counts[:0])
    best = np.einsum("ij,ij->i", asked, truth.astype(float))
    plain.decide(asked[:1], engine="lazy")
    for gap in GAPS:
        context.say(f"gap {gap:.0%}")
        start = perf_counter()
        decided = plain.decide(asked, engine="lazy", mip_gap=gap)
        seconds = (perf_counter() - start) / len(asked)
        right = (np.abs(decided.values - best) <= 1e-9) & trees.is_tree(decided.labels, 7)
        case = f"gap {gap:.0%}"
        result.add(case, "Outer+EQ", "test EM %", None, 100 * right.mean())
        result.add(case, "Outer+EQ", "ms per query", None, 1000 * seconds)
        within = decided.bounds - decided.values <= gap * np.abs(decided.values) + 1e-6
        result.facts[case] = {
            "within the gap": float(within.mean()),
            "status": sorted({str(s) for s in decided.status}),
        }
    result.notes.append("The paper shows this as a figure without numbers: accuracy falls as the gap grows, time too.")
    _draw(context, result)
    return result


def _draw(context: Context, result: Result) -> None:
    """Both curves over the gap."""
    percent = [100 * gap for gap in GAPS]
    with figure(context, result, "mipgap", columns=2) as (left, right):
        for axes, measure, style in ((left, "test EM %", STYLES[0]), (right, "ms per query", STYLES[1])):
            axes.plot(percent, [result.ours(f"gap {gap:.0%}", "Outer+EQ", measure) for gap in GAPS], **style)
            axes.set(xlabel="MIP gap (%)", ylabel=measure)
            axes.set_ylim(bottom=0)
        left.set_ylim(top=102)
