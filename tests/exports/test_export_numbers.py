"""Programs state what rules say of numbers: sums, orders, ranges, steps and conditions, as `check` understands them."""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from exports.fact_cases import fact_model
from exports.test_export_integer_targets import run
from unwritten.errors import DataError
from unwritten.exports import TARGETS, export
from unwritten.exports.linear_program import integer_program_of, program_of
from unwritten.exports.opb import BinaryEncoding
from unwritten.exports.plain_names import plain_names
from unwritten.tables.roles import number_of
from unwritten.tables.units import number_text

DAY = datetime.date(2024, 1, 1)
Row = dict[str, str | None]
Values = Mapping[str, float]
Solve = Callable[[Values, Values], dict[str, float] | None]
"""Some solution with these values that has the largest weights, by names; None if there is none."""

GIVEN = [
    "gross = net + tax", "ordered ≤ shipped", "shipped < paid", "toll is a multiple of 0.25", "net from 1 to 90",
    "status = returned requires refund ≥ 0.5", "refund is missing exactly when status ≠ returned", "refund ≤ net",
    "size = 1 exactly when weight from 10 to 20", "weight by size: 2 from 5 to 40, 3 ≥ 21", "weight from 0 to 60",
    "adults + children ≤ seats", "seats is a multiple of 2", "status ≠ state", "paid ≥ 2024-01-03", "tax ≥ 0",
    "toll from 0 to 50", "refund from 0 to 90", "toll ≤ gross",
]  # fmt: skip


def orders(n: int = 300) -> list[Row]:
    """Orders with decimals, dates, numbers of few values, and refunds in some rows only."""
    rng = np.random.default_rng(1)
    rows: list[Row] = []
    for _ in range(n):
        net, tax, size = int(rng.integers(300, 9_000)), int(rng.integers(0, 900)), int(rng.integers(1, 4))
        low, high = {1: (100, 200), 2: (50, 99), 3: (210, 600)}[size]
        adults, children, returned = *(int(k) for k in rng.integers(0, 4, 2)), bool(rng.random() < 0.3)
        ordered, shipped, paid = np.cumsum(rng.integers([0, 0, 1], [200, 9, 9])).tolist()
        rows.append(
            {
                "net": f"{net / 100:.2f}",
                "tax": f"{tax / 100:.2f}",
                "gross": f"{(net + tax) / 100:.2f}",
                "toll": f"{25 * int(rng.integers(0, net // 25)) / 100:.2f}",
                "ordered": str(DAY + datetime.timedelta(ordered)),
                "shipped": str(DAY + datetime.timedelta(shipped)),
                "paid": str(DAY + datetime.timedelta(paid + 2)),
                "status": "returned" if returned else str(rng.choice(["open", "done"])),
                "state": str(rng.choice(["new", "old"])),
                "refund": f"{int(rng.integers(50, net)) / 100:.2f}" if returned else None,
                "size": str(size),
                "weight": f"{int(rng.integers(low, high + 1)) / 10:.1f}",
                "adults": str(adults),
                "children": str(children),
                "seats": str(adults + children + (adults + children) % 2),
            }
        )
    return rows


def table_of(rows: list[Row]) -> pa.Table:
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in rows[0]})


@cache
def orders_model() -> unwritten.Model:
    """The mined facts, and those above."""
    mined = unwritten.mine(table_of(orders()))
    assert {"sum", "order", "step", "range", "missing-when"} <= {fact.kind for fact in mined.facts}
    return mined.with_rules(GIVEN)


def values_of(model: unwritten.Model, row: Row, names: list[str]) -> dict[str, float]:
    """What the variables of a program are in a row; those that only help to say rules are left out."""
    label = model.schema.encode_rows([row]).labels[0].tolist()
    values: dict[str, float] = dict(zip(model.variables.names, label, strict=True))
    for column in model.schema.columns:
        cell = row[column.name]
        number = None if cell is None else number_of(cell, column.role, column.scale)
        values[f"{column.name}=missing"] = int(cell is None)
        if number is not None:
            values[column.name] = number
    return {name: values[name] for name in names if name in values}


def row_of(model: unwritten.Model, values: Values) -> Row:
    """The row that a solution stands for."""
    label = [round(values[name]) for name in model.variables.names]
    row: Row = {
        name: None if cell is None else str(cell) for name, cell in model.schema.decode(np.array([label]))[0].items()
    }
    for column in model.schema.columns:
        if column.kind == "skip":
            missing = round(values.get(f"{column.name}=missing", 0))
            row[column.name] = None if missing else number_text(round(values[column.name]), column).replace("−", "-")
    return row


def by_highs(solver: Any, names: list[str]) -> Solve:
    solver.silent()
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_feasibility_tolerance", 1e-9)
    width = len(names)
    low, high = (np.array(side) for side in (solver.getLp().col_lower_, solver.getLp().col_upper_))
    every = np.arange(width, dtype=np.int32)

    def solve(fixed: Values, weights: Values) -> dict[str, float] | None:
        place = {name: j for j, name in enumerate(names)}
        lower, upper, costs = low.copy(), high.copy(), np.zeros(width)
        for name, value in fixed.items():
            if not low[place[name]] <= value <= high[place[name]]:
                return None
            lower[place[name]] = upper[place[name]] = value
        for name, weight in weights.items():
            costs[place[name]] = weight
        solver.changeColsBounds(width, every, lower, upper)
        solver.changeColsCost(width, every, costs)
        solver.clearSolver()
        solver.run()
        if str(solver.getModelStatus()).endswith("kInfeasible"):
            return None
        assert str(solver.getModelStatus()).endswith("kOptimal")
        return dict(zip(names, solver.getSolution().col_value, strict=True))

    return solve


def to_highs(model: unwritten.Model, folder: Path) -> Solve:
    solver, variables = model.to_highs()
    return by_highs(solver, list(variables))


def from_file(model: unwritten.Model, folder: Path, target: str) -> Solve:
    highspy = pytest.importorskip("highspy")
    path = folder / f"model{TARGETS[target].suffix}"
    path.write_text(export(model, target), encoding="utf-8")
    solver = highspy.Highs()
    solver.silent()
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
    names = program_of(model, None).names
    own = dict(zip(plain_names(names), names, strict=True))
    return by_highs(solver, [own[solver.getColName(j)[1]] for j in range(len(own))])


def ortools(model: unwritten.Model, folder: Path) -> Solve:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")

    def solve(fixed: Values, weights: Values) -> dict[str, float] | None:
        program, x = model.to_ortools()
        for name, value in fixed.items():
            program.add(x[name] == int(value))
        program.maximize(sum(int(weight) * x[name] for name, weight in weights.items()))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(program)
        assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        return {name: solver.value(x[name]) for name in x} if status == cp_model.OPTIMAL else None

    return solve


def cpmpy(model: unwritten.Model, folder: Path) -> Solve:
    cp = pytest.importorskip("cpmpy")

    def solve(fixed: Values, weights: Values) -> dict[str, float] | None:
        space = run(export(model, "cpmpy"))
        program, x = space["model"], space["variables"]
        for name, value in fixed.items():
            program += x[name] == int(value)
        if weights:
            program.maximize(cp.sum([int(weight) * x[name] for name, weight in weights.items()]))
        return {name: space["value"](x[name]) for name in x} if program.solve() else None

    return solve


def minizinc(model: unwritten.Model, folder: Path) -> Solve:
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed: apt-get install minizinc")
    names, text = integer_program_of(model, None, "minizinc").names, export(model, "minizinc")

    def solve(fixed: Values, weights: Values) -> dict[str, float] | None:
        rows = [f"constraint x{names.index(name) + 1} = {int(value)};" for name, value in fixed.items()]
        path = folder / "model.mzn"
        path.write_text("\n".join([text, *rows]))  # any solution: Gecode is slow to find the best of many
        done = subprocess.run(["minizinc", "--solver", "gecode", path], capture_output=True, text=True, check=True)
        if "UNSATISFIABLE" in done.stdout:
            return None
        lines = [line.rstrip(";").split(" = ") for line in done.stdout.split("----------")[-2].splitlines() if line]
        return {names[int(name[1:]) - 1]: int(value) for name, value in lines}

    return solve


def opb(model: unwritten.Model, folder: Path) -> Solve:
    scip = pytest.importorskip("pyscipopt")
    program = integer_program_of(model, None, "opb")
    encoding = BinaryEncoding.of(program.variables)
    path = folder / "model.opb"
    path.write_text(export(model, "opb"))

    def solve(fixed: Values, weights: Values) -> dict[str, float] | None:
        solver = scip.Model()
        solver.hideOutput()
        solver.readProblem(str(path))
        bits = {variable.name: variable for variable in solver.getVars()}

        def total(name: str) -> Any:
            ones, constant = encoding.sum([(1, program.names.index(name))])
            return constant + scip.quicksum(value * bits[f"x{x}"] for x, value in ones.items() if f"x{x}" in bits)

        for name, value in fixed.items():
            solver.addCons(total(name) == value)
        solver.setObjective(scip.quicksum(weight * total(name) for name, weight in weights.items()), "maximize")
        solver.optimize()
        if solver.getStatus() == "infeasible":
            return None
        return {name: round(solver.getVal(total(name))) for name in program.names}

    return solve


PROGRAMS: dict[str, Callable[[unwritten.Model, Path], Solve]] = {
    "to_highs": to_highs,
    "lp": lambda model, folder: from_file(model, folder, "lp"),
    "mps": lambda model, folder: from_file(model, folder, "mps"),
    "ortools": ortools,
    "cpmpy": cpmpy,
    "opb": opb,
    "minizinc": minizinc,
}
COUNTS = {"cpmpy": 16, "minizinc": 14, "ortools": 24, "opb": 16}  # rows that are tried; 60 by default


def damaged(rows: list[Row], count: int) -> list[Row]:
    """Rows of which each second has a cell of another row, a number that is a little off, or no value."""
    rng = np.random.default_rng(2)
    tried = [dict(row) for row in rows[:count]]
    for row in tried[::2]:
        name = str(rng.choice([*row]))
        cell, way = row[name], int(rng.integers(3))
        if way == 0 or cell is None:
            row[name] = rows[int(rng.integers(len(rows)))][name]
        elif way == 1 and "." in cell:
            digits = len(cell.partition(".")[2])
            row[name] = f"{float(cell) + 10**-digits:.{digits}f}"
        elif name in ("net", "gross", "toll", "refund", "weight"):
            row[name] = None
    return tried


@pytest.mark.parametrize("target", PROGRAMS)
def test_programs_have_the_rows_that_check_accepts(target: str, tmp_path: Path) -> None:
    """A row is a solution of the program exactly if no rule is broken, damaged or not, with all cells or not."""
    model, solve = orders_model(), PROGRAMS[target](orders_model(), tmp_path)
    rows = damaged(orders(), COUNTS.get(target, 60))
    fine = model.check(table_of(rows)).feasible
    names = program_of(model, None).names
    verdicts = [solve(values_of(model, row, names), {}) is not None for row in rows]
    assert verdicts == fine.tolist()
    assert 0 < sum(verdicts) < len(rows)


@pytest.mark.parametrize("target", PROGRAMS)
def test_solutions_are_rows_that_check_accepts(target: str, tmp_path: Path) -> None:
    """Whatever a solution is to be large in, it is a row that breaks no rule."""
    model, solve = orders_model(), PROGRAMS[target](orders_model(), tmp_path)
    rng, rows = np.random.default_rng(3), []
    numbers = [column.name for column in model.schema.columns if column.kind == "skip"]
    for status in ("open", "returned", "done"):
        weights = dict(zip(numbers, rng.integers(-3, 4, len(numbers)).tolist(), strict=True))
        found = solve({f"status={status}": 1}, weights)
        assert found is not None
        rows.append(row_of(model, found))
    check = model.check(table_of(rows))
    assert check.feasible.all(), [(rows[i], [s.text for s in check.broken(i)]) for i in range(len(rows))]


@pytest.mark.parametrize("target", PROGRAMS)
def test_rules_that_clash_leave_no_solution(target: str, tmp_path: Path) -> None:
    """Two bounds that exclude each other, or a sum that cannot be reached, make the program infeasible."""
    for clash in ("net ≥ 95", "net + tax = 200 + gross"):
        model = orders_model().with_rules(["net and tax and gross are never missing", clash])
        assert PROGRAMS[target](model, tmp_path)({}, {}) is None


def small_model(columns: dict[str, list[str]], given: list[str]) -> unwritten.Model:
    """A model that says what is given alone."""
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    mined = unwritten.mine(table)
    return mined.without([sentence.id for sentence in mined.sentences]).with_rules(given)


def measured() -> dict[str, list[str]]:
    """Numbers without bounds: decimals, floats and whole ones, and a category."""
    rng = np.random.default_rng(5)
    return {
        "cost": [f"{v / 100:.2f}" for v in rng.integers(-90_000, 90_000, 200)],
        "paid": [f"{v / 10:.1f}" for v in rng.integers(-9_000, 9_000, 200)],
        "mass": [repr(v) for v in rng.normal(size=200).tolist()],
        "heat": [repr(v) for v in rng.normal(size=200).tolist()],
        "kind": [str(v) for v in rng.choice(["a", "b"], 200)],
    }


ALWAYS = "cost and paid and mass and heat are never missing"


def test_numbers_have_the_unit_of_their_column() -> None:
    """Decimals are counted in their last digit, which a comment says; columns of few values add what they say."""
    model = small_model(measured(), ["cost = 2·paid", "cost ≤ 12.5", ALWAYS])
    text = export(model, "lp")
    assert "\\ cost: in units of 0.01\n\\ paid: in units of 0.1\n" in text
    assert " fact_1: + 1 cost - 20 paid = 0\n" in text
    assert " -inf <= cost <= 1250\n -inf <= paid <= inf\n" in text
    assert "('cost', -2000000000, 1250)," in export(model, "ortools")
    listed = program_of(fact_model(), None)
    row = next(row for row in listed.rows if row.text.startswith("adults + children ≤ seats + parcels"))
    assert {listed.names[j]: factor for factor, j in row.terms}.items() >= {"adults=2": 2, "seats=4": -4}.items()
    assert "adults" not in listed.names


def test_floats_are_for_targets_that_have_them(tmp_path: Path) -> None:
    """LP and MPS files have continuous variables; the other targets name what they leave out."""
    model = small_model(measured(), ["mass ≤ heat", "mass from 0.25 to 1.75", "heat ≤ 1.5", ALWAYS])
    for target in ("lp", "mps"):
        found = from_file(model, tmp_path, target)({}, {"mass": 1})
        assert found is not None
        assert found["mass"] == pytest.approx(1.5)
        assert from_file(model, tmp_path, target)({"mass": 0.2}, {}) is None
    reason = "left out, because heat has fractions without end, and the format takes whole numbers only: mass ≤ heat"
    assert reason in export(model, "ortools")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("kind = a requires cost ≥ 1", "no close bounds of its numbers are known"),
        ("cost = paid × mass", "a product is not linear"),
        ("cost is unique", "it compares rows with each other"),
        ("kind determines cost", "it compares rows with each other"),
        ("mass < heat", "fractions have no next number"),
        ("kind has 1 to 3 characters", "no variables hold its texts"),
    ],
)
def test_what_no_row_says_is_named(sentence: str, reason: str) -> None:
    """Each note gives the reason, and nothing else is added to the program."""
    model = small_model(measured(), [ALWAYS, sentence])
    program = program_of(model, None)
    assert [note.partition(" (")[0] for note in program.notes] == [f"left out, because {reason}: {sentence}"]
    assert len(program.variables) == len(model.variables)


def test_a_missing_cell_excuses_sums(tmp_path: Path) -> None:
    """A sum of cells that may be missing holds unless one of them is, which a variable says."""
    model = small_model(measured(), ["cost = paid", "cost from 0 to 10", "paid from 20 to 30"])
    solve = to_highs(model, tmp_path)
    assert solve({"cost=missing": 0, "paid=missing": 0}, {}) is None
    assert solve({"cost=missing": 1, "paid=missing": 0}, {}) is not None


def test_models_without_rows_say_so() -> None:
    """A model of facts that are no rows cannot be a program: the error names the targets that state them."""
    model = small_model({"id": [f"k{k}" for k in range(300)]}, ["id is unique"])
    for target in ("lp", "minizinc"):
        with pytest.raises(DataError, match=re.escape("none of them is a linear row: use sql, pandera, dbt or gx")):
            export(model, target)
