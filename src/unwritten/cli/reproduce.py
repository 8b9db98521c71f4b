"""`unwritten reproduce`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

import unwritten
from unwritten.errors import DataError

#: The directory that holds `src` and `experiments` in a checkout; in an installed package it holds neither.
CHECKOUT = Path(unwritten.__file__).parents[2]


def complete_experiments() -> list[str]:
    """Return the names that a shell offers; outside a checkout there are none."""
    try:
        return ["all", "list", *_import_experiments("registry").EXPERIMENTS]
    except DataError:
        return []


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The name of an experiment; all runs those of the paper, list prints every name.",
            autocompletion=complete_experiments,
        ),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Use small sizes: about a minute instead of up to an hour.")
    ] = False,
    out: Annotated[Path, typer.Option(metavar="DIRECTORY", help="The directory for the results and figures.")] = Path(
        "reproduction"
    ),
    seed: Annotated[int, typer.Option(min=0, help="The seed of every random choice.")] = 0,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIRECTORY", help="The directory of the data sets; the variable UNWRITTEN_DATA by default."
        ),
    ] = None,
) -> None:
    """Run an experiment again and print its numbers beside those of the paper.

    Takes the name of an experiment. Prints a table, and saves results.json and the figures in a directory of that name.
    The experiments are part of the repository, not of the installed package.

    Examples:

        unwritten reproduce list

        unwritten reproduce sizes --quick --out results
    """
    runner = _import_experiments("runner")
    if name == "list":
        runner.print_names()
    else:
        runner.run_and_print(name, quick=quick, out=out, seed=seed, data=data)


def _import_experiments(module: str) -> ModuleType:
    """Import a module of the experiments from the checkout that this package runs from."""
    if not (CHECKOUT / "experiments" / "registry.py").is_file():
        raise DataError(
            "the experiments are not part of the installed package: clone the repository, run `pip install -e .` "
            "there, and use that copy's `unwritten reproduce`"
        )
    if str(CHECKOUT) not in sys.path:
        sys.path.insert(0, str(CHECKOUT))
    return import_module(f"experiments.{module}")
