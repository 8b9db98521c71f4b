"""Who answers fresh queries better: the best seen label, the rules, or `engine="auto"`, which chooses one of them?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import unwritten
from experiments.optimal_choices.problems import PROBLEMS, ChoiceProblem
from experiments.result import Result, RunContext
from unwritten.data import FloatArray, IntArray

SECONDS = 0.5  # for one query
QUICK = ("set cover",)
METHODS = ("seen labels", "rules", "auto")
Shares = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Case:
    """A problem, the number of its examples, and the queries that are asked of the model."""

    problem: ChoiceProblem
    examples: int
    queries: FloatArray
    truth: IntArray


def run(context: RunContext) -> Result:
    """Mine the best choices of five problems, and answer fresh queries in three ways."""
    result = Result("answers", "Fresh queries answered by the best seen label, by the rules, and by auto, in %")
    seeds = range(context.seed, context.seed + context.pick(1, 4))
    most = context.pick(40, 300)
    shortfalls, chosen = [], []
    for name in context.pick(QUICK, tuple(PROBLEMS)):
        make = PROBLEMS[name]
        problems = {seed: make(seed) for seed in seeds}
        for size in context.pick((100,), (100, 300, 1_000)):
            outcomes = []
            for seed, problem in problems.items():
                context.say(f"{name}, {size} examples, seed {seed}")
                shares, prefers_seen = _shares(Case(problem, size, *problem.sample(most, 10_000 + seed)), seed)
                outcomes.append(shares)
                chosen.append(prefers_seen)
                shortfalls.append(max(right for right, _ in shares.values()) - shares["auto"][0])
            for method in METHODS:
                case, numbers = f"{name}, {size:,} examples", 100 * np.array([shares[method] for shares in outcomes])
                for measure, column in zip(("right", "not allowed"), numbers.T, strict=True):
                    spread = float(column.std()) if len(seeds) > 1 else None
                    result.add(case, method, measure, None, column.mean(), spread=spread)
    result.facts |= {
        "largest shortfall of auto": 100 * max(shortfalls),
        "mean shortfall of auto": 100 * float(np.mean(shortfalls)),
        "models that prefer seen labels": [sum(chosen), len(chosen)],
    }
    result.notes.append(
        f"An answer is right if it is worth as much as the best label, which is known by listing all; {most} queries "
        f"of each of {len(seeds)} random problems of a kind. Answers that are not allowed are worth more than that."
    )
    result.notes.append(
        f"auto falls short of the better of the other two by {100 * np.mean(shortfalls):.2f} points on average and by "
        f"{100 * max(shortfalls):.1f} at most; {sum(chosen)} of {len(chosen)} models answer by seen labels."
    )
    return result


def _shares(case: Case, seed: int) -> tuple[Shares, bool]:
    """The shares of right and of forbidden answers for each method, and whether auto answers by seen labels."""
    problem = case.problem
    weights, labels = problem.sample(case.examples, seed)
    model = unwritten.mine(labels, weights, sense=problem.sense, names=problem.names)
    prefers_seen = model.forecast is not None and model.forecast.prefers_seen
    decisions = {
        "seen labels": model.decide(case.queries, engine="inner"),
        "rules": replace(model, forecast=None).decide(case.queries, time_limit=SECONDS),
    }
    decisions["auto"] = model.decide(case.queries, time_limit=SECONDS) if prefers_seen else decisions["rules"]
    best = (case.queries * case.truth).sum(axis=1)
    return {
        method: (
            float(np.isclose(decided.values, best, rtol=0, atol=1e-7).mean()),
            float((~problem.feasible(decided.labels)).mean()),
        )
        for method, decided in decisions.items()
    }, prefers_seen
