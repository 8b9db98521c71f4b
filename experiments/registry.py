"""Every experiment by name: the paper's, and ours."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from experiments import few, paper, scorers, tables
from experiments.paper.result import Context, Result
from unwritten.errors import DataError

PACKAGES = (paper, few, tables, scorers)
#: name: what it shows; names on the command line have hyphens
EXPERIMENTS = {name.replace("_", "-"): text for package in PACKAGES for name, text in package.EXPERIMENTS.items()}
PAPER = tuple(paper.EXPERIMENTS)


def experiment(name: str) -> Callable[[Context], Result]:
    """The function that runs the experiment called `name`."""
    if name not in EXPERIMENTS:
        raise DataError(f"there is no experiment {name!r}: use one of {', '.join(EXPERIMENTS)} or all")
    module = name.replace("-", "_")
    package = next(package for package in PACKAGES if module in package.EXPERIMENTS)
    run: Callable[[Context], Result] = import_module(f"{package.__name__}.{module}").run
    return run
