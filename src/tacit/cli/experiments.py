"""`tacit demo` and `tacit reproduce`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.status import Status
from rich.table import Table

from tacit.experiments.registry import EXPERIMENTS, PAPER, experiment

if TYPE_CHECKING:
    from tacit.experiments.paper import Result


def demo(
    grids: Annotated[int, typer.Option(min=2, help="How many solved grids to learn from (about 80 are enough).")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the generator.")] = 0,
) -> None:
    """Learn Sudoku from solved grids alone, then solve puzzles that are hard for people.

    Example: tacit demo --grids 200
    """
    from tacit.experiments import demo as story
    from tacit.experiments import sudoku

    out, progress = Console(highlight=False, soft_wrap=True), Console(stderr=True)
    with progress.status(f"generating and mining {grids} solved grids"):
        learned = story.learn(grids, seed)
    model = learned.model
    out.print(f"{grids} solved grids as 0/1 labels of 729 variables, generated in {learned.generating:.1f} s.")
    out.print("Nothing else is known: no rows, no columns, no boxes, not even that it is a puzzle.\n")
    out.print(f"Mined {len(model.rules)} rules in {learned.mining:.2f} s, in exact integer arithmetic. Some of them:")
    step = max(1, len(model.rules) // 4)
    for rule in list(model.rules)[::step][:5]:
        out.print(f"  {rule.text}", markup=False)
    verdict = "yes, exactly" if learned.same_as_sudoku else "no: that takes more grids (about 80)"
    out.print(f"Are they the rules of Sudoku, no less and no more (all 324, both directions)? {verdict}.\n")
    for solved in story.solve(learned, seed):
        decision = solved.decision
        out.print(f"{solved.title}: {decision.status} in {1000 * solved.seconds:.0f} ms by {decision.engine}")
        out.print(sudoku.draw(solved.puzzle, solved.solution), markup=False)
        right = "the puzzle's only solution" if solved.only_one else "NOT the puzzle's solution"
        clues = int((solved.puzzle > 0).sum())
        out.print(f"{decision.value:.0f} of {clues} clues kept; {right}.")
        out.print(f"Proof: {_proof_in_words(decision.proof, decision.gap)}.\n")
    out.print("Clues stand bare; a dot marks what was filled in.")


def reproduce(
    name: Annotated[str, typer.Argument(help=f"{', '.join(EXPERIMENTS)}, or all (the paper's).")],
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: a minute instead of up to an hour.")] = False,
    out: Annotated[Path, typer.Option(help="Directory for results.json and figures.")] = Path("reproduction"),
    seed: Annotated[int, typer.Option(min=0, help="Seed of every random choice.")] = 0,
    data: Annotated[Path | None, typer.Option(help="Directory of the data sets (or set TACIT_DATA).")] = None,
) -> None:
    """Re-run a table or figure of the paper and print it beside the paper's numbers.

    Example: tacit reproduce sizes --quick --out results
    """
    from tacit.experiments.paper.result import Context

    console, progress = Console(highlight=False), Console(stderr=True)
    chosen = list(PAPER) if name == "all" else [name]
    runs = [experiment(each) for each in chosen]
    results = []
    for each, run in zip(chosen, runs, strict=True):
        with progress.status(each) as status:
            context = Context(out / each, quick, seed, data, say=partial(_show, status, each))
            result = run(context)
        path = result.save(context)
        console.print(result_table(result))
        for note in result.notes:
            console.print(f"  {note}", markup=False)
        console.print(f"  {path}\n", markup=False)
        results.append((result, path))
    if name == "all":
        from tacit.experiments.paper.page import write_page

        console.print(f"{write_page(out, [path for _, path in results])}", markup=False)


def _show(status: Status, name: str, line: str) -> None:
    status.update(f"{name}: {line}")


def result_table(result: Result) -> Table:
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


def _proof_in_words(proof: str | None, gap: float) -> str:
    match proof:
        case "data":
            return "by the data alone, for a seen grid attains the most that any label could"
        case "rules":
            return "optimal if the mined rules hold, for a seen grid attains their maximum"
        case _:
            return (
                "obeys every mined rule and keeps every clue; no seen grid does, so the data alone does not prove it "
                f"(the best seen grid misses {gap:.0f} clues)"
            )
