"""Every experiment by the name that `unwritten reproduce` takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from experiments.needed_packages import require_packages
from experiments.result import Result, RunContext
from unwritten.errors import DataError


@dataclass(frozen=True)
class Experiment:
    """The module whose function `run(context)` is the experiment, and what the experiment shows."""

    module: str
    title: str


#: The tables and figures of the paper; `unwritten reproduce all` runs these.
PAPER = {
    "sudoku": Experiment("paper.sudoku_accuracy", "Sudoku, original and permuted, with the paper's baselines"),
    "mst": Experiment("paper.mst", "Spanning trees: NN, Inner, Outer, Outer+EQ at 10k and 20k examples"),
    "hmc": Experiment("paper.hmc", "ImCLEF07A: all base models, with and without mined rules"),
    "sizes": Experiment("paper.sizes", "Sizes of the inner and outer polytope, with Lemma 3"),
    "runtime": Experiment("paper.runtime", "Training and query times, beside the paper's way in the same run"),
    "scaling": Experiment("paper.scaling", "Query time against the number of variables"),
    "mipgap": Experiment("paper.mipgap", "Accuracy and time against the MIP gap"),
}

#: Our own experiments on small numbers of examples.
FEW = {
    "few-sudoku": Experiment("few.few_sudoku", "Sudoku from 10 to 80 grids"),
    "few-trees": Experiment("few.few_trees", "Spanning trees from a few hundred examples"),
    "structures": Experiment(
        "few.structures", "What is mined from problems that are matroids, and from problems that are not"
    ),
    "renault": Experiment("few.renault", "Rules mined from car sales against the manufacturer's own"),
    "forecasts": Experiment("few.forecasts", "Forecast and actual accuracy"),
    "noise": Experiment("few.wrong_rows", "Wrong rows among the examples"),
    "sums": Experiment("few.sums", "Kakuro and magic squares in one-hot labels: are all sums mined?"),
    "chance": Experiment("few.random_labels", "Random labels: how often a rule is claimed"),
}

#: Our own experiments on tables, and on classifiers whose answers must obey mined rules.
OTHERS = {
    "renault-check": Experiment(
        "tables.renault_check", "Held-out car sales: false alarms, damage that is found, and repairs that are right"
    ),
    "planted-errors": Experiment(
        "tables.planted_errors", "Wrong cells in the sample tables: are they the suspects, and few others?"
    ),
    "hmc-best": Experiment(
        "scorers.hmc_best", "96 classes of X-ray images: SVMs and nets with mined rules, no hierarchy given"
    ),
    "hmc-more": Experiment(
        "scorers.hmc_more", "Generated hierarchies, few rows: thresholds, seen labels, rules, and the automatic choice"
    ),
    "visual-sudoku": Experiment(
        "scorers.visual_sudoku", "Sudoku from images of digits: a small net, mined rules, and joint decoding"
    ),
}

#: Our own experiments on how far to trust what a model says.
TRUST = {
    "calibration": Experiment(
        "calibration.run", "How sure is it: laws without rules, stated against observed confidence, and power"
    ),
    "answers": Experiment(
        "optimal_choices.answers", "Best choices: do rules or seen labels answer better, and does auto know?"
    ),
    "habits": Experiment("habits.required_rules", "Rules that weights prove to be required, and habits"),
}

#: Our own experiments on inequalities: behind optimal decisions, and from labels alone.
LIMITS = {
    "random-constraints": Experiment(
        "limits.random_constraints", "Hidden inequalities over 16 variables, learned from optimal decisions"
    ),
    "knapsacks": Experiment(
        "limits.knapsacks", "Knapsacks and other integer programs: are their rows recovered from optimal decisions?"
    ),
    "families": Experiment("families.run", "Forty classical problems from solutions alone: accepted, rejected, false"),
    "roster": Experiment("families.roster", "A week of 16 nurses: the rules in 500 rosters, and new rosters from them"),
}

EXPERIMENTS = PAPER | FEW | OTHERS | TRUST | LIMITS


def load_experiment(name: str) -> Callable[[RunContext], Result]:
    """Import the function that runs the experiment called `name`; raise if a package that it needs is missing."""
    if name not in EXPERIMENTS:
        raise DataError(f"there is no experiment {name!r}: use one of {', '.join(EXPERIMENTS)} or all")
    require_packages(name, EXPERIMENTS[name].module)
    run: Callable[[RunContext], Result] = import_module(f"experiments.{EXPERIMENTS[name].module}").run
    return run
