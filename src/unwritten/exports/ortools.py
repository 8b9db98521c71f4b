"""OR-Tools CP-SAT: a Python file that defines `build()`, and solves the model when run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.python_program import main_block, python_program

if TYPE_CHECKING:
    from unwritten.model import Model

DOCSTRING = "Rules as a CP-SAT model: `build()` makes it, and its variables by name. Run this file to see a solution."

CODE = '''

def build():
    """The model, and its variables by name."""
    model = cp_model.CpModel()
    x = [
        model.new_int_var(low, high, name if name.isprintable() else repr(name)[1:-1])
        for name, low, high in VARIABLES
    ]
    for terms, relation, rhs in ROWS:
        total = cp_model.LinearExpr.weighted_sum([x[j] for _, j in terms], [times for times, _ in terms])
        model.add(total == rhs if relation == "==" else total <= rhs)
# GAPS
    if WEIGHTS:
        model.SENSE(cp_model.LinearExpr.weighted_sum([x[j] for _, j in WEIGHTS], [weight for weight, _ in WEIGHTS]))
    return model, {name: x[j] for j, (name, _, _) in enumerate(VARIABLES)}


def solve(model):
    """A solver that has solved the model, and whether there is a solution."""
    solver = cp_model.CpSolver()
    solver.parameters.presolve_inclusion_work_limit = 0  # that presolve step can prove wrong optima (or-tools #5293)
    return solver, solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
''' + main_block(
    setup="    model, variables = build()\n    solver, found = solve(model)\n",
    solved="found",
    value="solver.value(variable)",
)

GAP_CODE = """    for terms in DIFFERENT:
        model.add_all_different([x[j] + number for j, number in terms])
    most = max(abs(number) for _, low, high in VARIABLES for number in (low, high)) * 2 + 1
    for i, j, number in DISTANCES:
        sides = [[-most, -number - 1], [1 - number, number - 1], [number + 1, most]]
        sides = [side for side in sides if side[0] <= side[1]]
        model.add_linear_expression_in_domain(x[i] - x[j], cp_model.Domain.from_intervals(sides))
    for i, j, low, high in EITHER_OR:
        sides = [side for side in ([-most, low], [high, most]) if side[0] <= side[1]]
        model.add_linear_expression_in_domain(x[i] - x[j], cp_model.Domain.from_intervals(sides))
    for places in DIFFERENCES:
        pairs = [(i, j) for k, j in enumerate(places) for i in places[:k]]
        differences = [model.new_int_var(-most, most, f"x{j} - x{i}") for i, j in pairs]
        for difference, (i, j) in zip(differences, pairs):
            model.add(difference == x[j] - x[i])
        model.add_all_different(differences)
"""


def write(model: Model, weights: object = None) -> str:
    """Return the model as a Python file for CP-SAT."""
    imports = "from ortools.sat.python import cp_model"
    return python_program(model, weights, "ortools", docstring=DOCSTRING, imports=imports, code=CODE, gap_code=GAP_CODE)
