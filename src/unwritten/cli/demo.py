"""`unwritten demo`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

SENTENCES_SHOWN = 5


def demo(
    grids: Annotated[
        int, typer.Option(min=2, help="The number of solved grids to learn from; about 80 are enough.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the grid generator.")] = 0,
) -> None:
    """Learn Sudoku from solved grids alone, then solve puzzles that are hard for people.

    Takes nothing: the grids are generated. Prints the mined rules in words, whether they are the rules of Sudoku, and
    four solved puzzles.

    Example: unwritten demo --grids 200
    """
    from unwritten.samples import sudoku, sudoku_demo

    out, status_line = Console(highlight=False, soft_wrap=True), Console(stderr=True)
    with status_line.status(f"generating and mining {grids} solved grids"):
        lesson = sudoku_demo.learn(grids, seed)
    model = lesson.model
    out.print(f"{grids} solved grids as 0/1 labels of 729 variables, generated in {lesson.seconds_generating:.1f} s.")
    out.print("Nothing else is known: no rows, no columns, no boxes, not even that it is a puzzle.\n")
    seconds = lesson.seconds_mining
    out.print(f"Mined {len(model.rules)} rules in {seconds:.2f} s, in exact integer arithmetic. In words:")
    for sentence in model.sentences[:SENTENCES_SHOWN]:
        out.print(f"  {sentence.text}", markup=False)
    verdict = "yes, exactly" if lesson.is_sudoku else "no: that takes more grids (about 80)"
    out.print(f"Do they imply the 324 rules of Sudoku, and do those imply them? {verdict}.\n")
    for solved in sudoku_demo.solve(lesson, seed):
        decision = solved.decision
        out.print(f"{solved.title}: {decision.status} in {1000 * solved.seconds:.0f} ms by {decision.engine}")
        out.print(sudoku.draw(solved.puzzle, solved.solution), markup=False)
        right = "the puzzle's only solution" if solved.is_only_solution else "NOT the puzzle's solution"
        clues = int((solved.puzzle > 0).sum())
        out.print(f"{decision.value:.0f} of {clues} clues kept; {right}.")
        out.print(f"Proof: {_proof_in_words(decision.proof, decision.gap)}.\n")
    out.print("Plain digits are clues; a dot marks a digit that was filled in.")


def _proof_in_words(proof: str | None, gap: float) -> str:
    match proof:
        case "data":
            return "by the data alone: one of the mined grids attains the most that any label could"
        case "rules":
            return "optimal if the mined rules hold: one of the mined grids attains their maximum"
        case _:
            return (
                "it obeys every mined rule and keeps every clue; no mined grid does, so the data alone prove nothing "
                f"(the best mined grid misses {gap:.0f} clues)"
            )
