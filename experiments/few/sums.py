"""Sums of one-hot digits: are all sums of a puzzle mined, from every number of examples?"""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time

import numpy as np

import unwritten
from experiments.few.sum_puzzles import SumPuzzle, kakuro, magic_squares
from experiments.result import Result, RunContext

FRESH = 2_000  # solutions that were not mined, on which every rule is tested
SIZES = (60, 80, 100, 119, 120, 150, 200, 300, 500)
SUMS, FALSE, OFTEN, RULES, SECONDS = (
    "sums stated (%)",
    "false rules",
    "false, above 1 %",
    "rules",
    "s of processor time",
)


@dataclass(frozen=True)
class Draw:
    """What was mined from one draw of examples."""

    sums: float
    false: int
    often: int
    rules: int
    seconds: float


def run(context: RunContext) -> Result:
    """Mine two Kakuro puzzles and magic squares from growing samples, two draws each."""
    result = Result("sums", "Sums of digits in one-hot labels")
    sizes = context.pick((60, 120), SIZES)
    fresh, count = context.pick(200, FRESH), context.pick(1, 2)
    context.say("drawing solutions")
    puzzles = [magic_squares(context.seed)]
    puzzles += [kakuro(layout, sizes[-1] + fresh) for layout in context.pick((0,), (0, 1))]
    for puzzle in puzzles:
        for n in sizes:
            context.say(f"{puzzle.name}, {n} examples")
            draws = [_draw(puzzle, n, fresh, np.random.default_rng((context.seed, seed))) for seed in range(count)]
            _add(result, f"{puzzle.name}, {n} examples", draws)
    drawn = "Two draws" if count > 1 else "One draw"
    result.notes.append(
        f"{drawn} of examples each. A rule is false if one of {fresh:,} other solutions breaks it; the second "
        "count has the rules that more than 1 % of them break. Seconds are processor time."
    )
    return result


def _draw(puzzle: SumPuzzle, n: int, fresh: int, rng: np.random.Generator) -> Draw:
    """Mine n random solutions and test the rules on others."""
    order = rng.permutation(len(puzzle.labels))
    start = process_time()
    model = unwritten.mine(puzzle.labels[order[:n]], names=puzzle.names)
    seconds = process_time() - start
    broken = model.check(puzzle.labels[order[-fresh:]]).violations.mean(axis=0)
    stated = 100 * float(model.rules.implied(puzzle.sums).mean())
    return Draw(stated, int((broken > 0).sum()), int((broken > 0.01).sum()), len(model.rules), seconds)


def _add(result: Result, case: str, draws: list[Draw]) -> None:
    """Add the means over the draws."""
    result.facts[case] = {"sums": [draw.sums for draw in draws], "often broken": [draw.often for draw in draws]}
    for measure, name in ((SUMS, "sums"), (FALSE, "false"), (OFTEN, "often"), (RULES, "rules"), (SECONDS, "seconds")):
        values = [float(getattr(draw, name)) for draw in draws]
        result.add(case, "auto", measure, None, float(np.mean(values)), spread=float(np.std(values, ddof=1)))
