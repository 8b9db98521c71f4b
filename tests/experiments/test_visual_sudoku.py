"""A quick run of Sudoku from images of digits: one seed, two levels of noise, and forty puzzles at each."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("torch")

from experiments.result import Result, RunContext
from experiments.scorers import visual_sudoku
from experiments.scorers.digit_images import SIDE, pools, shifted
from experiments.scorers.image_puzzles import CLUES, puzzles
from experiments.scorers.puzzle_outcome import (
    ALL_READ,
    CORRECTED,
    DECODED,
    GAIN,
    NET,
    OPTIMAL,
    SOLVED,
    SPOILED,
    TIMES,
    WHOLE,
    breaks,
)
from experiments.scorers.visual_sudoku import QUICK, Trial, case, report, trial
from unwritten.samples import sudoku

SMALL = replace(QUICK, noises=(0.2,), epochs=1, puzzles=5)


@pytest.fixture(scope="module")
def made() -> Trial:
    return trial(QUICK, 0, lambda _: None)


@pytest.fixture(scope="module")
def result(made: Trial, tmp_path_factory: pytest.TempPathFactory) -> Result:
    out: Path = tmp_path_factory.mktemp("visual-sudoku")
    found = Result("visual-sudoku", "images")
    report(RunContext(out=out, quick=True), found, QUICK, [made])
    for name in found.figures:
        assert all((out / f"{name}.{ending}").stat().st_size > 5000 for ending in ("png", "svg"))
    assert found.figures == ["visual-sudoku", "visual-sudoku-puzzles"]
    return found


@pytest.mark.parametrize("noise", QUICK.noises)
def test_rules_solve_what_the_net_misreads(result: Result, noise: float) -> None:
    """Decoding solves 30 points more puzzles than the net reads, corrects misread clues and spoils few right ones."""
    name = case(noise)
    alone = result.ours(name, NET, ALL_READ)
    assert result.ours(name, SOLVED, WHOLE) == alone
    assert result.ours(name, DECODED, WHOLE) >= alone + 30
    assert result.ours(name, DECODED, GAIN) == pytest.approx(result.ours(name, DECODED, WHOLE) - alone)
    assert result.ours(name, DECODED, CORRECTED) > 30
    assert result.ours(name, DECODED, SPOILED) < 5


def test_every_decoded_grid_is_a_sudoku_and_optimal(made: Trial, result: Result) -> None:
    """Decoded grids obey the rules of Sudoku, and the net finds none of them less likely than the solution."""
    for noise, outcome in made.outcomes.items():
        for grid in outcome.decoded.reshape(-1, 9, 9).tolist():
            for k in range(9):
                box = [grid[3 * (k // 3) + i][3 * (k % 3) + j] for i in range(3) for j in range(3)]
                assert set(grid[k]) == {row[k] for row in grid} == set(box) == set(range(1, 10))
        assert result.ours(case(noise), DECODED, OPTIMAL) == 100
        assert (outcome.margin >= -1e-6).all()
    assert result.facts["decoded grids that break a rule of Sudoku"] == 0


def test_the_rules_are_those_of_sudoku(made: Trial) -> None:
    """A hundred solved grids give exactly the rules of Sudoku."""
    assert made.is_sudoku


def test_breaks_sees_each_kind_of_error() -> None:
    """Grids that break only columns, only rows or only boxes are recognised as wrong."""
    good = sudoku.grids(3, seed=0)
    assert not breaks(good).any()
    row, column = good.copy(), good.copy()
    row[:, [0, 8]] = good[:, [8, 0]]
    column[:, [0, 72]] = good[:, [72, 0]]
    assert breaks(row).all() and breaks(column).all()
    latin = (np.add.outer(np.arange(9), np.arange(9)) % 9 + 1).reshape(1, 81)
    assert breaks(latin).all()


def test_pools_share_no_image() -> None:
    """Every pool has all digits 1–9, and every image is in one pool only."""
    found = pools()
    places = np.concatenate([pool.places for pool in found])
    assert len(places) == len(set(places.tolist()))
    distinct = [{image.tobytes() for image in pool.images} for pool in found]
    assert not distinct[0] & distinct[2] and not distinct[0] & distinct[1] and not distinct[1] & distinct[2]
    assert all(set(pool.digits.tolist()) == set(range(1, 10)) for pool in found)


def test_test_images_are_of_the_test_pool() -> None:
    """Without noise, a drawn image is one of the pool and shows the wanted digit; a blank is empty."""
    pool = pools()[2]
    wanted = np.array([[3, 0, 9]])
    drawn = pool.draw(wanted, 0.0, np.random.default_rng(0))
    for digit, image in zip(wanted[0], drawn[0], strict=True):
        same = (pool.images == image).all(axis=1)
        assert digit in pool.digits[same] if digit else not image.any()


def test_images_are_shifted_by_a_pixel_at_most() -> None:
    """The one pixel with ink stays in the image and next to where it was."""
    images = np.zeros((50, SIDE * SIDE))
    images[:, 3 * SIDE + 4] = 1
    moved = shifted(images, np.random.default_rng(0)).reshape(50, SIDE, SIDE)
    image, row, column = np.nonzero(moved)
    assert image.tolist() == list(range(50))
    assert set(row.tolist()) == {2, 3, 4} and set(column.tolist()) == {3, 4, 5}


def test_puzzles_have_one_solution() -> None:
    """Puzzles have one solution and as many clues as wanted."""
    grids = sudoku.grids(5, seed=1)
    for clues, grid in zip(puzzles(grids, np.random.default_rng(0)), grids, strict=True):
        assert sudoku.solutions(clues).tolist() == [grid.tolist()]
        assert CLUES[0] - 4 <= (clues > 0).sum() <= CLUES[1]


def test_the_same_seed_gives_the_same_numbers() -> None:
    """Two runs with the same seed differ only in their times."""
    first, again = (trial(SMALL, 3, lambda _: None).outcomes[0.2] for _ in range(2))
    assert np.array_equal(first.images, again.images) and np.array_equal(first.decoded, again.decoded)
    assert np.array_equal(first.margin, again.margin)
    numbers = [{k: v for k, v in outcome.scores().items() if k[1] not in TIMES} for outcome in (first, again)]
    assert numbers[0] == numbers[1]


def test_run_makes_a_trial_for_every_seed(made: Trial, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A quick run has one seed and rows for both levels of noise."""
    seeds: list[int] = []
    monkeypatch.setattr(visual_sudoku, "trial", lambda _size, seed, _say: seeds.append(seed) or made)
    result = visual_sudoku.run(RunContext(out=tmp_path, quick=True, seed=7))
    assert seeds == [7]
    assert {row.case for row in result.rows} == {"100 solved grids", *map(case, QUICK.noises)}
