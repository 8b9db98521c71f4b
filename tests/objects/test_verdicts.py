"""Solvers and constraint tools accept exactly the labels that the model accepts: a thousand of them, one by one.

They take the ranges of integers for limits, as `check` does if it is strict.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unwritten
from exports.export_cases import model_of
from exports.test_export_integer_targets import run
from unwritten.data import BoolArray, IntArray
from unwritten.exports import TARGETS, export
from unwritten.exports.plain_names import plain_names

COUNT = 1_000
Label = tuple[int, ...]


def labels_of(model: unwritten.Model) -> IntArray:
    """Labels of every sort: a third was seen, a third has one number changed, and a third is random."""
    rng = np.random.default_rng(7)
    low, high = model.variables.lower, model.variables.upper
    labels = rng.integers(low, high + 1, (COUNT, len(low)))
    labels[::3] = model.seen[rng.integers(len(model.seen), size=len(labels[::3]))]
    changed = model.seen[rng.integers(len(model.seen), size=len(labels[1::3]))]
    columns = rng.integers(len(low), size=len(changed))
    changed[np.arange(len(changed)), columns] = rng.integers(low[columns] - 1, high[columns] + 2)  # or beyond the range
    labels[1::3] = changed
    return labels


def by_highs(highs: Any, names: list[str]) -> Callable[[Label], bool]:
    """Whether HiGHS finds a solution with these numbers in the named columns."""
    columns = np.array([highs.getColByName(name)[1] for name in names], np.int32)
    lower, upper = (np.array(side)[columns] for side in (highs.getLp().col_lower_, highs.getLp().col_upper_))

    def accepts(label: Label) -> bool:
        given = np.array(label, float)
        if np.any((given < lower) | (given > upper)):
            return False
        highs.changeColsBounds(len(columns), columns, given, given)
        highs.run()
        return bool(highs.getModelStatus() == type(highs.getModelStatus()).kOptimal)

    return accepts


def to_highs(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    highs, variables = model.to_highs()
    names = [highs.variableName(variables[name]) for name in model.variables.names]
    return by_highs(highs, names)


def read_by_highs(model: unwritten.Model, folder: Path, target: str) -> Callable[[Label], bool]:
    path = folder / f"model{TARGETS[target].suffix}"
    path.write_text(export(model, target), encoding="utf-8")
    highs = pytest.importorskip("highspy").Highs()
    highs.silent()
    highs.readModel(str(path))
    return by_highs(highs, plain_names(model.variables.names))


def opb(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    scip = pytest.importorskip("pyscipopt").Model()
    scip.hideOutput()
    path = folder / "model.opb"
    path.write_text(export(model, "opb"))
    scip.readProblem(str(path))
    columns = {variable.name: variable for variable in scip.getVars()}

    def accepts(label: Label) -> bool:
        scip.freeTransform()
        for j, number in enumerate(label):
            if number not in (0, 1):
                return False
            if f"x{j + 1}" in columns:  # no row limits the others
                scip.chgVarLb(columns[f"x{j + 1}"], number)
                scip.chgVarUb(columns[f"x{j + 1}"], number)
        scip.optimize()
        return bool(scip.getStatus() == "optimal")

    return accepts


def solutions_of_cpmpy(program: Any, variables: list[Any]) -> Callable[[Label], bool]:
    found: set[Label] = set()
    program.solveAll(display=lambda: found.add(tuple(int(variable.value()) for variable in variables)))
    return found.__contains__


def to_cpmpy(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    pytest.importorskip("cpmpy")
    program, variables = model.to_cpmpy()
    return solutions_of_cpmpy(program, [variables[name] for name in model.variables.names])


def cpmpy(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    pytest.importorskip("cpmpy")
    space = run(export(model, "cpmpy"))
    return solutions_of_cpmpy(space["model"], [space["variables"][name] for name in model.variables.names])


def solutions_of_ortools(program: Any, variables: list[Any]) -> Callable[[Label], bool]:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    found: set[Label] = set()

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.add(tuple(self.value(variable) for variable in variables))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    assert solver.solve(program, Collector()) == cp_model.OPTIMAL
    return found.__contains__


def to_ortools(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    pytest.importorskip("ortools")
    program, variables = model.to_ortools()
    return solutions_of_ortools(program, [variables[name] for name in model.variables.names])


def ortools(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    pytest.importorskip("ortools")
    program, variables = run(export(model, "ortools"))["build"]()
    return solutions_of_ortools(program, [variables[name] for name in model.variables.names])


def minizinc(model: unwritten.Model, folder: Path) -> Callable[[Label], bool]:
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed: apt-get install minizinc")
    path = folder / "model.mzn"
    path.write_text(export(model, "minizinc"))
    command = ["minizinc", "--solver", "gecode", "--all-solutions", path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "==========" in text  # all of them
    found = set()
    for solution in text.split("----------")[:-1]:
        numbers = {int(x): int(at) for x, at in re.findall(r"x(\d+) = (-?\d+);", solution)}
        found.add(tuple(numbers[j + 1] for j in range(len(model.variables))))
    return found.__contains__


JUDGES: dict[str, Callable[[unwritten.Model, Path], Callable[[Label], bool]]] = {
    "to_cpmpy": to_cpmpy,
    "cpmpy": cpmpy,
    "to_ortools": to_ortools,
    "ortools": ortools,
    "to_highs": to_highs,
    "lp": lambda model, folder: read_by_highs(model, folder, "lp"),
    "mps": lambda model, folder: read_by_highs(model, folder, "mps"),
    "opb": opb,
    "minizinc": minizinc,
}


#: In OPB, integers are sums of 0/1 variables: there, optima are compared.
CASES = [
    (target, name) for target in JUDGES for name in ("binary", "integers") if (target, name) != ("opb", "integers")
]


@pytest.mark.parametrize(("target", "name"), CASES)
def test_same_verdict(target: str, name: str, tmp_path: Path) -> None:
    """The target accepts a label exactly if a strict check does."""
    model = model_of(name)
    labels = labels_of(model)
    fine: BoolArray = model.check_labels(labels, strict=True).feasible
    assert 300 < fine.sum() < 700
    accepts = JUDGES[target](model, tmp_path)
    assert [accepts(tuple(label)) for label in labels.tolist()] == fine.tolist()
