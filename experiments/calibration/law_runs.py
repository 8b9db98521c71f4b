"""Laws without rules: how often is a rule stated that is false, and how often does a rule break its bound?"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Literal

import numpy as np

import unwritten
from experiments.calibration.aside import LAWS_ASIDE
from experiments.calibration.laws import LAWS
from experiments.calibration.outcomes import outcomes, try_rules
from unwritten.rules import MINED

Noise = float | Literal["auto"]
ALL_LAWS = LAWS | LAWS_ASIDE
LAW_FRESH = 100_000
EXAMPLES, COLUMNS = (20, 2_000), (5, 60)  # the ends of what is drawn, examples evenly on a scale of logarithms
OFTEN = 0.01  # a rule that a larger share of fresh labels breaks is bad


@dataclass(frozen=True)
class LawRun:
    """One law that was drawn and mined: the rules that were stated, and what fresh labels say of them."""

    examples: int
    columns: int
    rules: int
    false: int
    bad: int
    above_bound: int
    lost: float  # the share of fresh labels that break some rule


def law_run(
    name: str, seed: tuple[int, ...], noise: Noise = 0.0, fresh: int = LAW_FRESH, most: int = EXAMPLES[1]
) -> LawRun:
    """Draw one law of the kind `name`, mine at most `most` labels of it, and test every stated rule on fresh labels."""
    rng = np.random.default_rng([*seed, *name.encode()])
    low, high = log(EXAMPLES[0]), log(most)
    n, d = int(exp(rng.uniform(low, high))), int(rng.integers(COLUMNS[0], COLUMNS[1] + 1))
    draw = ALL_LAWS[name](d, rng)
    model = unwritten.mine(draw(n, rng), noise=noise, progress=False)
    mined = model.rules.by_origin(MINED)
    if not len(mined) and model.matroid is None:
        return LawRun(n, d, 0, 0, 0, 0, 0.0)
    test = draw(fresh, rng)
    found = outcomes(name, model, test)
    return LawRun(
        n,
        d,
        len(found),
        sum(not each.holds for each in found),
        sum(each.rate > OFTEN for each in found),
        sum(each.exceeds_bound for each in found),
        try_rules(mined, test).lost / fresh,
    )
