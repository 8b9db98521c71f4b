"""`import unwritten` is light: packages that only some calls need are imported by these calls."""

from __future__ import annotations

import subprocess
import sys

HEAVY = [
    "cpmpy", "dask", "distributed", "duckdb", "great_expectations", "gurobipy", "highspy", "matplotlib", "narwhals",
    "ortools", "pandas", "pandera", "polars", "pyarrow", "pyscipopt", "python_calamine", "rich", "scipy", "sklearn",
    "torch", "typer",
]  # fmt: skip


def imported(code: str) -> set[str]:
    """The modules that a new process imports to run code."""
    command = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip() for line in lines}


def test_the_import_loads_no_heavy_package() -> None:
    """No data frame, solver, compiler, plotting or learning package is imported before it is needed."""
    modules = imported("import unwritten.mine, unwritten.model")
    assert {"unwritten", "unwritten.mine", "numpy"} <= modules
    assert {module.split(".")[0] for module in modules}.isdisjoint(HEAVY)


def test_an_imported_package_is_noticed() -> None:
    """The list of imports has what the code imports, whether the code or a module that it imports asks for it."""
    assert {"unwritten.cli", "typer"} <= imported("import unwritten.cli.app")


def test_a_name_is_no_module() -> None:
    """`mine` and `forecast` are functions, also after their modules have been imported."""
    code = "import unwritten.mine, unwritten.forecast, unwritten; print(type(unwritten.mine), type(unwritten.forecast))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "<class 'function'> <class 'function'>"


def test_a_command_begins_with_few_imports() -> None:
    """Until a command can be stopped, next to nothing of the library and of Python is imported."""
    modules = imported("import unwritten.cli")
    assert {name for name in modules if name.startswith("unwritten")} == {
        "unwritten", "unwritten.lazy_names", "unwritten.cli", "unwritten.cli.supervised"
    }  # fmt: skip
    assert modules.isdisjoint({"typing", "numpy", "contextlib"} - imported("pass"))
