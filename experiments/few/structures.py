"""Structures are not hallucinated: what is mined from labels of matroids, and from labels that only look like them.

Spanning trees and choices are the bases of matroids; matchings, assignments, paths and packings are not. All feasible
labels are listed, so a mined rule is known to be false if one of them breaks it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

import unwritten
from experiments.few import problems
from experiments.few.problems import Problem
from experiments.figures import figure
from experiments.result import Result, RunContext
from unwritten.data import BoolArray
from unwritten.model import Model
from unwritten.rules import RuleSet

LABELS, BOTH, SEEN = "labels", "labels and weights", "best seen label"
OWN, FALSE, MATCH = "own rules (%)", "false rules", "test EM (%)"
FRESH = 5_000  # fresh labels that measure how much false rules exclude
SHOWN = 10  # the most rules of each problem that are reported
#: the function that makes a problem of each family, and its three sizes
FAMILIES = (
    (problems.matchings, (6, 8, 10)),
    (problems.assignments, (3, 4, 5)),
    (problems.paths, (3, 4, 5)),
    (problems.packings, (8, 12, 16)),
    (problems.spanning_trees, (5, 6, 7)),
    (problems.choices, (3, 5, 7)),
)


@dataclass
class ProblemRun:
    """One problem in one run, and its measurements so far by (examples, model, measure)."""

    context: RunContext
    result: Result
    problem: Problem
    numbers: dict[tuple[int, str, str], list[float]]


def run(context: RunContext) -> Result:
    """Mine every problem from several numbers of examples, from labels alone and with their weights."""
    result = Result("structures", "Structures are not hallucinated")
    sizes = context.pick((100, 300), (100, 300, 1_000))
    seeds = list(range(context.pick(1, 5)))
    result.facts |= {"seeds": seeds, "matroids": {}, "wrong matroids": [], "mined": {}, "false": {}, "lost": {}}
    listed = [make(size) for make, choices in FAMILIES for size in context.pick(choices[1:2], choices)]
    for problem in listed:
        problem_run = ProblemRun(context, result, problem, defaultdict(list))
        for seed in seeds:
            for size in sizes:
                context.say(f"{problem.name}, {size} examples, seed {seed}")
                _trial(problem_run, size, np.random.default_rng((context.seed, seed, size)))
        for (size, model, measure), values in problem_run.numbers.items():
            spread = float(np.std(values, ddof=1))
            result.add(_case(problem.name, size), model, measure, None, float(np.mean(values)), spread=spread)
    _add_notes(result, listed)
    _draw(context, result, [problem.name for problem in listed], sizes)
    return result


def _case(name: str, size: int) -> str:
    return f"{name}, {size:,} examples"


def _trial(problem_run: ProblemRun, size: int, rng: np.random.Generator) -> None:
    """Measure one draw of examples."""
    problem = problem_run.problem
    weights, labels = problem.sample(size, rng)
    queries, answers = problem.sample(problem_run.context.pick(100, 200), rng)
    for model_name, given in ((LABELS, None), (BOTH, weights)):
        model = unwritten.mine(labels, given, names=problem.own.variables.names)
        false: BoolArray = np.asarray(model.check(problem.feasible).violations.any(axis=0))
        numbers = {
            OWN: 100 * own_rules_mined(model, problem.own),
            FALSE: float(false.sum()),
            MATCH: 100 * float((model.predict(queries) == answers).all(axis=1).mean()),
        }
        for measure, number in numbers.items():
            problem_run.numbers[size, model_name, measure].append(number)
        _note_model(problem_run, size, model_name, model, model.rules[false], rng)
    seen = model.predict(queries, engine="inner")
    problem_run.numbers[size, SEEN, MATCH].append(100 * float((seen == answers).all(axis=1).mean()))


def _note_model(
    problem_run: ProblemRun, size: int, model_name: str, model: Model, false: RuleSet, rng: np.random.Generator
) -> None:
    """Record what one model claims, what of it is false, and the share of fresh labels that the false rules exclude."""
    problem, facts = problem_run.problem, problem_run.result.facts
    claims = facts["matroids"].setdefault(problem.name, {"runs": 0, "claimed": 0})
    claims["runs"] += 1
    claims["claimed"] += model.matroid is not None
    if model.matroid is not None and not (problem.matroid and model.matroid.is_basis(problem.feasible).all()):
        facts["wrong matroids"].append(f"{_case(problem.name, size)}, {model_name}")
    # The last model of a problem has the most examples: its rules are reported.
    facts["mined"][problem.name] = [rule.text for rule in model.rules[:SHOWN]]
    if len(false):
        counts = facts["false"].setdefault(problem.name, {})
        for rule in false:
            counts[rule.text] = counts.get(rule.text, 0) + 1
        _, fresh = problem.sample(FRESH, rng)
        lost = 100 * float(false.violations(fresh).any(axis=1).mean())
        facts["lost"][problem.name] = max(lost, facts["lost"].get(problem.name, 0.0))


def own_rules_mined(model: Model, own: RuleSet) -> float:
    """Return the share of a problem's own rules that the mined rules state.

    An equality is stated if the mined equalities imply it. `a·y ≤ b` is stated if some mined row has coefficients of at
    least `a` and a right-hand side of at most `b`.
    """
    mined = model.rules + model.redundant
    equalities_stated = mined.implied(own.rows)
    matrix = np.concatenate([mined.matrix, -mined.equalities.matrix])
    rhs = np.concatenate([mined.rhs, -mined.equalities.rhs])
    rest = own.inequalities
    stated = [bool(((matrix >= a).all(axis=1) & (rhs <= b)).any()) for a, b in zip(rest.matrix, rest.rhs, strict=True)]
    return float((equalities_stated.sum() + sum(stated)) / len(own))


def _add_notes(result: Result, listed: list[Problem]) -> None:
    """Add the notes that a reader needs to understand the numbers."""
    facts = result.facts
    others = [facts["matroids"][problem.name] for problem in listed if not problem.matroid]
    claimed, runs = (sum(each[key] for each in others) for key in ("claimed", "runs"))
    facts["false claims"] = claimed
    result.notes += [
        f"A matroid was claimed in {claimed} of {runs} runs on problems that are not matroids. Labels alone cannot "
        'always refute one: with rules=["matroid"], a few rectangular assignments (more jobs than workers) can look '
        "like free choices of a job by each worker; their weights refute it. Such assignments are left out here.",
        "Choices are a matroid too, but exactly-one groups describe it fully, so no matroid is searched for.",
        f"Means over {len(facts['seeds'])} draws, ± their standard deviation. Weights are uniform in [−1, 1), so that "
        "every feasible label can be the best. A rule is false if any feasible label breaks it, however rarely that "
        "label is the best one.",
        "A packing's capacity is a weighted sum, which no miner looks for: the problem's own rules are only the pairs "
        "of items that do not fit together, so the rules of packings alone cannot answer every query.",
    ]
    for name, lost in facts["lost"].items():
        rules = facts["false"][name]
        result.notes.append(
            f"{name}: false rules such as “{next(iter(rules))}” ({len(rules)} in all); the worst models lose "
            f"{lost:.2f} % of {FRESH:,} fresh labels by them."
        )


def _draw(context: RunContext, result: Result, names: list[str], sizes: tuple[int, ...]) -> None:
    """Draw the exact match on fresh queries as a table in shades of grey."""
    models = (SEEN, LABELS, BOTH)
    with figure(context, result, "structures", columns=len(models)) as panels:
        for panel, model in zip(panels, models, strict=True):
            shares = np.array([[result.ours(_case(name, size), model, MATCH) for size in sizes] for name in names])
            panel.imshow(shares, cmap="Greys_r", vmin=-120, vmax=100, aspect="auto")  # pale enough for black digits
            for (i, j), share in np.ndenumerate(shares):
                panel.text(j, i, f"{share:.0f}", ha="center", va="center", fontsize=8)
            panel.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
            panel.set_yticks(range(len(names)), names if model == models[0] else [""] * len(names), fontsize=8)
            panel.set_title(f"{model}: {MATCH}")
            panel.set_xlabel("examples")
            panel.grid(visible=False)
