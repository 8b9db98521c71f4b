"""Quick runs of the experiments on few examples: their facts, not their times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.registry import FEW, load_experiment
from experiments.result import Result, RunContext

ELSEWHERE = {"structures", "renault"}  # these have test files of their own


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """Run every experiment once."""
    out = tmp_path_factory.mktemp("few")
    done = {}
    for name in set(FEW) - ELSEWHERE:
        context = RunContext(out / name, quick=True)
        result = done[name] = load_experiment(name)(context)
        assert json.loads(result.save(context).read_text(encoding="utf-8"))["rows"]
        for figure in result.figures:
            assert (Path(context.out) / f"{figure}.png").stat().st_size > 1_000
    return done


def test_sudoku_from_few_grids(results: dict[str, Result]) -> None:
    """80 grids, or 10 with interchangeable digits, give exactly the rules; all puzzles are solved by groups."""
    facts = results["few-sudoku"].facts
    assert facts["permuted, 80 grids, nothing declared"] == [1, 1]
    assert facts["permuted, 10 grids, digits interchangeable"] == [1, 1]
    assert facts["permuted, rules of 80 grids"] == {"all solved": True, "engines": ["groups"]}


def test_trees_from_few_examples(results: dict[str, Result]) -> None:
    """From 250 trees of 7 nodes the matroid is mined, with or without weights; the paper's models do far worse."""
    facts = results["few-trees"].facts
    case = "7 nodes, 250 examples"
    for model in ("auto, labels alone", "auto, with weights", "auto, node symmetry"):
        assert facts[f"{case}, {model}"] == {"EM": [100.0, 100.0], "matroids": 2, "seeds": 2}
    assert max(facts[f"{case}, Outer+EQ"]["EM"]) < 60 < min(facts[f"{case}, Outer+EQ, rank rules"]["EM"])


def test_forecasts(results: dict[str, Result]) -> None:
    """The forecast of Inner is within 2 points of the truth, that of Outer within its stated error."""
    facts = results["forecasts"].facts
    assert facts["worst mean error of Inner"] < 2
    assert facts["Outer within its error"] == [2, 2]


def test_noise(results: dict[str, Result]) -> None:
    """All rules of Sudoku are mined and exactly the wrong grids are named; spoilt labels still give the hierarchy."""
    facts = results["noise"].facts
    for noise in ("0.05", "auto"):
        assert facts[f"Sudoku, noise={noise}"] == {"exact": 1, "named": 1, "seeds": 1}
    assert all(fact["precision"] == fact["recall"] == [100.0] for name, fact in facts.items() if "ImCLEF" in name)


def test_chance(results: dict[str, Result]) -> None:
    """A rule is hardly ever mined from random labels."""
    assert all(fact["runs with a rule"] <= 2 for fact in results["chance"].facts.values())


def test_sums_of_puzzles(results: dict[str, Result]) -> None:
    """All sums of a Kakuro and of magic squares are mined from every number of examples."""
    facts = results["sums"].facts
    assert len(facts) == 4
    assert all(fact["sums"] == [100.0] for fact in facts.values())
