"""What optimal choices always do is not taken for a rule: every rule that is stated must be true.

Examples are best choices for random weights. A rule is true if every feasible label obeys it, also those that are never
the best choice. What holds on all examples without being proven is a habit, and may be false.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import product
from time import perf_counter

import numpy as np

import unwritten
from experiments.habits import hidden_problems
from experiments.habits.hidden_problems import Draw, HiddenProblem
from experiments.result import Result, RunContext

RULES, FALSE, HABITS = "rules", "false rules", "habits"
ESTIMATES, FALSE_ESTIMATES = "estimates", "false estimates"
DRAWS: tuple[Callable[[int], Draw], ...] = (hidden_problems.positive, hidden_problems.mixed, hidden_problems.whole)


def run(context: RunContext) -> Result:
    """Mine every problem with each kind of weights, from several numbers of examples and in several draws."""
    result = Result("habits", "Rules and habits of optimal choices")
    sizes = context.pick((300,), (50, 200, 1_000))
    seeds = range(context.pick(1, 3))
    draws = context.pick(DRAWS[:2], DRAWS)
    makers = context.pick(hidden_problems.SHOWN, hidden_problems.SHOWN + hidden_problems.HELD_OUT)
    result.facts |= {
        "seeds": len(seeds),
        "false": {},
        "true habits": 0,
        ESTIMATES: 0,
        FALSE_ESTIMATES: 0,
        "mining": 0.0,
    }
    for make in makers:
        totals: dict[tuple[int, str], int] = defaultdict(int)
        for draw, seed in product(draws, seeds):
            rng = np.random.default_rng((context.seed, seed))
            problem = make(rng, draw)
            context.say(f"{problem.family}, draw {seed}")
            for size in sizes:
                _add_trial(problem, size, rng, totals, result)
        for (size, measure), total in sorted(totals.items(), key=lambda item: item[0][0]):
            result.add(problem.family, f"{size:,} examples", measure, None, total)
    counts = {name: sum(int(row.ours) for row in result.rows if row.measure == name) for name in (RULES, FALSE, HABITS)}
    result.facts |= counts
    runs = len(makers) * len(draws) * len(seeds) * len(sizes)
    result.notes += [
        f"Numbers are sums over {len(seeds)} draws of each problem with each of {len(draws)} kinds of weights: gains "
        "only (or costs only), gains and losses, small whole numbers. A rule is false if any feasible label breaks it.",
        f"{counts[FALSE]} of {counts[RULES]:,} rules are false, in {runs:,} models. Limits that are said to be "
        f"estimates are not among them: {result.facts[FALSE_ESTIMATES]} of {result.facts[ESTIMATES]} are false.",
        f"Of {counts[HABITS]:,} habits, {result.facts['true habits']:,} are true: nothing in the examples proves them.",
        f"Mining took {1000 * result.facts['mining'] / runs:.0f} ms on average.",
        *(f"False: {text}." for text in result.facts["false"]),
    ]
    return result


def _add_trial(
    problem: HiddenProblem, size: int, rng: np.random.Generator, totals: dict[tuple[int, str], int], result: Result
) -> None:
    """Mine one draw of examples, and count what is stated and what of it is true."""
    weights, labels = problem.sample(size, rng)
    start = perf_counter()
    model = unwritten.mine(labels, weights, sense=problem.sense)
    result.facts["mining"] += perf_counter() - start
    estimate = np.array([e is not None and e.estimate for e in model.rules.evidence], bool)
    result.facts[ESTIMATES] += int(estimate.sum())
    result.facts[FALSE_ESTIMATES] += int((~problem.true(model.rules[estimate])).sum())
    stated = model.rules[~estimate]
    true = problem.true(stated)
    result.facts["true habits"] += int(problem.true(model.habits).sum())
    for measure, count in ((RULES, len(true)), (FALSE, int((~true).sum())), (HABITS, len(model.habits))):
        totals[size, measure] += count
    for place in np.flatnonzero(~true).tolist():
        text = f"{problem.family}, {size:,} examples: {stated[place].text}"
        result.facts["false"][text] = result.facts["false"].get(text, 0) + 1
