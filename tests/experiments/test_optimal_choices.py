"""The experiment on answers by rules and by seen labels, in its quick size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from experiments.optimal_choices.answers import QUICK
from experiments.optimal_choices.problems import PROBLEMS
from experiments.registry import load_experiment
from experiments.result import RunContext


def test_auto_chooses_the_better_answers(tmp_path: Path) -> None:
    """auto falls short of the better of both by next to nothing, and every problem has its rows."""
    result = load_experiment("answers")(RunContext(tmp_path, quick=True))
    assert result.facts["largest shortfall of auto"] <= 3
    assert len(result.rows) == 2 * 3 * len(QUICK)
    assert result.ours("set cover, 100 examples", "auto", "right") > result.ours(
        "set cover, 100 examples", "rules", "right"
    )


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_best_choice_is_feasible_and_beats_random_labels(name: str) -> None:
    """Sampled labels are feasible, and no feasible label that is drawn at random is better for their weights."""
    problem = PROBLEMS[name](3)
    weights, labels = problem.sample(20, 0)
    assert problem.feasible(labels).all() and problem.feasible(problem.candidates).all()
    assert len(problem.names) == labels.shape[1] and 12 <= labels.shape[1] <= 25
    others = np.random.default_rng(1).integers(0, labels.max(axis=0) + 1, (5_000, labels.shape[1]))
    others = others[problem.feasible(others)]
    sign = 1 if problem.sense == "max" else -1
    values, best = sign * weights @ others.T, sign * (weights * labels).sum(axis=1)
    assert (values <= best[:, None] + 1e-9).all()
