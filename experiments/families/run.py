"""Classical problems from solutions alone: how much of them is mined, and how much of that is false?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from experiments.families.catalogue import NAMES, problem_named
from experiments.families.measure import Outcome, measured, mined, trial
from experiments.families.problem import Encoding
from experiments.parallel import run_each
from experiments.result import Result, RunContext

SEEDS = 3
EXAMPLES = (100, 500)
FRESH = 10_000
QUICK = (
    "k_of_n", "at_most_k", "knapsack", "portfolio", "precedence", "assignment", "matching", "colouring",
)  # fmt: skip

ACCEPTED, WORST, REJECTED, VALUES, SWAPS = "accepted", "worst accepted", "rejected", "changed values", "swaps"
RULES, FALSE, ESTIMATES, SENTENCES, SECONDS = "rules", "false", "false estimates", "sentences", "s to mine"
NOTES = (
    f"Each problem is drawn with {SEEDS} seeds (one in quick runs): shares, seconds of CPU time and numbers of rules "
    "and sentences are means, worst accepted is the least share, false rules and false estimates are sums over seeds.",
    f"Accepted is the share of {FRESH:,} fresh solutions (1,000 in quick runs) that the model calls feasible. A rule "
    "is false if one of them breaks it. A row that ends with “(an estimate)” says itself that a few labels in a "
    "thousand may pass it; where one does, it counts as a false estimate.",
    "Rejected is the share of the infeasible labels one step from fresh solutions that the model calls infeasible. A "
    "step gives one variable another value; with a 0/1 column for each value, half of the steps change one column "
    "instead. Changed values is the share without those. Swaps is the share of the infeasible labels in which two "
    "variables have swapped their values. It is 1 where there is no such label.",
)
Key = tuple[str, Encoding, int]  # problem, encoding, examples


def run(context: RunContext) -> Result:
    """Mine solutions of every problem, in each encoding, for a few seeds."""
    result = Result("families", "Classical problems mined from solutions alone: what is accepted, rejected and false")
    seeds = range(context.seed, context.seed + context.pick(1, SEEDS))
    sizes, fresh = context.pick(EXAMPLES[:1], EXAMPLES), context.pick(1_000, FRESH)
    every = [(name, seed, sizes, fresh) for name in context.pick(QUICK, NAMES) for seed in seeds]
    outcomes: dict[Key, list[Outcome]] = {}
    for found in run_each(context, "problems", tried, every):
        for key, outcome in found:
            outcomes.setdefault(key, []).append(outcome)
    for key, runs in sorted(outcomes.items(), key=lambda item: item[0][2]):
        _add(result, key, runs)
    for n in sizes:
        kept = {key: runs for key, runs in outcomes.items() if key[2] == n}
        result.facts[f"{n} examples"] = overall(kept)
    result.facts["runs"] = {
        f"{name}, {encoding}, {n} examples": [asdict(outcome) for outcome in runs]
        for (name, encoding, n), runs in outcomes.items()
    }
    result.notes += [*NOTES, *_said(result)]
    return result


def tried(name: str, seed: int, examples: Sequence[int], fresh: int) -> list[tuple[Key, Outcome]]:
    """Mine one problem with one seed."""
    found: list[tuple[Key, Outcome]] = []
    for encoding in problem_named(name, seed).encodings:
        case = trial(name, encoding, seed, fresh)
        found += [((case.problem.name, encoding, n), measured(case, *mined(case, n))) for n in examples]
    return found


def overall(outcomes: dict[Key, list[Outcome]]) -> dict[str, object]:
    """The facts of all runs with as many examples."""
    runs = [outcome for several in outcomes.values() for outcome in several]
    rules = sum(outcome.rules for outcome in runs)
    slowest = max(outcomes, key=lambda key: max(outcome.seconds for outcome in outcomes[key]))
    return {
        "mean accepted": float(np.mean([outcome.accepted for outcome in runs])),
        "worst accepted": min(outcome.accepted for outcome in runs),
        "mean rejected": _mean([outcome.rejected for outcome in runs]),
        "mean changed values rejected": _mean([outcome.rejected_values for outcome in runs]),
        "mean swaps rejected": _mean([outcome.rejected_swaps for outcome in runs]),
        "whole": sum(all(_whole(outcome) for outcome in several) for several in outcomes.values()),
        "cases": len(outcomes),
        "runs with a false rule": sum(outcome.false > 0 for outcome in runs) / len(runs),
        "false rules": sum(outcome.false for outcome in runs) / max(1, rules),
        "runs with a false rule or estimate": sum(bool(outcome.broken) for outcome in runs) / len(runs),
        "false rules and estimates": sum(len(outcome.broken) for outcome in runs) / max(1, rules),
        "slowest": f"{slowest[0]}, {slowest[1]}",
        "slowest seconds": max(outcome.seconds for outcome in runs),
    }


def _whole(outcome: Outcome) -> bool:
    """Whether everything is accepted and everything near it rejected, with true rules."""
    return outcome.accepted == 1 and outcome.false == 0 and {outcome.rejected, outcome.rejected_swaps} <= {1.0, None}


def _add(result: Result, key: Key, runs: list[Outcome]) -> None:
    """Add the row of one problem, encoding and number of examples."""
    name, encoding, n = key
    measures: dict[str, float] = {
        ACCEPTED: float(np.mean([outcome.accepted for outcome in runs])),
        WORST: min(outcome.accepted for outcome in runs),
        REJECTED: _mean([outcome.rejected for outcome in runs]),
        VALUES: _mean([outcome.rejected_values for outcome in runs]),
        SWAPS: _mean([outcome.rejected_swaps for outcome in runs]),
        RULES: float(np.mean([outcome.rules for outcome in runs])),
        FALSE: sum(outcome.false for outcome in runs),
        ESTIMATES: sum(outcome.false_estimates for outcome in runs),
        SENTENCES: float(np.mean([outcome.sentences for outcome in runs])),
        SECONDS: float(np.mean([outcome.seconds for outcome in runs])),
    }
    for measure, number in measures.items():
        result.add(f"{name}, {n} examples", encoding, measure, None, round(number, 4))


def _mean(shares: list[float | None]) -> float:
    """The mean of the shares that there are, or 1 if nothing could have been missed."""
    known = [share for share in shares if share is not None]
    return float(np.mean(known)) if known else 1.0


def _said(result: Result) -> list[str]:
    """The facts in words."""
    return [
        f"{examples}: accepted {facts['mean accepted']:.4f} on average and {facts['worst accepted']:.4f} at worst, "
        f"rejected {facts['mean rejected']:.2f}, swaps {facts['mean swaps rejected']:.2f}; {facts['whole']} of "
        f"{facts['cases']} cases are whole (all accepted, all rejected, nothing false); a false rule in "
        f"{facts['runs with a false rule']:.1%} of the runs, {facts['false rules']:.2%} of the rules (with estimates "
        f"{facts['runs with a false rule or estimate']:.1%} and {facts['false rules and estimates']:.2%}); slowest: "
        f"{facts['slowest']}, {facts['slowest seconds']:.0f} s."
        for examples, facts in result.facts.items()
        if examples != "runs"
    ]
