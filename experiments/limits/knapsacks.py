"""Knapsacks and other integer programs: are their rows recovered from decisions that are optimal for random weights?"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

import numpy as np

import unwritten
from experiments.limits.hidden_programs import (
    HiddenProgram,
    cardinality,
    facilities,
    knapsack,
    lot_sizing,
    precedence,
    set_cover,
)
from experiments.limits.row_recovery import recovery
from experiments.result import Result, RunContext
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.options import Rules

QUERIES = 500
RULES: Rules = "auto"
SEEDS = 2
#: hundreds of dense cuts make a hard program: without rules fewer queries are answered, and each query has its seconds
OUTER_QUERIES, SECONDS_EACH = 50, 1.0

TRUE, EXACT, IMPLIED, STATED, FALSE = "true rows", "exact", "implied", "rules stated", "false"
RIGHT, FORBIDDEN, PROVEN_WRONG = "right (%)", "not allowed (%)", "proven, not right"
SEEN, CUTS, CUTS_FORBIDDEN = "Inner right (%)", "Outer right (%)", "Outer not allowed (%)"
SECONDS = "s to mine"
COUNTS = (TRUE, EXACT, IMPLIED, STATED, FALSE, PROVEN_WRONG)
NOTES = (
    f"Each kind is drawn with {SEEDS} seeds (one in quick runs): numbers of rows are sums, shares are means, seconds "
    "are medians.",
    "A true row is exact if it is stated with the same whole numbers, up to a factor and stated equalities. It is "
    "implied if every label obeys it that obeys the stated rules that are true. A stated rule is false if an allowed "
    "label breaks it. Integer programs decide all of this.",
    "An answer is right if its label is allowed and worth as much as the best one. Inner is the best seen label, Outer "
    f"the cuts, for the first {OUTER_QUERIES} queries. Each query has {SECONDS_EACH:g} s.",
)


class Case(NamedTuple):
    """A problem for each seed, and how many examples of it are shown."""

    problem: Callable[[int], HiddenProgram]
    examples: int


CASES = (
    Case(lambda seed: knapsack(30, seed), 300),
    Case(lambda seed: knapsack(30, seed), 500),
    Case(lambda seed: knapsack(50, seed), 1_000),
    Case(lambda seed: knapsack(100, seed), 1_000),
    Case(lambda seed: knapsack(30, seed, knapsacks=2), 1_000),
    Case(lambda seed: knapsack(30, seed, knapsacks=5), 1_000),
    Case(lambda seed: set_cover(15, seed), 1_000),
    Case(lambda seed: set_cover(25, seed), 1_000),
    Case(lambda _: cardinality(20, 6), 300),
    Case(lambda _: facilities(4, 4), 1_000),
    Case(lambda seed: lot_sizing(5, seed), 1_000),
    Case(lambda seed: precedence(7, seed), 1_000),
)
QUICK = (Case(lambda seed: knapsack(12, seed), 200), Case(lambda _: cardinality(12, 4), 200))


def run(context: RunContext) -> Result:
    """Mine each problem for a few seeds; count rows and right answers, beside cuts alone and the best seen label."""
    result = Result("knapsacks", "Hidden integer programs: true rows that are recovered, and fresh queries answered")
    queries = context.pick(100, QUERIES)
    for case in context.pick(QUICK, CASES):
        outcomes = []
        for seed in range(context.seed, context.seed + context.pick(1, SEEDS)):
            problem = case.problem(seed)
            name = f"{problem.name}, {case.examples:,} examples"
            context.say(f"{name}, seed {seed}")
            drawn = problem, case.examples, seed
            outcomes.append(measure(*drawn, queries=queries) | measure_others(*drawn, queries=queries))
        for part in outcomes[0]:
            numbers = [outcome[part] for outcome in outcomes]
            combine = sum if part in COUNTS else np.median if part == SECONDS else np.mean
            result.add(name, "limits", part, None, float(combine(numbers)))
        result.facts[name] = outcomes
    result.notes += NOTES
    return result


def measure(
    problem: HiddenProgram, n: int, seed: int, *, rules: Rules = RULES, queries: int = QUERIES
) -> dict[str, float]:
    """Mine n examples of a problem and answer fresh queries: rows recovered, and shares of the answers."""
    weights, labels, asked, truth = sampled(problem, n, queries, seed)
    start = perf_counter()
    model = mined(problem, weights, labels, rules)
    seconds = perf_counter() - start
    rows = recovery(problem, model.rules)
    decisions = model.decide(asked, time_limit=SECONDS_EACH, progress=False)
    right, allowed = _judged(problem, decisions.labels, asked, truth)
    return {
        TRUE: rows.true,
        EXACT: rows.exact,
        IMPLIED: rows.implied,
        STATED: rows.stated,
        FALSE: rows.false,
        RIGHT: 100 * float(right.mean()),
        FORBIDDEN: 100 * float((~allowed).mean()),
        PROVEN_WRONG: int((decisions.proven & ~right).sum()),
        SECONDS: seconds,
    }


def measure_others(problem: HiddenProgram, n: int, seed: int, *, queries: int = QUERIES) -> dict[str, float]:
    """Answer the same queries by the best seen label, and the first of them by the cuts alone."""
    weights, labels, asked, truth = sampled(problem, n, queries, seed)
    model = mined(problem, weights, labels, [])
    seen, _ = _judged(problem, model.decide(asked, engine="inner", progress=False).labels, asked, truth)
    asked, truth = asked[:OUTER_QUERIES], truth[:OUTER_QUERIES]
    outer = model.decide(asked, time_limit=SECONDS_EACH, progress=False)
    cuts, allowed = _judged(problem, outer.labels, asked, truth)
    return {
        SEEN: 100 * float(seen.mean()),
        CUTS: 100 * float(cuts.mean()),
        CUTS_FORBIDDEN: 100 * float((~allowed).mean()),
    }


def mined(problem: HiddenProgram, weights: FloatArray, labels: IntArray, rules: Rules) -> unwritten.Model:
    """The model of some examples; the bounds of the variables are known."""
    variables = problem.rules.variables
    bounds = variables.lower.tolist(), variables.upper.tolist()
    return unwritten.mine(labels, weights, sense=problem.sense, rules=rules, bounds=bounds, progress=False)


@lru_cache(maxsize=4)
def sampled(
    problem: HiddenProgram, n: int, queries: int, seed: int
) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
    """Weights and labels of n examples, and of fresh queries."""
    rng = np.random.default_rng([seed, 1])
    return *problem.sample(n, rng), *problem.sample(queries, rng)


def _judged(
    problem: HiddenProgram, labels: IntArray, asked: FloatArray, truth: IntArray
) -> tuple[BoolArray, BoolArray]:
    """Which answers are as good as the true ones, and which are allowed; values are exact."""
    allowed = problem.allowed(labels)
    reached = (asked * np.where(allowed[:, None], labels, 0)).sum(axis=1)
    return allowed & np.equal(reached, (asked * truth).sum(axis=1)), allowed
