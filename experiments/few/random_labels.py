"""Random labels: how often is a rule claimed where there is none?"""

from __future__ import annotations

import numpy as np

import unwritten
from experiments.result import Context, Result

#: examples, variables, share of ones
SHAPES = ((30, 8, 0.5), (100, 20, 0.5), (50, 40, 0.5), (300, 60, 0.2), (1_000, 15, 0.05))
CONFIDENCE = 0.95


def run(context: Context) -> Result:
    """Independent bits of several shapes, 100 runs each: the share of runs in which anything is mined."""
    result = Result("chance", "Rules mined from random labels")
    runs = context.pick(20, 100)
    for n, d, share in SHAPES:
        claimed = []
        for seed in range(runs):
            context.say(f"{n} × {d}, run {seed + 1} of {runs}")
            rng = np.random.default_rng([context.seed, n, d, seed])
            model = unwritten.mine((rng.random((n, d)) < share).astype(int), confidence=CONFIDENCE)
            claimed.append(len(model.rules) + (model.matroid is not None))
        case = f"{n:,} labels of {d} bits, {share:.0%} ones"
        wrong = 100 * float(np.mean(np.array(claimed) > 0))
        result.add(case, f"confidence {CONFIDENCE:.0%}", "runs with a rule, %", None, wrong)
        result.facts[case] = {"runs with a rule": int((np.array(claimed) > 0).sum()), "runs": runs}
    result.notes.append(f"Promised: at most {100 * (1 - CONFIDENCE):.0f} % of the runs.")
    return result
