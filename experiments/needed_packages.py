"""The packages that an experiment needs, read off its source, so that a missing one is said before hours of work."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from unwritten.errors import DataError

ROOT = Path(__file__).parent


def require_packages(name: str, module: str) -> None:
    """Raise if an experiment, or a module of the experiments that it imports, imports a package that is missing."""
    missing = sorted(each for each in packages_of(module) if find_spec(each) is None)
    if missing:
        named = " and ".join(missing)
        raise DataError(
            f"the experiment {name} needs {named}, which is not installed; install all that experiments need with: "
            "pip install -e '.[dev]'"
        )


def packages_of(module: str) -> set[str]:
    """Return the packages that `experiments.<module>` imports itself or through other experiments, at any time.

    >>> sorted(packages_of("paper.nets") - {"numpy"})
    ['torch', 'unwritten']
    """
    packages, seen, waiting = set[str](), set[str](), [f"experiments.{module}"]
    while waiting:
        name = waiting.pop()
        top, _, rest = name.partition(".")
        if top != "experiments":
            packages.add(top)
        elif name not in seen:
            seen.add(name)
            path = ROOT.joinpath(*rest.split(".")).with_suffix(".py")
            waiting += _imports(path) if path.is_file() else []
    return packages - sys.stdlib_module_names


def _imports(path: Path) -> Iterator[str]:
    """Yield the names that a file imports; `from package import name` may mean the module `package.name` too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
