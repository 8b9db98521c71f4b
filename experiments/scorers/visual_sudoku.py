"""Sudoku from images of digits: a small net reads the clues, and mined rules decide all cells together.

The only input is solved grids of images with their digits. The net learns digits from the cells, the rules are mined
from the grids, and nobody writes down what a Sudoku is. Test puzzles use other images.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np

import unwritten
from experiments.result import Result, RunContext
from experiments.scorers.digit_images import ImagePool, pools
from experiments.scorers.digit_net import DigitNet
from experiments.scorers.image_puzzles import TIME_LIMIT, decode, puzzles, weights
from experiments.scorers.puzzle_figures import draw_puzzles, draw_scores
from experiments.scorers.puzzle_outcome import PuzzleOutcome, breaks
from unwritten.data import IntArray
from unwritten.samples import sudoku

RULES = "mined rules"
VALIDATION_GRIDS = 20


@dataclass(frozen=True)
class RunSize:
    """The amounts of training and testing in a run."""

    noises: tuple[float, ...]
    seeds: int
    grids: int
    epochs: int
    puzzles: int


QUICK = RunSize(noises=(0.0, 0.2), seeds=1, grids=100, epochs=4, puzzles=40)
FULL = RunSize(noises=(0.0, 0.1, 0.2), seeds=5, grids=100, epochs=12, puzzles=200)


@dataclass(frozen=True, eq=False)
class Trial:
    """The results of one seed: the mined model, the seconds of mining, and the outcome at each level of noise."""

    model: unwritten.Model
    seconds_mining: float
    outcomes: dict[float, PuzzleOutcome]

    @property
    def is_sudoku(self) -> bool:
        """True if the mined rules are exactly those of Sudoku."""
        truth = unwritten.RuleSet.of(self.model.variables, [(row, "==", 1) for row in sudoku.true_rules()])
        return self.model.rules.compare(truth).same and not len(self.model.rules.inequalities)


def run(context: RunContext) -> Result:
    """Score the net alone and with the rules, for every seed and every level of noise."""
    result = Result("visual-sudoku", "Sudoku from images of digits")
    size = context.pick(QUICK, FULL)
    trials = [trial(size, context.seed + k, context.say) for k in range(size.seeds)]
    report(context, result, size, trials)
    return result


def trial(size: RunSize, seed: int, say: Callable[[str], None]) -> Trial:
    """Mine once, then train, read and decode the same puzzles at each level of noise."""
    rng = np.random.default_rng(seed)
    say(f"seed {seed}: generating grids and puzzles")
    parts = np.cumsum([size.grids, VALIDATION_GRIDS])
    known, held_out, solutions = np.split(sudoku.grids(int(parts[-1]) + size.puzzles, seed), parts)
    clues = puzzles(solutions, rng)
    say(f"seed {seed}: mining {len(known)} grids")
    start = perf_counter()
    model = unwritten.mine(sudoku.one_hot(known), names=sudoku.names())
    mining = perf_counter() - start
    model.decide(sudoku.clues_to_weights(known[:1]))  # prepares the engines before anything is timed
    outcomes = {}
    for noise in size.noises:
        say(f"seed {seed}, noise {noise:g}: training")
        net = _trained(known, held_out, noise, size.epochs, seed, rng)
        say(f"seed {seed}, noise {noise:g}: decoding {len(clues)} puzzles")
        images = _pools()[2].draw(clues, noise, rng)
        outcomes[noise] = decode(model, weights(net, images), clues, solutions, images)
    return Trial(model, mining, outcomes)


def _trained(
    known: IntArray, held_out: IntArray, noise: float, epochs: int, seed: int, rng: np.random.Generator
) -> DigitNet:
    """Train a net on the cells of the known grids; the cells of the held-out grids choose the epoch."""
    train, validation, _ = _pools()
    images = train.draw(known.ravel(), noise, rng)
    checked = validation.draw(held_out.ravel(), noise, rng)
    return DigitNet(seed).fit(images, known.ravel(), (checked, held_out.ravel()), epochs)


def case(noise: float) -> str:
    """Return the name of a level of noise."""
    return f"noise {noise:g}"


def report(context: RunContext, result: Result, size: RunSize, trials: list[Trial]) -> None:
    """Add the rows, facts, notes and figures of all trials."""
    solved = f"{size.grids} solved grids"
    exact = [made.is_sudoku for made in trials]
    result.add(solved, RULES, "draws with exactly the rules of Sudoku (%)", None, 100 * float(np.mean(exact)))
    _add(result, solved, RULES, "s to mine", [made.seconds_mining for made in trials])
    outcomes = [outcome for made in trials for outcome in made.outcomes.values()]
    for noise in size.noises:
        by_seed = [made.outcomes[noise].scores() for made in trials]
        for model, measure in by_seed[0]:
            _add(result, case(noise), model, measure, [scores[model, measure] for scores in by_seed])
    result.facts |= {
        "decoded grids": sum(len(outcome.decoded) for outcome in outcomes),
        "decoded grids that break a rule of Sudoku": sum(int(breaks(outcome.decoded).sum()) for outcome in outcomes),
        "decoded grids less likely than the solution": sum(int((outcome.margin < -1e-6).sum()) for outcome in outcomes),
        "engines": sorted({engine for outcome in outcomes for engine in outcome.engines}),
        "slowest puzzle (s)": max(float(outcome.seconds.max()) for outcome in outcomes),
        "images": dict(zip(("train", "validation", "test"), map(len, _pools()), strict=True)),
    }
    result.notes += _notes(result, size, outcomes)
    draw_scores(context, result, {case(noise): [t.outcomes[noise] for t in trials] for noise in size.noises})
    draw_puzzles(context, result, {case(noise): trials[0].outcomes[noise] for noise in size.noises})


def _notes(result: Result, size: RunSize, outcomes: list[PuzzleOutcome]) -> list[str]:
    """Return the notes that a reader needs to understand the numbers."""
    train, validation, test = _pools()
    clues = np.concatenate([outcome.given.sum(axis=1) for outcome in outcomes])
    facts = result.facts
    over = "One seed" if size.seeds == 1 else f"Means over {size.seeds} seeds, ± their standard deviation"
    return [
        f"{over}; each draws its own grids, images, noise, net and {size.puzzles} test puzzles. Digits are "
        f"scikit-learn's 1–9, split by their place in the data set: {len(train)} to train, {len(validation)} to choose "
        f"the epoch, {len(test)} for test puzzles. Noise is the standard deviation of what is added to pixels from 0 "
        "to 1, in training and in test.",
        f"Puzzles have one solution and {clues.min()}–{clues.max()} clues ({clues.mean():.1f} on average). *net, then "
        "solve* fills in what the net read, by the same mined rules, where the readings do not contradict each other; "
        "*most readings kept* has joint decoding without the net's probabilities.",
        f"Of {facts['decoded grids']} decoded grids, {facts['decoded grids that break a rule of Sudoku']} break a rule "
        f"of Sudoku and {facts['decoded grids less likely than the solution']} are less likely to the net than the "
        "solution: where the answer is wrong, the net likes other clues at least as well. Engine: "
        f"{', '.join(facts['engines'])}, with all nine digits of every clue; the slowest puzzle took "
        f"{facts['slowest puzzle (s)']:.2g} s (limit {TIME_LIMIT:g} s).",
    ]


def _add(result: Result, case: str, model: str, measure: str, numbers: Sequence[float]) -> None:
    """Add a row: the mean over the seeds and, if there are several, the standard deviation."""
    spread = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else None
    result.add(case, model, measure, None, float(np.mean(numbers)), spread=spread)


@cache
def _pools() -> tuple[ImagePool, ImagePool, ImagePool]:
    return pools()
