"""What optimal choices always do is not taken for a rule: every rule that is stated must be true.

Examples are best choices for random weights. A rule is true if every feasible label obeys it, also those that are never
the best choice. What holds on all examples without being proven is a habit, and may be false.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from time import process_time

import numpy as np

import unwritten
from experiments.habits import hidden_problems
from experiments.habits.hidden_problems import Draw, HiddenProblem
from experiments.parallel import run_each
from experiments.result import Result, RunContext
from unwritten.counted import counted

RULES, FALSE, HABITS = "rules", "false rules", "habits"
ESTIMATES, FALSE_ESTIMATES = "estimates", "false estimates"
DRAWS: tuple[Callable[[int], Draw], ...] = (hidden_problems.positive, hidden_problems.mixed, hidden_problems.whole)


@dataclass(frozen=True)
class Trial:
    """What is stated of one draw of a problem after so many examples, and how much of it is true."""

    family: str
    examples: int
    rules: int
    false: tuple[str, ...]
    habits: int
    true_habits: int
    estimates: int
    false_estimates: int
    seconds: float


def run(context: RunContext) -> Result:
    """Mine every problem with each kind of weights, from several numbers of examples and in several draws."""
    result = Result("habits", "Rules and habits of optimal choices")
    sizes = context.pick((1_000,), (50, 200, 1_000))
    seeds = range(context.pick(1, 3))
    draws = context.pick(DRAWS[:2], DRAWS)
    makers = context.pick(hidden_problems.SHOWN, hidden_problems.SHOWN + hidden_problems.HELD_OUT)
    every = [(make, draw, (context.seed, seed), sizes) for make, draw, seed in product(makers, draws, seeds)]
    trials = [trial for each in run_each(context, "draws of problems", trials_of, every) for trial in each]
    cases = dict.fromkeys((trial.family, trial.examples) for trial in trials)
    for family, size in cases:
        own = [trial for trial in trials if (trial.family, trial.examples) == (family, size)]
        for measure, count in (
            (RULES, sum(trial.rules for trial in own)),
            (FALSE, sum(len(trial.false) for trial in own)),
            (HABITS, sum(trial.habits for trial in own)),
        ):
            result.add(family, f"{size:,} examples", measure, None, count)
    false = Counter(f"{trial.family}, {trial.examples:,} examples: {text}" for trial in trials for text in trial.false)
    result.facts |= {
        "seeds": len(seeds),
        "false": dict(false),
        "true habits": sum(trial.true_habits for trial in trials),
        ESTIMATES: sum(trial.estimates for trial in trials),
        FALSE_ESTIMATES: sum(trial.false_estimates for trial in trials),
        RULES: sum(trial.rules for trial in trials),
        FALSE: false.total(),
        HABITS: sum(trial.habits for trial in trials),
    }
    facts = result.facts
    result.notes += [
        f"Numbers are sums over {counted(len(seeds), 'draw')} of each problem with each of {len(draws)} kinds of "
        "weights: gains only (or costs only), gains and losses, small whole numbers. A rule is false if any feasible "
        "label breaks it.",
        f"{facts[FALSE]} of {facts[RULES]:,} rules are false, in {len(trials):,} models. Limits that are said to be "
        f"estimates are not among them: {facts[FALSE_ESTIMATES]} of {facts[ESTIMATES]:,} are false.",
        f"Of {facts[HABITS]:,} habits, {facts['true habits']:,} are true: nothing in the examples proves them.",
        f"Mining took {1000 * sum(trial.seconds for trial in trials) / len(trials):.0f} ms on average.",
        *(f"False: {text}." for text in false),
    ]
    return result


def trials_of(
    make: Callable[[np.random.Generator, Callable[[int], Draw]], HiddenProblem],
    draw: Callable[[int], Draw],
    seed: tuple[int, int],
    sizes: Sequence[int],
) -> list[Trial]:
    """Draw one problem, and mine several numbers of examples of it."""
    rng = np.random.default_rng(seed)
    problem = make(rng, draw)
    return [_trial(problem, size, rng) for size in sizes]


def _trial(problem: HiddenProblem, size: int, rng: np.random.Generator) -> Trial:
    """Mine one draw of examples, and count what is stated and what of it is true."""
    weights, labels = problem.sample(size, rng)
    start = process_time()
    model = unwritten.mine(labels, weights, sense=problem.sense, progress=False)
    seconds = process_time() - start
    estimate = np.array([e is not None and e.estimate for e in model.rules.evidence], bool)
    stated = model.rules[~estimate]
    return Trial(
        problem.family,
        size,
        len(stated),
        tuple(stated[place].text for place in np.flatnonzero(~problem.true(stated)).tolist()),
        len(model.habits),
        int(problem.true(model.habits).sum()),
        int(estimate.sum()),
        int((~problem.true(model.rules[estimate])).sum()),
        seconds,
    )
