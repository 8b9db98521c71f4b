"""CPMpy: a Python file that defines `model` and `variables`, and solves the model when run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.python_program import main_block, python_program

if TYPE_CHECKING:
    from unwritten.model import Model

DOCSTRING = "Rules as a CPMpy model: `model`, and its `variables` by name. Run this file to see a solution."

CODE = '''

def printed(names):
    """The names that CPMpy prints: all different, because it takes equal names for one variable; none of its own."""
    different = {}
    for name in names:
        safe = name if name.isprintable() else repr(name)[1:-1]
        safe = f"_{safe}" if safe[:2] in ("IV", "BV") else safe
        while safe in different:
            safe += "_"
        different[safe] = True
    return list(different)


x = [
    cp.boolvar(name=name) if (low, high) == (0, 1) else cp.intvar(low, high, name=name)
    for name, (_, low, high) in zip(printed([name for name, _, _ in VARIABLES]), VARIABLES)
]
variables = {name: x[j] for j, (name, _, _) in enumerate(VARIABLES)}

model = cp.Model()
for terms, relation, rhs in ROWS:
    total = cp.sum([times * x[j] for times, j in terms])
    model += total == rhs if relation == "==" else total <= rhs
# GAPS
if WEIGHTS:
    model.SENSE(cp.sum([weight * x[j] for weight, j in WEIGHTS]))


def value(variable):
    """Its value once the model is solved; one that nothing depends on may take any, so the least."""
    return int(variable.lb if variable.value() is None else variable.value())
''' + main_block(setup="", solved="model.solve()", value="value(variable)")

GAP_CODE = """for terms in DIFFERENT:
    different = [x[j] + number for j, number in terms]
    model += different[0] != different[1] if len(different) == 2 else cp.AllDifferent(different)
for i, j, number in DISTANCES:
    model += abs(x[i] - x[j]) != number
for i, j, low, high in EITHER_OR:
    model += (x[i] - x[j] <= low) | (x[i] - x[j] >= high)
for places in DIFFERENCES:
    model += cp.AllDifferent([x[j] - x[i] for k, j in enumerate(places) for i in places[:k]])
"""


def write(model: Model, weights: object = None) -> str:
    """Return the model as a Python file for CPMpy."""
    imports = "import cpmpy as cp"
    return python_program(model, weights, "cpmpy", docstring=DOCSTRING, imports=imports, code=CODE, gap_code=GAP_CODE)
