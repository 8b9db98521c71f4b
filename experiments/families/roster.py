"""What a roster teaches: the rules in a record of nurse rosters, and new rosters that their export solves."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from experiments.families.measure import Trial, measured, mined, trial
from experiments.families.problem import FamilyProblem
from experiments.families.roster_figure import draw_roster
from experiments.families.rosters import DAYS, SHIFTS
from experiments.result import Result, RunContext
from unwritten import Model
from unwritten.data import IntArray
from unwritten.errors import SolverError

FRESH = 10_000
ROSTERS = 500
CASE, MODEL = "16 nurses, 7 days, 4 shifts", "0/1"


def run(context: RunContext) -> Result:
    """Mine rosters, solve new ones for random wishes by the LP export, and draw the first of these."""
    result = Result("roster", "A week of 16 nurses: the rules in 500 rosters, and new rosters from their export")
    case = trial("nurses", MODEL, context.seed, context.pick(1_000, FRESH))
    context.say(f"mining {ROSTERS} rosters")
    model, seconds = mined(case, ROSTERS)
    outcome = measured(case, model, seconds)
    wished = context.pick(5, 50)
    context.say(f"solving {wished} new rosters")
    solved = _solved(model, case.problem, wished, context.seed)
    for measure, ours in {
        "sentences": outcome.sentences,
        "rules": outcome.rules,
        "false rules": outcome.false,
        "fresh rosters accepted (%)": 100 * outcome.accepted,
        "wrong rosters rejected (%)": 100 * (outcome.rejected or 0),
        "new rosters that are right (%)": 100 * case.problem.allowed(solved).mean(),
        "new rosters that were never seen (%)": 100 * _unseen(solved, case).mean(),
        "s to mine": seconds,
    }.items():
        result.add(CASE, MODEL, measure, None, float(ours))
    result.facts["sentences"] = [sentence.text for sentence in model.sentences]
    result.notes += [
        f"Mined from {ROSTERS} rosters: " + "; ".join(sentence.text for sentence in model.sentences) + ".",
        f"{wished} new rosters were solved by HiGHS from `model.export('lp', wishes)`, for wishes drawn at random. "
        "They are right if they obey the rules that the rosters were drawn from.",
        "The picture shows the first new roster. Bars are counts, and grey bands what the mined rules allow.",
    ]
    draw_roster(context, result, model, solved[0].reshape(-1, len(DAYS), len(SHIFTS)))
    return result


def _unseen(solved: IntArray, case: Trial) -> Any:
    seen = {label.tobytes() for label in case.train}
    return np.array([label.tobytes() not in seen for label in solved])


def _solved(model: Model, problem: FamilyProblem, number: int, seed: int) -> IntArray:
    """The best rosters for random wishes, by HiGHS alone: it reads the exported file and knows nothing else."""
    rng = np.random.default_rng([seed, 4])
    wishes = rng.integers(-9, 10, (number, len(problem.label_names)))
    with tempfile.TemporaryDirectory() as folder:
        return np.array([_best(model, wish, Path(folder) / "roster.lp") for wish in wishes])


def _best(model: Model, wish: IntArray, path: Path) -> IntArray:
    import highspy

    model.export("lp", wish, path=path)
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(str(path))
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise SolverError("HiGHS did not solve the exported rosters: export them again, or use another solver")
    values = np.asarray(solver.getSolution().col_value)
    return np.asarray(np.rint(values), np.int64)
