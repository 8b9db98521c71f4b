"""A quick run on Sudoku: its shape and key facts."""

from pathlib import Path

import numpy as np
import pytest

from experiments import datasets
from experiments.paper import sudoku_puzzles
from experiments.paper.convnets import ConvNet, ConvNetSize
from experiments.paper.published import SUDOKU
from experiments.registry import load_experiment
from experiments.result import Result, RunContext
from unwritten.errors import DataError
from unwritten.samples import sudoku

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

SETTINGS = ("original", "permuted")
RUN = ("Outer+EQ", "ConvNet", "ConvNetMask")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sudoku")


@pytest.fixture(scope="module")
def result(out: Path) -> Result:
    context = RunContext(out=out, quick=True)
    found = load_experiment("sudoku")(context)
    found.save(context)
    return found


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("part", ["train", "test"])
def test_mined_rules_solve_every_puzzle(result: Result, setting: str, part: str) -> None:
    """All entries and grids are right, on training and test puzzles, in both orders of the cells."""
    assert result.ours(setting, "Outer+EQ", f"{part} entries") == 100
    assert result.ours(setting, "Outer+EQ", f"{part} whole grids") == 100


@pytest.mark.parametrize("setting", SETTINGS)
def test_mined_equalities_are_the_rules(result: Result, setting: str) -> None:
    """The mined rules, of rank 249, imply the 324 rules of Sudoku, and the 324 imply them."""
    rules = result.facts[f"{setting}: rules"]
    assert rules["same"]
    assert rules["true rules"] == rules["of these implied by the mined"] == 324
    assert rules["rank of the mined"] == rules["rank of the true"] == 249
    assert rules["mined not implied by the true"] == 0
    assert rules["cuts"] == 0


def test_the_table_has_every_model_and_measure(result: Result) -> None:
    """Every model that was run has both measures; the paper's numbers stand beside whole grids; SATNet is quoted."""
    rows = {(row.case, row.model, row.measure): row for row in result.rows}
    assert len(rows) == len(result.rows)
    for setting in SETTINGS:
        for model in RUN:
            for part, theirs in zip(("train", "test"), SUDOKU[setting][model], strict=True):
                assert rows[setting, model, f"{part} whole grids"].paper == theirs
                assert 0 <= rows[setting, model, f"{part} entries"].ours <= 100
    assert {model for _, model, _ in rows} == set(RUN)
    assert any("as published, not run here" in note for note in result.notes)


def test_figures_are_there(result: Result, out: Path) -> None:
    """The figures are saved as PNG and SVG beside the results."""
    assert result.figures == ["sudoku", "sudoku-puzzle"]
    for name in (*(f"{figure}.{ending}" for figure in result.figures for ending in ("png", "svg")), "results.json"):
        assert (out / name).stat().st_size > 1000


def test_generated_puzzles_have_one_solution() -> None:
    """If the SATNet file is absent, puzzles with one solution and at least 31 clues are generated."""
    puzzles = sudoku_puzzles.generate_puzzles(4, seed=1)
    for clues, solution in zip(puzzles.clues, puzzles.solutions, strict=True):
        assert np.array_equal(sudoku.solutions(clues), [solution])
        assert (clues > 0).sum() >= sudoku_puzzles.FEWEST_CLUES


def test_absent_file_is_replaced_and_a_wrong_one_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the file is missing, puzzles are generated and a note says so; a damaged file is an error."""
    monkeypatch.delenv(datasets.VARIABLE, raising=False)
    monkeypatch.setattr(sudoku_puzzles, "numbers_of_puzzles", lambda _: (3, 1))
    found = Result("sudoku", "")
    assert len(sudoku_puzzles.load_puzzles(RunContext(out=tmp_path), found)) == 4
    assert "generated here" in found.notes[0]
    (tmp_path / "sudoku").mkdir()
    (tmp_path / "sudoku" / "satnet.csv").write_text("1,2\n")
    with pytest.raises(DataError, match="checksum"):
        sudoku_puzzles.load_puzzles(RunContext(out=tmp_path, data=tmp_path), found)


def test_permuted_rules_hold_for_permuted_grids() -> None:
    """A setting has the rules for its own order of the cells."""
    grids = sudoku.grids(5, seed=0)
    puzzles = sudoku_puzzles.Puzzles(grids, grids).permuted(sudoku_puzzles.PERMUTATION)
    setting = sudoku_puzzles.SudokuSetting("permuted", sudoku_puzzles.PERMUTATION, puzzles, puzzles, puzzles)
    labels = sudoku.one_hot(puzzles.solutions)
    assert (labels @ setting.rules.T == 1).all()
    assert not (labels @ sudoku.true_rules().T == 1).all()


@pytest.mark.parametrize("masked", [False, True])
def test_convolutional_networks_learn_and_repeat(masked: bool) -> None:
    """A network learns to copy solved grids, and the same seed gives the same network."""
    grids = sudoku.grids(200, seed=0)
    said: list[str] = []
    answers = [
        ConvNet(ConvNetSize(2, 24, 30), masked, seed=3).fit(grids, grids, said.append).solve(grids) for _ in range(2)
    ]
    assert np.array_equal(*answers)
    assert (answers[0] == grids).mean() > 0.9
    assert said[-1] == "epoch 30 of 30"
