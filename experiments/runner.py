"""Run experiments by name and print their results: `unwritten reproduce` calls these functions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.console import Console
from rich.status import Status
from rich.table import Table

from experiments.registry import EXPERIMENTS, PAPER, load_experiment
from experiments.result import Result, RunContext
from experiments.results_page import write_page


def print_names() -> None:
    """Print the name of every experiment and what it shows."""
    console = Console(highlight=False)
    for name, experiment in EXPERIMENTS.items():
        console.print(f"{name:<18} {experiment.title}", markup=False)


def run_and_print(name: str, *, quick: bool, out: Path, seed: int, data: Path | None) -> None:
    """Run one experiment, or those of the paper for `all`, and print a table for each.

    Every experiment saves its results in a directory of its name below `out`; `all` also writes `out/index.html`.
    """
    console, status_line = Console(highlight=False), Console(stderr=True)
    functions = {each: load_experiment(each) for each in (PAPER if name == "all" else [name])}
    paths = []
    for each, run in functions.items():
        with status_line.status(each) as status:
            context = RunContext(out / each, quick, seed, data, say=partial(_show_step, status, each))
            result = run(context)
        path = result.save(context)
        console.print(table_of(result))
        for note in result.notes:
            console.print(f"  {note}", markup=False)
        console.print(f"  {path}\n", markup=False)
        paths.append(path)
    if name == "all":
        console.print(f"{write_page(out, paths)}", markup=False)


def table_of(result: Result) -> Table:
    """Format the rows of a result as a table: the paper's number, ours and the difference."""
    table = Table(title=result.title, title_justify="left")
    for heading in ("case", "model", "measure"):
        table.add_column(heading)
    for heading in ("paper", "ours", "difference"):
        table.add_column(heading, justify="right")
    previous = ("", "")
    for row in result.rows:
        if row.case != previous[0] and previous[0]:
            table.add_section()
        case = "" if row.case == previous[0] else row.case
        model = "" if (row.case, row.model) == previous else row.model
        previous = (row.case, row.model)
        spread = f" ± {row.spread:.2g}" if row.spread is not None else ""
        paper = "–" if row.paper is None else f"{row.paper:.5g}"
        difference = "" if row.difference is None else f"{row.difference:+.3g}"
        table.add_row(case, model, row.measure, paper, f"{row.ours:.5g}{spread}", difference)
    return table


def _show_step(status: Status, name: str, step: str) -> None:
    status.update(f"{name}: {step}")
