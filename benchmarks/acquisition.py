"""Learn problems from recorded solutions, beside PyConA, which asks: `python -m benchmarks.acquisition [NAME …]`.

PyConA (interactive constraint acquisition) chooses labels and asks whether they are allowed until only one set of
constraints fits the answers. Unwritten reads solutions that someone once chose. Both are tried on PyConA's own
problems. PyConA is installed into an environment of its own, which lies beneath `build/`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import unwritten
from benchmarks.timing import MarkdownTable
from experiments.families.problem import Draw, FamilyProblem, fair
from experiments.families.rows import Row
from experiments.families.space import Space
from unwritten.samples import sudoku

PYCONA = "pycona==0.4.1"
PROBLEMS = ("sudoku4", "queens", "nurses", "exams", "sudoku9")
EXAMPLES = (25, 50, 100, 200, 500, 1_000)
FRESH = 2_000
ACCEPTED, REJECTED = 0.995, 0.99

#: Learns one problem by asking its oracle; prints the work, and the pairs of values that the true constraints forbid.
CHILD = """
import contextlib, itertools, json, sys, time
import pycona
from cpmpy.transformations.get_variables import get_variables
from pycona import benchmarks
make = {
    "sudoku4": lambda: benchmarks.construct_sudoku(2, 2, 4),
    "sudoku9": lambda: benchmarks.construct_sudoku(3, 3, 9),
    "queens": lambda: benchmarks.construct_nqueens_problem(8),
    "nurses": benchmarks.construct_nurse_rostering,
    "exams": benchmarks.construct_examtt_simple,
}
with contextlib.redirect_stdout(sys.stderr):
    instance, oracle = make[sys.argv[1]]()
    variables = list(instance.X)
    place = {variable.name: k for k, variable in enumerate(variables)}
    forbidden = set()
    for constraint in oracle.constraints:
        scope = get_variables(constraint)
        assert len(scope) == 2, constraint
        for values in itertools.product(*(range(each.lb, each.ub + 1) for each in scope)):
            for each, value in zip(scope, values):
                each._value = value
            if not constraint.value():
                forbidden.add(tuple(sorted((place[each.name], value) for each, value in zip(scope, values))))
    start = time.perf_counter()
    algorithm = pycona.GrowAcq()
    learned = algorithm.learn(instance, oracle=oracle, verbose=0)
print(json.dumps({
    "lower": [int(each.lb) for each in variables], "upper": [int(each.ub) for each in variables],
    "names": [each.name for each in variables], "forbidden": sorted(forbidden), "target": len(oracle.constraints),
    "learned": len(learned.cl), "questions": algorithm.env.metrics.total_queries,
    "seconds": time.perf_counter() - start,
}))
"""


def acquisition(names: tuple[str, ...]) -> MarkdownTable:
    """Questions that PyConA asks, and solutions that Unwritten reads, until a problem is known."""
    table = MarkdownTable("Constraints by asking (PyConA) and from recorded solutions (Unwritten)")
    python = _environment(Path("build/peers"))
    for name in names:
        asked = subprocess.run([python, "-c", CHILD, name], check=True, capture_output=True, text=True)
        work = json.loads(asked.stdout)
        table.add(
            problem=name,
            variables=len(work["names"]),
            constraints=work["target"],
            pycona_learned=work["learned"],
            pycona_questions=work["questions"],
            pycona_s=f"{work['seconds']:.1f}",
            **_ours(name, work),
        )
    table.notes.append(
        f"PyConA is {PYCONA}, GrowAcq, with the true constraints as the one who answers. Unwritten mines solutions "
        f"drawn at random, as plain integers; `examples` is the least of {', '.join(map(str, EXAMPLES))} from which it "
        f"accepts {ACCEPTED:.1%} of {FRESH:,} fresh solutions and rejects {REJECTED:.0%} of the infeasible labels one "
        "step from them; – if none does, with the shares of the largest."
    )
    return table


def _environment(folder: Path) -> str:
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", PYCONA], check=True, capture_output=True)
    return str(python)


def _ours(name: str, work: dict[str, Any]) -> dict[str, object]:
    rows = [Row(hits={tuple(one): 1, tuple(other): 1}, most=1) for one, other in work["forbidden"]]
    space = Space.of(len(work["names"]), rows, np.array(work["lower"]), np.array(work["upper"]))
    problem = FamilyProblem(name, tuple(work["names"]), space, draw=_draw(name, space))
    train = problem.values(max(EXAMPLES), np.random.default_rng(1))
    fresh = problem.values(FRESH, np.random.default_rng(2))
    stepped, _ = problem.neighbours(fresh, np.random.default_rng(3))
    stepped = stepped[~problem.allowed(stepped)]
    told: dict[str, object] = {}
    for n, (accepted, rejected, seconds) in _tried(problem, train, fresh, stepped):
        enough = accepted >= ACCEPTED and rejected >= REJECTED
        told = {
            "examples": n if enough else "–", "accepted": f"{accepted:.4f}", "rejected": f"{rejected:.4f}",
            "ours_s": f"{seconds:.2f}",
        }  # fmt: skip
        if enough:
            break
    return told


def _draw(name: str, space: Space) -> Draw | None:
    """How solutions are drawn; walks do not lead from one Sudoku to all others, and queens have 92 solutions."""
    if name == "sudoku9":
        return lambda n, rng: sudoku.grids(n, seed=int(rng.integers(2**31)))
    return fair(space) if name in ("sudoku4", "queens") else None


def _tried(problem: FamilyProblem, train: Any, fresh: Any, stepped: Any) -> Iterator[tuple[int, tuple[float, ...]]]:
    for n in EXAMPLES:
        start = perf_counter()
        model = unwritten.mine(train[:n], names=problem.names, progress=False)
        seconds = perf_counter() - start
        shares = model.check(fresh).feasible.mean(), 1 - model.check(stepped).feasible.mean()
        yield n, (float(shares[0]), float(shares[1]), seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.acquisition")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"problems, of {', '.join(PROBLEMS)}")
    chosen = tuple(parser.parse_args().names) or PROBLEMS
    if unknown := sorted(set(chosen) - set(PROBLEMS)):
        parser.error(f"there is no problem {unknown[0]!r}: use {', '.join(PROBLEMS)}")
    sys.stdout.write(f"{acquisition(chosen)}\n")
