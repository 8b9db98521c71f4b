"""Program run: the objects that an exported Python file builds.

The file is built in memory and run, so that the objects are exactly what the file makes. It holds names and values only
as literals, so no name is ever run as code.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from unwritten.errors import MissingPackageError
from unwritten.exports import ExportTarget, export
from unwritten.objects.named_program import NamedProgram

if TYPE_CHECKING:
    from unwritten.model import Model


class Package(NamedTuple):
    """The package that an exported file imports, and the extra that installs it."""

    name: str
    extra: str


PACKAGES: dict[ExportTarget, Package] = {
    "cpmpy": Package("cpmpy", "cpmpy"),
    "ortools": Package("ortools", "cpsat"),
    "pandera": Package("pandera", "pandera"),
}


def cpmpy_model(model: Model, weights: object = None) -> NamedProgram:
    """Return a `cpmpy.Model` with the rules, and its variables by name."""
    made = _run(model, "cpmpy", weights)
    return NamedProgram(made["model"], made["variables"])


def ortools_model(model: Model, weights: object = None) -> NamedProgram:
    """Return a `CpModel` of OR-Tools with the rules, and its variables by name."""
    built, variables = _run(model, "ortools", weights)["build"]()
    return NamedProgram(built, variables)


def pandera_schema(model: Model) -> Any:
    """Return a `pandera` schema for pandas data frames with the columns of the mined table."""
    return _run(model, "pandera", None)["schema"]


def _run(model: Model, target: ExportTarget, weights: object) -> dict[str, Any]:
    """Return the names that an exported file defines."""
    package = PACKAGES[target]
    text = export(model, target, weights)  # first, because what cannot be exported needs no package
    if find_spec(package.name) is None:
        raise MissingPackageError(package.name, package.extra, f"model.to_{target}()")
    names: dict[str, Any] = {"__name__": f"unwritten_{target}"}
    exec(compile(text, f"<{target} export>", "exec"), names)
    return names
