"""OPB, MiniZinc, CPMpy and CP-SAT: the target tool solves each file and finds the model's own optimum."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import unwritten
from exports.export_cases import WHOLE, model_of, queries
from unwritten.exports import export


def run(text: str) -> dict[str, Any]:
    """The names that a Python file defines."""
    space: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), space)
    return space


@pytest.mark.parametrize("name", WHOLE)
def test_opb(name: str, tmp_path: Path) -> None:
    """SCIP solves the file; the constant and the sense of the objective are in a comment."""
    scip = pytest.importorskip("pyscipopt")
    model = model_of(name)
    for weights, value in queries(model):
        text = export(model, "opb", weights)
        path = tmp_path / "model.opb"
        path.write_text(text)
        solver = scip.Model()
        solver.hideOutput()
        solver.readProblem(str(path))
        solver.optimize()
        assert solver.getStatus() == "optimal"
        constant, word = re.search(r"of the weights: (-?\d+) (plus|minus)", text).groups()
        assert int(constant) + (1 if word == "plus" else -1) * round(solver.getObjVal()) == value


def test_opb_header_counts() -> None:
    """The first line tells how many variables and constraints there are."""
    text = export(model_of("integers"), "opb")
    variables, constraints = map(int, re.match(r"\* #variable= (\d+) #constraint= (\d+)\n", text).groups())
    assert constraints == sum(line.endswith(";") for line in text.splitlines())
    assert variables == max(int(number) for number in re.findall(r"x(\d+)", text))


@pytest.mark.skipif(shutil.which("minizinc") is None, reason="minizinc is not installed: apt-get install minizinc")
@pytest.mark.parametrize("name", WHOLE)
def test_minizinc(name: str, tmp_path: Path) -> None:
    """Gecode solves the file; Renault's is only solved, not optimised, which takes Gecode long."""
    model = model_of(name)
    weights, value = queries(model, 1)[0]
    path = tmp_path / "model.mzn"
    path.write_text(export(model, "minizinc", None if name == "renault" else weights))
    done = subprocess.run(["minizinc", "--solver", "gecode", path], capture_output=True, text=True, check=True)
    last = done.stdout.split("----------")[-2]
    found = {int(x): int(at) for x, at in re.findall(r"x(\d+) = (-?\d+);", last)}
    label = [found[j + 1] for j in range(len(model.variables))]
    assert model.check([label]).feasible.all()
    if name != "renault":
        assert sum(w * y for w, y in zip(weights, label, strict=True)) == value


@pytest.mark.parametrize("name", WHOLE)
def test_cpmpy(name: str) -> None:
    """The file defines a model that CPMpy solves, and variables by their true names."""
    pytest.importorskip("cpmpy")
    model = model_of(name)
    for weights, value in queries(model, 2):
        space = run(export(model, "cpmpy", weights))
        assert space["model"].solve()
        assert list(space["variables"]) == list(model.extended.names)
        label = [space["value"](space["variables"][each]) for each in model.variables.names]
        assert model.check([label]).feasible.all()
        assert space["model"].objective_value() == value


@pytest.mark.parametrize("name", WHOLE)
def test_ortools(name: str) -> None:
    """The file builds a model that CP-SAT solves, and variables by their true names."""
    pytest.importorskip("ortools")
    model = model_of(name)
    for weights, value in queries(model):
        space = run(export(model, "ortools", weights))
        built, variables = space["build"]()
        solver, found = space["solve"](built)
        assert found
        assert list(variables) == list(model.extended.names)
        label = [solver.value(variables[each]) for each in model.variables.names]
        assert model.check([label]).feasible.all()
        assert solver.objective_value == value


@pytest.mark.parametrize("name", ["binary", "no rules"])
def test_weights_may_all_be_0(name: str) -> None:
    """Without weights any label is optimal."""
    pytest.importorskip("cpmpy")
    model = model_of(name)
    space = run(export(model, "cpmpy", [0] * len(model.variables)))
    assert space["model"].solve()
    assert model.check([[space["value"](variable) for variable in space["variables"].values()]]).feasible.all()


@pytest.mark.parametrize("target", ["cpmpy", "ortools"])
def test_python_files_run(target: str, tmp_path: Path) -> None:
    """Run as programs, they print a solution, one variable per line, with any names."""
    pytest.importorskip(target)
    model = model_of("hostile")
    path = tmp_path / "model.py"
    path.write_text(export(model, target), encoding="utf-8")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True, encoding="utf-8")
    lines = done.stdout.splitlines()
    assert len(lines) == len(model.variables)
    assert model.check([[int(line.rsplit(" = ")[-1]) for line in lines]]).feasible.all()


@pytest.mark.parametrize("target", ["cpmpy", "ortools", "opb", "lp", "mps", "minizinc"])
def test_rules_that_clash_are_written_too(target: str, tmp_path: Path) -> None:
    """A row that can never hold and weights that are all 0 can be exported."""
    model = unwritten.mine([[0, 1], [1, 0]] * 9, rules=["equalities"]).with_rules([([0, 0], "<=", -1)])
    text = export(model, target, [0, 0])
    if target in ("cpmpy", "ortools"):
        pytest.importorskip(target)
        space = run(text)
        assert not (space["model"].solve() if target == "cpmpy" else space["solve"](space["build"]()[0])[1])
    elif target == "minizinc":
        if shutil.which("minizinc") is None:
            pytest.skip("minizinc is not installed: apt-get install minizinc")
        path = tmp_path / "model.mzn"
        path.write_text(text)
        done = subprocess.run(["minizinc", "--solver", "gecode", path], capture_output=True, text=True, check=True)
        assert "UNSATISFIABLE" in done.stdout
    else:
        solver = pytest.importorskip("pyscipopt").Model()
        solver.hideOutput()
        path = tmp_path / f"model.{target}"
        path.write_text(text)
        solver.readProblem(str(path))
        solver.optimize()
        assert solver.getStatus() == "infeasible"
