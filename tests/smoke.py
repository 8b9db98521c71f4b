"""Mine and decide something small with every search that is compiled: `python tests/smoke.py`.

The checks of a new wheel and the tests of read-only systems run it. It ends with an error if a result is wrong.
"""

from __future__ import annotations

import sys

import numpy as np

import unwritten
from unwritten.samples import sudoku, trees

NODES, BOX = 5, 2


def spanning_trees() -> None:
    """Mine spanning trees with each miner of sets, and find the best tree for new weights with each engine."""
    weights, labels = trees.sample(NODES, n=200, seed=0)
    new, best = trees.sample(NODES, n=20, seed=1)
    model = unwritten.mine(labels, weights, rules=["equalities", "matroid", "covers", "ranks"])
    expect(model.matroid is not None, "no matroid was mined")
    expect(bool(model.check(best).feasible.all()), "a spanning tree breaks a mined rule")
    for engine in ("greedy", "best-first", "lazy"):
        expect(bool((model.predict(new, engine=engine) == best).all()), f"engine {engine!r} found a wrong tree")


def small_sudoku() -> None:
    """Mine Sudoku of side 4 from solved grids, and solve puzzles."""
    grids = np.unique(sudoku.large_grids(400, seed=0, box=BOX), axis=0)
    model = unwritten.mine(sudoku.one_hot(grids[::2]), rules=["groups", "equalities", "pairs"])
    expect(all(model.rules.implies(row, 1) for row in sudoku.true_rules(BOX * BOX)), "a rule was not mined")
    wanted = sudoku.one_hot(grids[1::2][:5])
    for engine in ("groups", "best-first"):
        expect(bool((model.predict(wanted, engine=engine) == wanted).all()), f"engine {engine!r} found a wrong grid")


def expect(holds: bool, message: str) -> None:
    """End the process with a message if something does not hold."""
    if not holds:
        sys.exit(f"{message}, with {unwritten.__file__}")


if __name__ == "__main__":
    spanning_trees()
    small_sudoku()
