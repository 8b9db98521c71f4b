"""Power: the true rules that few examples must still give."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import unwritten
from experiments import datasets
from experiments.calibration.outcomes import outcomes
from experiments.few import few_sudoku, problems
from experiments.few.few_sudoku import DIGITS, PLAIN, CellOrder
from experiments.few.few_trees import ALONE, trials
from experiments.few.renault import PUBLISHED, Sales
from experiments.few.structures import own_rules_mined
from experiments.result import Result, RunContext
from unwritten.errors import DataError
from unwritten.samples import sudoku

TREES = ((7, 200), (10, 350), (15, 1_000))  # nodes, examples
#: problems whose feasible labels are all known: their own rules are to be mined from this many labels
LISTED = (
    (problems.matchings, 8), (problems.assignments, 4), (problems.paths, 4), (problems.choices, 5),
)  # fmt: skip
LISTED_EXAMPLES = 300


def measure(context: RunContext) -> Result:
    """Mine what is known to be minable, and count what is found and what is false."""
    result = Result("power", "Power: true rules from few examples")
    if not context.quick:  # the quick run of `few-sudoku` has it
        _sudoku(context, result)
    for nodes, size in context.pick(TREES[:1], TREES):
        trials(context, result, nodes, size, ALONE, range(context.seed, context.seed + context.pick(1, 10)))
    _listed(context, result)
    for part in context.pick((), (_image_classes, _car_sales)):
        try:
            part(context, result)
        except DataError as error:
            result.notes.append(f"Left out: {error}.")
    return result


def _sudoku(context: RunContext, result: Result) -> None:
    """Count the draws of grids that give exactly the rules of the game."""
    rng = np.random.default_rng(context.seed)
    try:
        grids = datasets.satnet(context.data)[1]
    except DataError:
        grids = sudoku.grids(2_000, context.seed)
    cells = CellOrder("original", np.arange(81), grids)
    for declared, size in ((PLAIN, 80), (DIGITS, 10)):
        few_sudoku.mine_draws(context, result, cells, declared, size, 20, rng)


def _listed(context: RunContext, result: Result) -> None:
    """Measure the share of a problem's own rules that is mined, and how many mined rules are false."""
    for make, size in LISTED:
        problem = make(size)
        own, false = [], []
        for draw in range(context.pick(1, 10)):
            context.say(f"power: {problem.name}, draw {draw}")
            _, labels = problem.sample(LISTED_EXAMPLES, np.random.default_rng((context.seed, draw)))
            model = unwritten.mine(labels, names=problem.own.variables.names)
            own.append(100 * own_rules_mined(model, problem.own))
            false.append(int(model.rules.violations(problem.feasible).any(axis=0).sum()))
        case = f"{problem.name}, {LISTED_EXAMPLES} labels"
        result.add(case, "labels alone", "own rules (%)", None, float(np.mean(own)), spread=float(np.std(own)))
        result.add(case, "labels alone", "false rules", None, float(np.mean(false)), spread=float(np.std(false)))


def _image_classes(context: RunContext, result: Result) -> None:
    """Mine the classes of X-ray images, and test the rules on the test images."""
    _, labels, names = datasets.imclef("train", context.data)
    _, test, _ = datasets.imclef("test", context.data)
    context.say("power: ImCLEF07A")
    model = unwritten.mine(labels, names=names)
    found = outcomes("ImCLEF07A", model, test)
    case = "ImCLEF07A, 10,000 images"
    result.add(case, "labels alone", "equalities", None, len(model.rules.equalities))
    result.add(case, "labels alone", "rules broken by test images", None, sum(not each.holds for each in found))


def _car_sales(context: RunContext, result: Result) -> None:
    """Mine nine of the published folds of car sales, and test the rules on the tenth."""
    sales = Sales.load(context)
    stated, broken = [], []
    for fold in context.pick([2], np.unique(sales.folds).tolist()):
        context.say(f"power: car sales, fold {fold}")
        model = sales.mined(PUBLISHED, sales.folds != fold)
        if model.schema is None:
            raise DataError("car sales were not mined as a table: give a table")
        held = model.schema.encode(sales.frame.filter(pa.array(sales.folds == fold)))
        widths = [column.width for column in model.schema.used]
        found = outcomes("car sales", model, held.labels, np.repeat(held.unknown, widths, axis=1))
        stated.append(len(found))
        broken.append(sum(not each.holds for each in found))
    case = "car sales, nine folds"
    result.add(case, "published folds", "rules", None, float(np.mean(stated)), spread=float(np.std(stated)))
    result.add(case, "published folds", "rules broken", None, float(np.mean(broken)), spread=float(np.std(broken)))
