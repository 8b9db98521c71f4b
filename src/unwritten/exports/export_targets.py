"""Export targets: which files a model can be exported to, and the function that exports it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from unwritten.errors import DataError
from unwritten.exports import cpmpy, dbt, great_expectations, lp, minizinc, mps, opb, ortools, pandera, sql
from unwritten.exports.stated_models import require_stated

if TYPE_CHECKING:
    from unwritten.model import Model

ExportTarget = Literal["lp", "mps", "opb", "cpmpy", "ortools", "minizinc", "sql", "pandera", "dbt", "gx"]


class ExportWriter(NamedTuple):
    """The function that writes the text of a file, the suffix of the file's name, and what the file is.

    Targets of several files have `files`, which returns their texts by path.
    """

    write: Callable[[Model, object], str]
    suffix: str
    description: str
    files: Callable[[Model, object], dict[str, str]] | None = None


TARGETS: dict[ExportTarget, ExportWriter] = {
    "lp": ExportWriter(lp.write, ".lp", "CPLEX LP format, for nearly every MILP solver"),
    "mps": ExportWriter(mps.write, ".mps", "free MPS format, for every MILP solver"),
    "opb": ExportWriter(opb.write, ".opb", "pseudo-Boolean constraints; integers are written in binary"),
    "cpmpy": ExportWriter(cpmpy.write, ".py", "a Python file that defines a CPMpy model and solves it when run"),
    "ortools": ExportWriter(ortools.write, ".py", "a Python file that builds a CP-SAT model and solves it when run"),
    "minizinc": ExportWriter(minizinc.write, ".mzn", "a MiniZinc model"),
    "sql": ExportWriter(sql.write, ".sql", "a table with a CHECK per rule, and a view of the rows that break one"),
    "pandera": ExportWriter(pandera.write, ".py", "a Python file that defines a pandera schema for data frames"),
    "dbt": ExportWriter(dbt.write, "", "data tests for a model of a dbt project, in several files", dbt.files),
    "gx": ExportWriter(
        great_expectations.write, ".json", "a Great Expectations suite, as JSON, for databases and data frames"
    ),
}


def export_target(name: object) -> ExportTarget:
    """Return the name of a target as such; raise if there is no target of that name."""
    for target in TARGETS:
        if target == name:
            return target
    raise DataError(f"{name!r} is not a target of an export: use one of {', '.join(TARGETS)}")


def export(model: Model, to: ExportTarget, weights: object = None) -> str:
    """Return the text of a file that states the rules of a model.

    Parameters
    ----------
    model
        The model to export.
    to
        One of `TARGETS`.
    weights
        The objective for the mathematical targets: one number per variable, maximised or minimised as the model's sense
        says. None for no objective.

    Examples
    --------
    >>> from unwritten import mine
    >>> model = mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 40, names=["red", "green", "blue"])
    >>> print(export(model, "opb", weights=[2, 3, 1]), end="")  # doctest: +ELLIPSIS
    * #variable= 3 #constraint= 1
    * written by unwritten ... from labels: 120 examples, 3 variables, 1 rule
    * x1: red
    * x2: green
    * x3: blue
    * max of the weights: 0 minus the objective below
    min: -2 x1 -3 x2 -1 x3 ;
    * rule_1: exactly one of red, green, blue
    +1 x1 +1 x2 +1 x3 = 1 ;
    """
    return _writer(model, to).write(model, weights)


def export_files(model: Model, to: ExportTarget, weights: object = None) -> dict[str, str] | None:
    """Return the texts of all files of a target by path; None if the target is one file."""
    files = _writer(model, to).files
    return None if files is None else files(model, weights)


def _writer(model: Model, to: ExportTarget) -> ExportWriter:
    """Return the writer of a target; raise if it cannot state the model."""
    writer = TARGETS[export_target(to)]
    require_stated(model)
    return writer
