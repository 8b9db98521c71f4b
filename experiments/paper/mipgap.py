"""MIP gap (section 5.2): the accuracy that is lost and the time that is saved if a solver may stop early."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

import unwritten
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.samples import trees

GAPS = (0.0, 0.02, 0.05, 0.1, 0.15)


def run(context: RunContext) -> Result:
    """Measure exact match and time per query for several gaps, with lazy rows, as the paper's solver answers."""
    result = Result("mipgap", "Accuracy and time against the MIP gap, MST-7, Outer+EQ")
    weights, labels = trees.sample(7, context.pick(1_000, 20_000), context.seed)
    queries, truth = trees.sample(7, context.pick(20, 200), context.seed + 1)
    model = unwritten.mine(labels, weights, rules=["equalities"])
    # The seen labels are left out, because the best of them would replace a poor answer.
    plain = replace(model, seen=model.seen[:0], counts=model.counts[:0])
    best = np.einsum("ij,ij->i", queries, truth.astype(float))
    plain.decide(queries[:1], engine="lazy")
    for gap in GAPS:
        context.say(f"gap {gap:.0%}")
        start = perf_counter()
        decisions = plain.decide(queries, engine="lazy", mip_gap=gap)
        seconds = (perf_counter() - start) / len(queries)
        right = (np.abs(decisions.values - best) <= 1e-9) & trees.is_tree(decisions.labels, 7)
        case = f"gap {gap:.0%}"
        result.add(case, "Outer+EQ", "test EM %", None, 100 * right.mean())
        result.add(case, "Outer+EQ", "ms per query", None, 1000 * seconds)
        within = decisions.bounds - decisions.values <= gap * np.abs(decisions.values) + 1e-6
        result.facts[case] = {
            "within the gap": float(within.mean()),
            "status": sorted({str(s) for s in decisions.status}),
        }
    result.notes.append("The paper shows this as a figure without numbers: accuracy falls as the gap grows, time too.")
    _draw(context, result)
    return result


def _draw(context: RunContext, result: Result) -> None:
    """Draw both curves against the gap."""
    percent = [100 * gap for gap in GAPS]
    with figure(context, result, "mipgap", columns=2) as (left, right):
        for axes, measure, style in ((left, "test EM %", STYLES[0]), (right, "ms per query", STYLES[1])):
            axes.plot(percent, [result.ours(f"gap {gap:.0%}", "Outer+EQ", measure) for gap in GAPS], **style)
            axes.set(xlabel="MIP gap (%)", ylabel=measure)
            axes.set_ylim(bottom=0)
        left.set_ylim(top=102)
