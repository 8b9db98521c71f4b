"""Objects of other packages: each is run by its package, with the verdicts and optima of the model."""

from __future__ import annotations

from importlib import util
from typing import Any

import numpy as np
import pytest

import unwritten
from exports.export_cases import MODELS, WHOLE, judged, model_of, queries
from exports.test_export_pandera import failures
from unwritten.errors import DataError, MissingPackageError

SMALL = [name for name in WHOLE if name not in ("renault", "table")]


@pytest.mark.parametrize("name", SMALL)
def test_cpmpy(name: str) -> None:
    """CPMpy finds the model's optimum, with variables by their own names."""
    pytest.importorskip("cpmpy")
    model = model_of(name)
    for weights, value in queries(model, 1):
        program, variables = model.to_cpmpy(weights)
        assert program.solve()
        assert list(variables) == list(model.extended.names)
        assert program.objective_value() == value


def test_cpmpy_keeps_alike_names_apart() -> None:
    """CPMpy takes variables of one name for one variable, and names that begin with IV or BV for its own."""
    pytest.importorskip("cpmpy")
    names = ["IV1", "_IV1", "BV", "a\n", "a\\n"]
    labels = np.array([[1, 0, 0, 1, 0], [0, 1, 1, 0, 1]] * 100)
    program, variables = unwritten.mine(labels, names=names).to_cpmpy([1, 0, 0, 0, 0])
    assert program.solve()
    assert {name: int(variables[name].value()) for name in names} == dict(zip(names, labels[0].tolist(), strict=True))


@pytest.mark.parametrize("name", SMALL)
def test_ortools(name: str) -> None:
    """CP-SAT finds the model's optimum; its variables print as the user named them."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model = model_of(name)
    for weights, value in queries(model, 1):
        program, variables = model.to_ortools(weights)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert solver.solve(program) == cp_model.OPTIMAL
        assert solver.objective_value == value
        label = [solver.value(variables[each]) for each in model.variables.names]
        assert model.check_labels([label]).feasible.all()
        assert all(x.name == each for each, x in variables.items() if each.isprintable())


@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("renault", "table")])
def test_highs(name: str) -> None:
    """HiGHS finds the model's optimum, under cuts too."""
    model = model_of(name)
    for weights, value in queries(model, 2):
        highs, variables = model.to_highs(weights)
        highs.run()
        label = [round(highs.val(variables[each])) for each in model.variables.names]
        assert model.check_labels([label]).feasible.all()
        assert np.dot(weights, label) == value


def test_highs_can_be_extended() -> None:
    """The loaded model takes further rows, over variables by their own names."""
    model = unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
    highs, x = model.to_highs([2, 3, 1])
    highs.addConstr(x["green"] <= 0)
    highs.run()
    assert {name: round(highs.val(variable)) for name, variable in x.items()} == {"red": 1, "green": 0, "blue": 0}


@pytest.mark.parametrize("name", ["table", "hostile"])
def test_pandera(name: str) -> None:
    """The schema rejects the rows that the model rejects."""
    pytest.importorskip("pandera")
    model, table, fine = judged(name)
    wrong = failures(model.to_pandera(), table.to_pandas())
    assert set(wrong["index"].astype(int)) == set(np.flatnonzero(~fine).tolist())


@pytest.mark.parametrize(
    ("method", "extra"), [("to_cpmpy", "cpmpy"), ("to_ortools", "cpsat"), ("to_pandera", "pandera")]
)
def test_a_package_that_is_not_installed(method: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra that installs it."""
    model = model_of("table")
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    monkeypatch.setattr("unwritten.objects.program_run.find_spec", lambda name: None)
    with pytest.raises(MissingPackageError, match=rf"install it with: pip install 'unwritten\[{extra}\]'"):
        getattr(model, method)()


BAD: dict[str, tuple[Any, str]] = {
    # what is asked, and what the error says
    "a schema of labels": (lambda: model_of("binary").to_pandera(), "needs a table"),
    "floats in CP-SAT": (lambda: model_of("binary").to_ortools([0.5] * 10), "integer weights"),
    "too few weights": (lambda: model_of("binary").to_highs([1]), "give one number per variable"),
    "cuts in CPMpy": (lambda: model_of("cuts").to_cpmpy(), "cuts with float weights"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_made(case: str) -> None:
    """Each error says what to do."""
    ask, message = BAD[case]
    with pytest.raises(DataError, match=message):
        ask()
