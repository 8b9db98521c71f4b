"""Sudoku from very few grids: are the mined rules exactly the rules of the game?"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

import unwritten
from experiments import datasets
from experiments.figures import STYLES, figure
from experiments.result import Result, RunContext
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku

PLAIN, DIGITS = "nothing declared", "digits interchangeable"
ORDERS = ("original", "permuted")


@dataclass(frozen=True)
class CellOrder:
    """An order of the cells: the grids to draw from, and the true rules in that order."""

    name: str
    order: IntArray
    grids: IntArray

    def labels(self, size: int, rng: np.random.Generator) -> IntArray:
        """Draw `size` grids at random, as 0/1 labels."""
        return sudoku.one_hot(self.grids[rng.choice(len(self.grids), size, replace=False)][:, self.order])

    @property
    def rules(self) -> IntArray:
        """The 324 true rules over the reordered variables."""
        return sudoku.true_rules().reshape(324, 81, 9)[:, self.order].reshape(324, 729)


def run(context: RunContext) -> Result:
    """Mine draws of several sizes in both orders of the cells, then solve the test puzzles by the rules of 80 grids."""
    result = Result("few-sudoku", "Sudoku from few grids")
    grids, puzzles, solutions = _load(context, result)
    rng = np.random.default_rng(context.seed)
    draws = context.pick(1, 20)
    for name in context.pick(ORDERS[1:], ORDERS):
        cells = CellOrder(name, rng.permutation(81) if name == "permuted" else np.arange(81), grids)
        for size in context.pick((80,), (60, 65, 70, 75, 80, 100)):
            mine_draws(context, result, cells, PLAIN, size, draws, rng)
        for size in context.pick((10,), (6, 8, 10)):
            mine_draws(context, result, cells, DIGITS, size, context.pick(1, draws), rng)
        _solve(result, cells, puzzles, solutions, rng)
    result.notes.append(
        "The plain kernel needs 481 affinely independent grids. If a cell never has some digit in the draw, that "
        "variable is added to the rules that lack a member, as far as this is unambiguous."
    )
    _draw_figure(context, result)
    return result


def _load(context: RunContext, result: Result) -> tuple[IntArray, IntArray, IntArray]:
    """Read training grids, test puzzles and their solutions from SATNet's file, or generate them if it is absent."""
    tests = context.pick(20, 1_000)
    try:
        puzzles, grids = datasets.satnet(context.data)
    except DataError:
        result.notes.append("Generated grids: SATNet's file is absent.")
        grids = sudoku.grids(context.pick(400, 2_000) + tests, context.seed)
        rng = np.random.default_rng(context.seed)
        puzzles = np.array([sudoku.puzzle(grid, rng) for grid in grids[-tests:]])
    return grids[: len(grids) - tests], puzzles[-tests:], grids[-tests:]


def mine_draws(
    context: RunContext,
    result: Result,
    cells: CellOrder,
    declared: str,
    size: int,
    draws: int,
    rng: np.random.Generator,
) -> None:
    """Count the draws that give exactly the 324 rules, and time the mining."""
    blocks = [[9 * cell + digit for cell in range(81)] for digit in range(9)]
    symmetries = unwritten.interchangeable(*blocks) if declared == DIGITS else ()
    exact, seconds = 0, []
    for draw in range(draws):
        context.say(f"{cells.name}, {declared}, {size} grids, draw {draw + 1} of {draws}")
        start = perf_counter()
        model = unwritten.mine(cells.labels(size, rng), symmetries=symmetries)
        seconds.append(perf_counter() - start)
        truth = unwritten.RuleSet.of(model.variables, [(row, "==", 1) for row in cells.rules])
        exact += model.rules.compare(truth).same and not len(model.rules.inequalities)
    case = f"{cells.name}, {size} grids"
    result.add(case, declared, "draws with exactly the rules, %", None, 100 * exact / draws)
    result.add(case, declared, "s to mine", None, float(np.mean(seconds)), spread=float(np.std(seconds)))
    result.facts[f"{case}, {declared}"] = [exact, draws]


def _solve(result: Result, cells: CellOrder, puzzles: IntArray, solutions: IntArray, rng: np.random.Generator) -> None:
    """Solve the test puzzles with a model of 80 grids."""
    model = unwritten.mine(cells.labels(80, rng))
    start = perf_counter()
    decisions = model.decide(sudoku.clues_to_weights(puzzles[:, cells.order]))
    seconds = perf_counter() - start
    right = (sudoku.from_one_hot(decisions.labels) == solutions[:, cells.order]).all(axis=1)
    case = f"{cells.name}, rules of 80 grids"
    result.add(case, f"{len(right)} test puzzles", "solved", None, int(right.sum()))
    result.add(case, f"{len(right)} test puzzles", "ms each", None, 1000 * seconds / len(right))
    result.facts[case] = {"all solved": bool(right.all()), "engines": sorted(set(decisions.engine.tolist()))}


def _draw_figure(context: RunContext, result: Result) -> None:
    """Draw the share of draws that give exactly the rules, against the number of grids."""
    with figure(context, result, "few-sudoku") as axes:
        for k, (declared, name) in enumerate((d, n) for d in (PLAIN, DIGITS) for n in ORDERS):
            points = [
                (int(row.case.split(", ")[1].split()[0]), row.ours)
                for row in result.rows
                if row.model == declared and row.case.startswith(name) and row.measure.endswith("%")
            ]
            axes.plot(*np.array(points).T, label=f"{declared}, {name}", **STYLES[k])
        axes.set(xlabel="grids", ylabel="draws with exactly the 324 rules (%)", ylim=(-3, 103))
        axes.legend(fontsize=8, loc="lower right")
