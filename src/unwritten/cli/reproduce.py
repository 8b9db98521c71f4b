"""`unwritten reproduce`."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.status import Status
from rich.table import Table

import unwritten
from unwritten.errors import DataError


def _experiments() -> Any:
    """Import the experiments, which are part of a checkout and not of an installed package."""
    checkout = Path(unwritten.__file__).parents[2]
    if not (checkout / "experiments" / "registry.py").is_file():
        raise DataError(
            "the experiments are not part of the installed package: clone the repository, run `make test` or "
            "`pip install -e .` there, and use that copy's `unwritten reproduce`"
        )
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    return import_module("experiments.registry")


def reproduce(
    name: Annotated[str, typer.Argument(help="The name of an experiment, all (the paper's), or list.")],
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: a minute instead of up to an hour.")] = False,
    out: Annotated[Path, typer.Option(help="Directory for results.json and figures.")] = Path("reproduction"),
    seed: Annotated[int, typer.Option(min=0, help="Seed of every random choice.")] = 0,
    data: Annotated[Path | None, typer.Option(help="Directory of the data sets (or set UNWRITTEN_DATA).")] = None,
) -> None:
    """Re-run a table or figure of the paper and print it beside the paper's numbers.

    Example: unwritten reproduce sizes --quick --out results
    """
    registry = _experiments()
    console, progress = Console(highlight=False), Console(stderr=True)
    if name == "list":
        for each, text in registry.EXPERIMENTS.items():
            console.print(f"{each:<18} {text}", markup=False)
        return
    chosen = list(registry.PAPER) if name == "all" else [name]
    runs = [registry.experiment(each) for each in chosen]
    results = []
    for each, run in zip(chosen, runs, strict=True):
        with progress.status(each) as status:
            context = registry.Context(out / each, quick, seed, data, say=partial(_show, status, each))
            result = run(context)
        path = result.save(context)
        console.print(result_table(result))
        for note in result.notes:
            console.print(f"  {note}", markup=False)
        console.print(f"  {path}\n", markup=False)
        results.append((result, path))
    if name == "all":
        page = import_module("experiments.paper.page").write_page(out, [path for _, path in results])
        console.print(f"{page}", markup=False)


def _show(status: Status, name: str, line: str) -> None:
    status.update(f"{name}: {line}")


def result_table(result: Any) -> Table:
    """The rows of an experiment as a table: paper, ours, difference."""
    table = Table(title=result.title, title_justify="left")
    for head in ("case", "model", "measure"):
        table.add_column(head)
    for head in ("paper", "ours", "difference"):
        table.add_column(head, justify="right")
    before = ("", "")
    for row in result.rows:
        if row.case != before[0] and before[0]:
            table.add_section()
        case = "" if row.case == before[0] else row.case
        model = "" if (row.case, row.model) == before else row.model
        before = (row.case, row.model)
        spread = f" ± {row.spread:.2g}" if row.spread is not None else ""
        paper = "–" if row.paper is None else f"{row.paper:.5g}"
        difference = "" if row.difference is None else f"{row.difference:+.3g}"
        table.add_row(case, model, row.measure, paper, f"{row.ours:.5g}{spread}", difference)
    return table
