"""Mine the solutions of a problem, and measure the model on fresh solutions and on labels one step from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import process_time

import numpy as np

import unwritten
from experiments.families.catalogue import problem_named
from experiments.families.problem import Encoding, FamilyProblem
from unwritten.data import BoolArray, IntArray
from unwritten.rules import DEFINITION

MOST = 500  # training labels; fewer are the first of them


@dataclass(frozen=True)
class Outcome:
    """What a model is worth.

    `accepted` is the share of fresh solutions that the model calls feasible, `rejected` the share of infeasible labels
    one step from them that it does not, and `rejected_values` the same of the steps that give one variable another
    value (all steps but those that change one of several 0/1 columns of a variable). None if there is no such label.
    `rejected_swaps` is the share of the infeasible labels in which two variables have swapped their values. `false`
    counts the rules and gaps that a fresh solution breaks, without rules that are said to be estimates, and
    `false_estimates` counts those. `broken` has the texts of both.
    """

    accepted: float
    rejected: float | None
    rejected_values: float | None
    rejected_swaps: float | None
    rules: int
    false: int
    false_estimates: int
    sentences: int
    seconds: float
    broken: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """Training labels, fresh labels, and infeasible ones near these.

    `stepped` are one step away, `moved` marks those of them with a changed value, `swapped` have two values swapped.
    """

    problem: FamilyProblem
    train: IntArray
    fresh: IntArray
    stepped: IntArray
    moved: BoolArray
    swapped: IntArray


@lru_cache(maxsize=2)
def trial(name: str, encoding: Encoding, seed: int, fresh: int) -> Trial:
    """Draw what is needed to try one problem; the numbers in the problem are drawn with the same seed."""
    problem = problem_named(name, seed)
    train, held = _solutions(name, seed, fresh)
    problem = problem.encoded(encoding)
    labels = problem.labels(held)
    rng = np.random.default_rng([seed, 3])
    stepped, moved = problem.neighbours(labels, rng)
    bad = ~problem.allowed(stepped)
    swapped = problem.swaps(labels, rng)
    swapped = swapped[~problem.allowed(swapped)]
    return Trial(problem, problem.labels(train), labels, stepped[bad], moved[bad], swapped)


@lru_cache(maxsize=2)
def _solutions(name: str, seed: int, fresh: int) -> tuple[IntArray, IntArray]:
    """Values of training and of fresh solutions, which both encodings share."""
    problem = problem_named(name, seed)
    rng = (np.random.default_rng([seed, part]) for part in (1, 2))
    return problem.values(MOST, next(rng)), problem.values(fresh, next(rng))


def mined(case: Trial, n: int) -> tuple[unwritten.Model, float]:
    """The model of the first n training labels, and the seconds of CPU time it took."""
    start = process_time()
    model = unwritten.mine(case.train[:n], names=case.problem.label_names, progress=False)
    return model, process_time() - start


def measured(case: Trial, model: unwritten.Model, seconds: float) -> Outcome:
    """What a model of a problem is worth."""
    checked, refused = model.check(case.fresh), _refused(model, case.stepped)
    sure = np.array([e is None or not e.estimate for e in model.rules.evidence], bool)
    wrong = np.asarray(checked.violations.any(axis=0))
    wrong_gaps = np.asarray(model.gaps.broken(case.fresh).any(axis=0))
    broken = [rule.text for rule, bad in zip(model.rules, wrong, strict=True) if bad]
    broken += [gap.text for gap, bad in zip(model.gaps, wrong_gaps, strict=True) if bad]
    return Outcome(
        accepted=float(checked.feasible.mean()),
        rejected=_share(refused),
        rejected_values=_share(refused[case.moved]),
        rejected_swaps=_share(_refused(model, case.swapped)),
        rules=sum(origin != DEFINITION for origin in model.rules.origins) + len(model.gaps),
        false=int((wrong & sure).sum() + wrong_gaps.sum()),
        false_estimates=int((wrong & ~sure).sum()),
        sentences=len(model.sentences),
        seconds=seconds,
        broken=tuple(broken),
    )


def _refused(model: unwritten.Model, labels: IntArray) -> BoolArray:
    return ~model.check(labels).feasible if len(labels) else np.zeros(0, bool)


def _share(marks: BoolArray) -> float | None:
    return float(marks.mean()) if len(marks) else None
