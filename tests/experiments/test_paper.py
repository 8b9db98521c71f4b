"""Quick runs of the paper's experiments: their shape and key facts, not their times."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from experiments.registry import PAPER, load_experiment
from experiments.result import Result, RunContext
from experiments.results_page import write_page
from unwritten.errors import DataError


def quick(name: str, folder: Path) -> Result:
    context = RunContext(folder / name, quick=True)
    result = load_experiment(name)(context)
    result.save(context)
    for figure in result.figures:
        assert (context.out / f"{figure}.png").stat().st_size > 5_000
        assert (context.out / f"{figure}.svg").read_text(encoding="utf-8").count("<path") > 5
    saved = json.loads((context.out / "results.json").read_text(encoding="utf-8"))
    assert saved["quick"] is True
    assert {"unwritten", "numpy", "highspy"} <= set(saved["versions"])
    assert len(saved["rows"]) == len(result.rows)
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reproduction")


def test_sizes_follow_lemma_3(folder: Path) -> None:
    """M and N are exact, |S_I| is near its expectation, S_O holds S* and its estimate with true p beats 1/(M+1)."""
    result = quick("sizes", folder)
    assert result.ours("MST-7", "feasible set", "M") == 16_807
    assert result.ours("MST-7", "candidates with 6 edges", "N") == 54_264
    assert result.facts["worst relative gap of |S_I|"] < 0.03
    assert result.facts["outer"] == sorted(result.facts["outer"], reverse=True)
    assert result.facts["inner"] == sorted(result.facts["inner"])
    outer = result.facts["outer"][-1]
    true_p, uniform = (result.facts["expected"][kind][1][-1] for kind in ("true p", "p = 1/M"))
    assert outer >= 16_807
    assert abs(true_p - outer) < abs(uniform - outer)
    assert len(result.facts["rules"]) == 1


def test_gap_trades_accuracy(folder: Path) -> None:
    """Every answer is within its gap, and a gap of 0 is the most accurate."""
    result = quick("mipgap", folder)
    accuracy = [row.ours for row in result.rows if row.measure == "test EM %"]
    assert len(accuracy) == 5
    assert accuracy[0] == max(accuracy)
    assert all(fact["within the gap"] == 1 for fact in result.facts.values())
    assert result.facts["gap 0%"]["status"] == ["optimal"]


@pytest.mark.parametrize("name", ["scaling", "runtime"])
def test_both_ways_agree(name: str, folder: Path) -> None:
    """Ours and the paper's way give the same values; how much faster ours is depends on the machine."""
    result = quick(name, folder)
    assert all(fact["same values"] for fact in result.facts.values())
    ratios = [row.ours for row in result.rows if row.measure.startswith("times faster")]
    assert len(ratios) == len(result.facts)
    assert min(ratios) > 0


def test_the_page_shows_what_was_run(folder: Path) -> None:
    """One HTML file, well formed, with tables and figures inside and nothing from the network."""
    paths = sorted(folder.glob("*/results.json"))
    assert paths
    text = write_page(folder, paths).read_text(encoding="utf-8")
    HTMLParser().feed(text)
    assert text.count("<h2") == len(paths)
    assert "data:image/png;base64," in text
    assert "http" not in text.replace("http-equiv", "")


def test_unknown_experiments_are_refused() -> None:
    """A wrong name is an error that lists the right ones, in Python and on the command line."""
    with pytest.raises(DataError, match="use one of sudoku, mst"):
        load_experiment("nonsense")
    command = [sys.executable, "-m", "unwritten", "reproduce", "nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("unwritten: there is no experiment 'nonsense'")
    assert set(PAPER) == {"sudoku", "mst", "hmc", "sizes", "runtime", "scaling", "mipgap"}


def test_reproduce_on_the_command_line(tmp_path: Path) -> None:
    """`unwritten reproduce sizes --quick` prints the table, writes the files and is silent on stderr in a pipe."""
    command = [sys.executable, "-m", "unwritten", "reproduce", "sizes", "--quick", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "difference" in done.stdout
    assert "16807" in done.stdout
    assert done.stderr == ""
    assert sorted(path.name for path in (tmp_path / "sizes").iterdir()) == [
        "chances.png", "chances.svg", "results.json", "sizes.png", "sizes.svg"
    ]  # fmt: skip
