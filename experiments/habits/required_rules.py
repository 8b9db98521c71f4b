"""What optimal choices always do is not taken for a rule: every rule that is stated must be true.

Examples are best choices for random weights. A rule is true if every feasible label obeys it, also those that are never
the best choice. What holds on all examples without being proven is a habit, and may be false.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from time import perf_counter

import numpy as np

import unwritten
from experiments.habits import hidden_problems
from experiments.habits.hidden_problems import Draw, HiddenProblem
from experiments.result import Result, RunContext

MODEL = "mined"
REQUIRED, TRUE, HABITS, TRUE_HABITS, SECONDS = (
    "rules", "true rules", "habits", "habits that are true", "seconds"
)  # fmt: skip
DRAWS: dict[str, Callable[[int], Draw]] = {
    "gains": hidden_problems.positive,
    "gains and losses": hidden_problems.mixed,
    "small whole numbers": hidden_problems.whole,
}


def run(context: RunContext) -> Result:
    """Mine every problem with each kind of weights, from several numbers of examples and in several draws."""
    result = Result("habits", "Rules and habits of optimal choices")
    sizes = context.pick((50, 300), (50, 100, 300, 1_000))
    seeds = range(context.pick(2, 20))
    makers = context.pick(hidden_problems.SHOWN, hidden_problems.SHOWN + hidden_problems.HELD_OUT)
    result.facts |= {"seeds": len(seeds), "false": {}}
    for make in makers:
        for kind, draw in DRAWS.items():
            totals: dict[tuple[int, str], float] = defaultdict(float)
            for seed in seeds:
                rng = np.random.default_rng((context.seed, seed))
                problem = make(rng, draw)
                context.say(f"{problem.family}, {kind}, draw {seed}")
                for size in sizes:
                    _add_trial(problem, size, rng, totals, result)
            for (size, measure), total in totals.items():
                result.add(f"{problem.family}, {kind}, {size:,} examples", MODEL, measure, None, total)
    stated, true = (sum(row.ours for row in result.rows if row.measure == name) for name in (REQUIRED, TRUE))
    result.facts |= {"rules": int(stated), "true": int(true)}
    result.notes += [
        f"{int(true):,} of {int(stated):,} rules are true. Numbers are sums over {len(seeds)} draws of each problem.",
        *(f"false: {text} ({count} times)" for text, count in result.facts["false"].items()),
    ]
    return result


def _add_trial(
    problem: HiddenProblem, size: int, rng: np.random.Generator, totals: dict[tuple[int, str], float], result: Result
) -> None:
    """Mine one draw of examples, and count what is stated and what of it is true."""
    weights, labels = problem.sample(size, rng)
    start = perf_counter()
    model = unwritten.mine(labels, weights, sense=problem.sense)
    seconds = perf_counter() - start
    true, true_habits = problem.true(model.rules), problem.true(model.habits)
    counts = (len(true), int(true.sum()), len(true_habits), int(true_habits.sum()), seconds)
    for measure, count in zip((REQUIRED, TRUE, HABITS, TRUE_HABITS, SECONDS), counts, strict=True):
        totals[size, measure] += count
    for place in np.flatnonzero(~true).tolist():
        text = f"{problem.family}, {size:,} examples: {model.rules[place].text}"
        result.facts["false"][text] = result.facts["false"].get(text, 0) + 1
