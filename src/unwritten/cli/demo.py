"""`unwritten demo`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console


def demo(
    grids: Annotated[int, typer.Option(min=2, help="How many solved grids to learn from (about 80 are enough).")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the generator.")] = 0,
) -> None:
    """Learn Sudoku from solved grids alone, then solve puzzles that are hard for people.

    Example: unwritten demo --grids 200
    """
    from unwritten.samples import demo as story
    from unwritten.samples import sudoku

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
