"""Back ends: one small adapter per solver, loaded when first asked for. A new one is a file and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from unwritten.errors import DataError, MissingPackageError
from unwritten.solving.backends.base import BREAKDOWNS, Backend, Limits, Reply, Rows
from unwritten.solving.backends.watched import Watched

#: name: (module, class, package it needs, extra that installs it); fallbacks are tried in this order
TABLE = {
    "highs": ("highs", "HighsBackend", "highspy", ""),
    "scipy": ("scipy_milp", "ScipyBackend", "scipy", ""),
    "cpsat": ("cpsat", "CpSatBackend", "ortools", "cpsat"),
    "scip": ("scip", "ScipBackend", "pyscipopt", "scip"),
    "gurobi": ("gurobi", "GurobiBackend", "gurobipy", "gurobi"),
}


def backend_class(name: str) -> type[Backend]:
    """The adapter called `name`."""
    if name not in TABLE:
        raise DataError(f"backend {name!r} is unknown: use 'auto' or one of {', '.join(TABLE)}")
    module, cls, package, extra = TABLE[name]
    if find_spec(package) is None:
        raise MissingPackageError(package, extra, f"backend {name!r}")
    loaded: type[Backend] = getattr(import_module(f"{__name__}.{module}"), cls)
    return loaded


@cache
def installed() -> tuple[str, ...]:
    """The back ends whose package is there, in the order they are tried."""
    return tuple(name for name, (_, _, package, _) in TABLE.items() if find_spec(package) is not None)


__all__ = ["BREAKDOWNS", "TABLE", "Backend", "Limits", "Reply", "Rows", "Watched", "backend_class", "installed"]
