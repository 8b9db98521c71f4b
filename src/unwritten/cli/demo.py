"""`unwritten demo`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from unwritten.cli.allowed_values import DemoFace
from unwritten.cli.console import say

SENTENCES_SHOWN = 5
ORDERS, TOURS = 400, 300
BAR = "─" * 72


def demo(
    face: Annotated[
        DemoFace, typer.Argument(metavar="FACE", help="What to show: all, table, puzzle or decisions.")
    ] = "all",
    grids: Annotated[
        int, typer.Option(min=2, help="The number of solved grids to learn from; about 80 are enough.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The seed of everything that is generated.")] = 0,
) -> None:
    """Show in ten seconds what is mined: from a table, from solved puzzles, from optimal decisions.

    Takes nothing: the data are generated. Prints the mined rules in words, and what they are good for. `table`,
    `puzzle` or `decisions` shows one of the three, and more of it.

    Example: unwritten demo puzzle --grids 200
    """
    if face in ("all", "table"):
        _table(seed)
    if face in ("all", "puzzle"):
        _puzzle(grids, seed, most=1 if face == "all" else 4)
    if face in ("all", "decisions"):
        _decisions(seed)
    say(f"{BAR}\nNext, with a table of your own: unwritten mine FILE.csv -o FILE.rules")
    say("Or with a generated one:        unwritten sample orders -o orders.csv")


def _table(seed: int) -> None:
    """A table: rules between columns, and a wrong row with its repair."""
    import unwritten
    from unwritten.samples import sample_rows

    say(f"{BAR}\n1. A table: {ORDERS} orders of a web shop\n")
    with Console(stderr=True).status("mining orders"):
        rows = sample_rows("orders", rows=ORDERS, seed=seed)
        model = unwritten.mine(rows)
    say(f"{len(model.sentences)} rules that every row obeys, among them:")
    for kind in ("sum", "order", "key", "exactly-when"):
        for sentence in [s for s in model.sentences if s.kind == kind][-2:]:
            say(f"  {sentence.text}")
    wrong = sample_rows("orders", rows=1, seed=seed + 1)[0]
    wrong["currency"] = "EUR" if wrong["country"] == "US" else "USD"
    say(f"A new order comes from {wrong['country']} and is paid in {wrong['currency']}. What is wrong with it?")
    explanation = model.explain(wrong)
    for line in (*explanation.problems, *(f"change {repair}" for repair in explanation.repairs[:1])):
        say(f"  {line}")
    say("")


def _puzzle(grids: int, seed: int, most: int) -> None:
    """Puzzles: the rules of Sudoku, and puzzles that are solved with them."""
    from itertools import islice

    from unwritten.samples import sudoku, sudoku_demo

    say(f"{BAR}\n2. A puzzle: {grids} solved Sudoku grids\n")
    with Console(stderr=True).status(f"generating and mining {grids} solved grids"):
        lesson = sudoku_demo.learn(grids, seed)
    model = lesson.model
    say(f"{grids} solved grids as 0/1 labels of 729 variables, and nothing else: no rows, no")
    say("columns, no boxes, not even that it is a puzzle.")
    say(f"Mined {len(model.rules)} rules in {lesson.seconds_mining:.1f} s, in exact integer arithmetic. In words:")
    for sentence in model.sentences[:SENTENCES_SHOWN]:
        say(f"  {sentence.text}")
    verdict = "yes, exactly" if lesson.is_sudoku else "no: that takes more grids (about 80)"
    say(f"Do they imply the 324 rules of Sudoku, and do those imply them?\n{verdict}.\n")
    for solved in islice(sudoku_demo.solve(lesson, seed), most):
        decision = solved.decision
        say(f"{solved.title}: {decision.status} in {1000 * solved.seconds:.0f} ms by {decision.engine}")
        say(sudoku.draw(solved.puzzle, solved.solution))
        right = "the puzzle's only solution" if solved.is_only_solution else "NOT the puzzle's solution"
        clues = int((solved.puzzle > 0).sum())
        say(f"{decision.value:.0f} of {clues} clues kept; {right}.")
        say(f"Proof: {_proof_in_words(decision.proof, decision.bound - decision.seen_value)}.\n")
    say("Plain digits are clues; a dot marks a digit that was filled in.\n")


def _decisions(seed: int) -> None:
    """Optimal decisions: the limit that kept people from choosing more, and the best next choice."""
    import numpy as np

    import unwritten
    from unwritten.samples import tours

    say(f"{BAR}\n3. Decisions: what was packed on {TOURS} tours, and what each thing was worth\n")
    with Console(stderr=True).status("mining tours"):
        worth, packed = tours.sample(TOURS, seed)
        model = unwritten.mine(packed, worth, names=tours.names())
    say("Nobody says what anything weighs. The limit that explains every choice:")
    for sentence in model.sentences[:SENTENCES_SHOWN]:
        say(f"  {sentence.text}")
    wishes, best = tours.sample(200, seed + 1)
    same = int((model.predict(wishes) == best).all(axis=1).sum())
    say(f"On {same} of 200 new tours, the mined rules choose what is truly best.")
    decision = model.decide(wishes[:1])[0]
    chosen = ", ".join(name for name, one in zip(tours.names(), np.asarray(decision.label), strict=True) if one)
    say(f"The first: {chosen}.\n")


def _proof_in_words(proof: str | None, missed: float) -> str:
    match proof:
        case "data":
            return "by the data alone: one of the mined grids attains\nthe most that any label could"
        case "rules":
            return "optimal if the mined rules hold: one of the mined grids attains their maximum"
        case _:
            return (
                "it obeys every mined rule and keeps every clue; no mined grid does,\nso the data alone prove nothing "
                f"(the best mined grid misses {missed:.0f} clues)"
            )
