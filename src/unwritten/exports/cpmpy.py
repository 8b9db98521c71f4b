"""CPMpy: a Python file that defines `model` and `variables`, and solves when run."""

from __future__ import annotations

from unwritten.exports.comments import block, header
from unwritten.exports.program import integer_program_of
from unwritten.exports.python_tables import tables
from unwritten.model import Model

HEAD = '''"""Rules as a CPMpy model: `model`, and its `variables` by name. Run this file to see a solution."""
'''

CODE = '''
x = [
    cp.boolvar(name=f"x{j}") if (low, high) == (0, 1) else cp.intvar(low, high, name=f"x{j}")
    for j, (_, low, high) in enumerate(VARIABLES, 1)
]
variables = {name: x[j] for j, (name, _, _) in enumerate(VARIABLES)}

model = cp.Model()
for terms, relation, rhs in ROWS:
    total = cp.sum([times * x[j] for times, j in terms])
    model += total == rhs if relation == "==" else total <= rhs
if WEIGHTS:
    model.SENSE(cp.sum([weight * x[j] for weight, j in WEIGHTS]))


def value(variable):
    """Its value once the model is solved; one that nothing depends on may take any, so the least."""
    return int(variable.lb if variable.value() is None else variable.value())


if __name__ == "__main__":
    if model.solve():
        for name, variable in variables.items():
            print(f"{name!r} = {value(variable)}")
    else:
        print("no solution: some rules clash")
'''


def write(model: Model, weights: object = None) -> str:
    """The model as a Python file."""
    program = integer_program_of(model, weights, "cpmpy")
    sense = "maximize" if program.sense == "max" else "minimize"
    lines = [HEAD, *block("#", [header(model)]), "import cpmpy as cp", "", *tables(program)]
    return "\n".join(lines) + "\n" + CODE.replace("SENSE", sense)
