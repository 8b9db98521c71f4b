"""LP and MPS files, read and solved by HiGHS and SCIP: the optimum of the model itself."""

import re
from pathlib import Path

import numpy as np
import pytest

from exports.export_cases import MODELS, model_of, queries
from unwritten.exports import TARGETS, export
from unwritten.exports.plain_names import plain_names


def highs(path: Path) -> float:
    highspy = pytest.importorskip("highspy")
    solver = highspy.Highs()
    solver.silent()
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(solver.getInfo().objective_function_value)


def scip(path: Path) -> float:
    solver = pytest.importorskip("pyscipopt").Model()
    solver.hideOutput()
    solver.readProblem(str(path))
    solver.optimize()
    assert solver.getStatus() == "optimal"
    return float(solver.getObjVal())


@pytest.mark.parametrize("solve", [highs, scip])
@pytest.mark.parametrize("target", ["lp", "mps"])
@pytest.mark.parametrize("name", MODELS)
def test_same_optimum(name: str, target: str, solve, tmp_path: Path) -> None:
    """Two readers of each format find the value that the model finds."""
    model = model_of(name)
    path = tmp_path / f"model{TARGETS[target].suffix}"
    for weights, value in queries(model):
        path.write_text(export(model, target, weights), encoding="utf-8")
        assert solve(path) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("target", ["lp", "mps"])
def test_fractions_are_written_in_full(target: str, tmp_path: Path) -> None:
    """Float weights are written with all their digits."""
    model = model_of("cuts")
    weights = np.random.default_rng(0).normal(size=len(model.variables))
    text = export(model, target, weights.tolist())
    assert all(repr(abs(value)) in text for value in weights.tolist())
    path = tmp_path / f"model.{target}"
    path.write_text(text)
    assert highs(path) == pytest.approx(float(model.decide([weights]).values[0]), abs=1e-6)


@pytest.mark.parametrize("target", ["lp", "mps"])
@pytest.mark.parametrize("name", ["binary", "hostile", "no rules"])
def test_without_weights_any_label_will_do(name: str, target: str, tmp_path: Path) -> None:
    """The objective is 0, and both readers take the file."""
    path = tmp_path / f"model.{target}"
    path.write_text(export(model_of(name), target))
    assert highs(path) == scip(path) == 0


def test_lines_of_lp_files_are_short_and_ascii() -> None:
    """Comments too: some readers stop at 560 characters."""
    for name in ("hostile", "table"):
        text = export(model_of(name), "lp")
        assert text.isascii()
        assert max(len(each) for each in text.splitlines()) < 560


def test_names_are_kept_where_they_can_be() -> None:
    """Plain words stay, keywords and number-like names get an underscore, and equal names become x1, x2 …"""
    names = ["trim=sport", "FREE", "e1", "1e5", "x9", "a b", "a-b", "日", "rule_1", "n" * 100]
    assert plain_names(names) == ["trim_sport", "_FREE", "_e1", "_1e5", "_x9", "x6", "x7", "x8", "_rule_1", "x10"]
    hostile = plain_names(model_of("hostile").variables.names)
    assert len(set(hostile)) == len(hostile)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) for name in hostile)
