"""Back ends: one small adapter per solver, imported when it is first used.

A new one is a file here, a line in `TABLE`, and a name in `BackendName`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from unwritten.errors import DataError, MissingPackageError
from unwritten.solving.backends.backend import BREAKDOWNS, Backend, Limits, Reply, Rows
from unwritten.solving.backends.watched import WatchedBackend

#: name: (module, class, package that it needs, extra that installs the package); fallbacks are tried in this order
TABLE = {
    "highs": ("highs", "HighsBackend", "highspy", ""),
    "scipy": ("scipy_milp", "ScipyBackend", "scipy", ""),
    "cpsat": ("cpsat", "CpSatBackend", "ortools", "cpsat"),
    "scip": ("scip", "ScipBackend", "pyscipopt", "scip"),
    "gurobi": ("gurobi", "GurobiBackend", "gurobipy", "gurobi"),
}


def backend_class(name: str) -> type[Backend]:
    """Return the adapter called `name`; raise an error if it does not exist or its package is not installed."""
    if name not in TABLE:
        raise DataError(f"backend {name!r} is unknown: use 'auto' or one of {', '.join(TABLE)}")
    module, cls, package, extra = TABLE[name]
    if find_spec(package) is None:
        raise MissingPackageError(package, extra, f"backend {name!r}")
    try:
        loaded: type[Backend] = getattr(import_module(f"{__name__}.{module}"), cls)
    except ImportError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # compiled modules hide a Ctrl-C during their import
            raise error.__cause__ from None
        raise
    return loaded


def family(name: str) -> str:
    """Return the name of the solver behind a back end: scipy's is a copy of HiGHS, so that the two err alike."""
    return "highs" if name == "scipy" else name


@cache
def installed() -> tuple[str, ...]:
    """Return the back ends whose package is installed, in the order in which they are tried."""
    return tuple(name for name, (_, _, package, _) in TABLE.items() if find_spec(package) is not None)


__all__ = [
    "BREAKDOWNS",
    "TABLE",
    "Backend",
    "Limits",
    "Reply",
    "Rows",
    "WatchedBackend",
    "backend_class",
    "family",
    "installed",
]
