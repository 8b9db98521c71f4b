"""Random labels: how often does the miner claim a rule although there is none?"""

from __future__ import annotations

import numpy as np

import unwritten
from experiments.result import Result, RunContext

#: examples, variables, share of ones
SHAPES = ((30, 8, 0.5), (100, 20, 0.5), (50, 40, 0.5), (300, 60, 0.2), (1_000, 15, 0.05))
CONFIDENCE = 0.95


def run(context: RunContext) -> Result:
    """Mine independent bits of several shapes, 100 runs each, and count the runs in which anything is mined."""
    result = Result("chance", "Rules mined from random labels")
    runs = context.pick(20, 100)
    for n, d, share in SHAPES:
        claims = []
        for seed in range(runs):
            context.say(f"{n} × {d}, run {seed + 1} of {runs}")
            rng = np.random.default_rng([context.seed, n, d, seed])
            model = unwritten.mine((rng.random((n, d)) < share).astype(int), confidence=CONFIDENCE)
            claims.append(len(model.rules) + (model.matroid is not None))
        case = f"{n:,} labels of {d} bits, {share:.0%} ones"
        runs_with_rule = sum(claim > 0 for claim in claims)
        result.add(case, f"confidence {CONFIDENCE:.0%}", "runs with a rule, %", None, 100 * runs_with_rule / runs)
        result.facts[case] = {"runs with a rule": runs_with_rule, "runs": runs}
    result.notes.append(
        f"The confidence promises that at most {100 * (1 - CONFIDENCE):.0f} % of the runs claim a rule."
    )
    return result
