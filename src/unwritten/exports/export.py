"""The door: a model and the name of a target in, the text of a file out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from unwritten.errors import DataError
from unwritten.exports import cpmpy, lp, minizinc, mps, opb, ortools, pandera, sql
from unwritten.model import Model


class Target(NamedTuple):
    """What writes a file, how its name ends, and what it is."""

    write: Callable[[Model, object], str]
    suffix: str
    description: str


TARGETS: dict[str, Target] = {
    "lp": Target(lp.write, ".lp", "CPLEX LP format, for nearly every MILP solver"),
    "mps": Target(mps.write, ".mps", "free MPS format, for every MILP solver"),
    "opb": Target(opb.write, ".opb", "pseudo-Boolean constraints; integers are written in binary"),
    "cpmpy": Target(cpmpy.write, ".py", "a Python file that defines a CPMpy model and solves it when run"),
    "ortools": Target(ortools.write, ".py", "a Python file that builds a CP-SAT model and solves it when run"),
    "minizinc": Target(minizinc.write, ".mzn", "a MiniZinc model"),
    "sql": Target(sql.write, ".sql", "a table with a CHECK per rule, and a view of the rows that break one"),
    "pandera": Target(pandera.write, ".py", "a Python file that defines a pandera schema for data frames"),
}


def export(model: Model, to: str, weights: object = None) -> str:
    """The text of a file that says what the model says.

    Parameters
    ----------
    model
        What was mined.
    to
        One of `TARGETS`.
    weights
        An objective for the mathematical targets, one number per variable, in the sense of the model; none by default.

    Examples
    --------
    >>> from unwritten import mine
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 2, names=["red", "green", "blue"])
    >>> print(export(model, "opb", weights=[2, 3, 1]), end="")  # doctest: +ELLIPSIS
    * #variable= 3 #constraint= 1
    * written by unwritten ... from labels: 6 examples, 3 variables, 1 rule
    * x1: red
    * x2: green
    * x3: blue
    * max of the weights: 0 minus the objective below
    min: -2 x1 -3 x2 -1 x3 ;
    * rule_1: exactly one of red, green, blue
    +1 x1 +1 x2 +1 x3 = 1 ;
    """
    if not isinstance(to, str) or to not in TARGETS:
        raise DataError(f"{to!r} is no target of an export: use one of {', '.join(TARGETS)}")
    if model.matroid is not None:
        raise DataError(
            "this model says that labels are the bases of a matroid, which has too many rows to write out: mine again "
            "without 'matroid', e.g. with rules=['groups', 'equalities', 'pairs', 'covers', 'ranks']"
        )
    return TARGETS[to].write(model, weights)
