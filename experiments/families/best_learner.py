"""What 500 knapsacks can say at most.

    python -m experiments.families.best_learner [--seeds 3] [--n 500] [--rounds 60000]

A learner is told that all labels which fit are equally likely, and that sizes are whole numbers up to 300. It counts
exactly how many labels each row allows, walks over the rows as likely as the examples make them, and refuses a label if
too few of the rows allow it. No learner that accepts as many solutions can refuse more on average. One that states a
single row, and that knows neither how likely labels are nor how large sizes, refuses less.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np

from experiments.families.measure import trial
from unwritten.data import FloatArray, IntArray

LARGEST = 300  # size
STEP = LARGEST / 19  # the largest change of a size in the cold walk; in hot ones up to three times as much
HEATS = (1.0, 0.75, 0.55, 0.4, 0.3, 0.22, 0.16, 0.12)  # powers of the likelihood; the hot walks find new places
SPREAD = 0.6  # share of the steps that change two sizes
EVERY = 20  # rounds between two rows that vote
VOTES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4)


@dataclass(frozen=True, eq=False)
class Walker:
    """Sizes, the capacity that the examples need, and the logarithm of their likelihood."""

    sizes: IntArray
    capacity: int
    likelihood: float

    @classmethod
    def of(cls, sizes: IntArray, labels: IntArray) -> Walker:
        """The walker at these sizes."""
        capacity = int((labels @ sizes).max())
        return cls(sizes, capacity, -len(labels) * float(np.log(_fitting(sizes, capacity))))


def main() -> None:
    """Vote on the labels of some knapsacks, and print how many are accepted and rejected."""
    parser = argparse.ArgumentParser(prog="python -m experiments.families.best_learner")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=60_000)
    given = parser.parse_args()
    shares = np.array([_shares(seed, given.n, given.rounds) for seed in range(given.seeds)]).mean(axis=0)
    sys.stdout.write("rows that must allow a label   accepted   rejected\n")
    for vote, (accepted, rejected) in zip(VOTES, shares, strict=True):
        sys.stdout.write(f"{vote:30.0%}   {accepted:8.4f}   {rejected:8.4f}\n")


def _shares(seed: int, n: int, rounds: int) -> FloatArray:
    """For each vote, the shares of fresh solutions accepted, and of infeasible neighbours rejected."""
    case = trial("knapsack", "0/1", seed, 10_000)
    rows = _likely(case.train[:n], rounds, np.random.default_rng(seed))
    allowed, near = (
        np.mean([labels @ row.sizes <= row.capacity for row in rows], axis=0) for labels in (case.fresh, case.stepped)
    )
    return np.array([[(allowed >= vote).mean(), (near < vote).mean()] for vote in VOTES])


def _likely(labels: IntArray, rounds: int, rng: np.random.Generator) -> list[Walker]:
    """Rows as often as they are likely (parallel tempering); the first fifth of the walk is left out."""
    start = LARGEST * (1.1 - labels.mean(axis=0))
    walkers = [Walker.of(np.clip(np.rint(start), 1, LARGEST).astype(np.int64), labels) for _ in HEATS]
    kept = []
    for turn in range(rounds):
        for k, heat in enumerate(HEATS):
            moved = _moved(walkers[k], labels, heat, rng)
            if moved and np.log(rng.random()) < heat * (moved.likelihood - walkers[k].likelihood):
                walkers[k] = moved
        k = int(rng.integers(len(HEATS) - 1))
        gain = walkers[k + 1].likelihood - walkers[k].likelihood
        if np.log(rng.random()) < (HEATS[k] - HEATS[k + 1]) * gain:
            walkers[k : k + 2] = walkers[k + 1], walkers[k]
        if 5 * turn > rounds and turn % EVERY == 0:
            kept.append(walkers[0])
    return kept


def _moved(walker: Walker, labels: IntArray, heat: float, rng: np.random.Generator) -> Walker | None:
    """The walker with one or two other sizes; None if they are no sizes."""
    sizes, step = walker.sizes.copy(), round(STEP * (3 - 2 * heat))
    for _ in range(1 + int(rng.random() < SPREAD)):
        sizes[rng.integers(len(sizes))] += rng.integers(1, step + 1) * rng.choice((-1, 1))
    return Walker.of(sizes, labels) if sizes.min() >= 1 and sizes.max() <= LARGEST else None


def _fitting(sizes: IntArray, capacity: int) -> float:
    """How many sets of things fit."""
    sets = np.zeros(capacity + 1)  # sets of each sum
    sets[0] = 1.0
    for size in sizes.tolist():
        if size <= capacity:
            sets[size:] += sets[: capacity + 1 - size].copy()
    return float(sets.sum())


if __name__ == "__main__":
    main()
