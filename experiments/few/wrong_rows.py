"""Wrong rows among the examples: are the rules still mined, and are the wrong rows named?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np

import unwritten
from experiments import datasets
from experiments.result import Result, RunContext
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku

Noise = float | Literal["auto"]
Spoil = Callable[[IntArray, IntArray, np.random.Generator], None]


def flip_bits(labels: IntArray, rows: IntArray, rng: np.random.Generator) -> None:
    """Flip one to three bits of each of the given rows."""
    for i in rows:
        bits = rng.choice(labels.shape[1], rng.integers(1, 4), replace=False)
        labels[i, bits] = 1 - labels[i, bits]


def mix_rows(labels: IntArray, rows: IntArray, rng: np.random.Generator) -> None:
    """Replace each of the given rows by a random mixture of two others."""
    original = labels.copy()
    for i in rows:
        a, b = rng.choice(len(labels), 2, replace=False)
        labels[i] = np.where(rng.random(labels.shape[1]) < 0.5, original[a], original[b])


def add_class(labels: IntArray, rows: IntArray, rng: np.random.Generator) -> None:
    """Add a random class to each of the given rows."""
    for i in rows:
        labels[i, rng.choice(np.flatnonzero(labels[i] == 0))] = 1


SPOILS: dict[str, Spoil] = {"flipped bits": flip_bits, "mixtures": mix_rows, "an extra class": add_class}


@dataclass(frozen=True)
class SpoiltPaths:
    """One way to spoil a share of the label paths, and the value of `noise=` that the miner gets."""

    kind: str
    share: float
    noise: Noise

    def spoil(self, labels: IntArray, seed: int) -> IntArray:
        """Return a copy of the labels with the share of rows spoilt."""
        rng = np.random.default_rng(seed)
        spoilt = labels.copy()
        rows = rng.choice(len(labels), int(self.share * len(labels)), replace=False)
        SPOILS[self.kind](spoilt, rows, rng)
        return spoilt


def run(context: RunContext) -> Result:
    """Mine grids in which two cells were exchanged, and label paths that were spoilt in three ways."""
    result = Result("noise", "Rules from examples some of which are wrong")
    seeds = range(context.seed, context.seed + context.pick(1, 5))
    grids = _grids(context, result)
    shares: tuple[Noise, ...] = (0.05, "auto")
    for noise in shares:
        _mine_grids(context, result, grids, noise, seeds)
    try:
        _, labels, names = datasets.imclef("train", context.data)
    except DataError as error:
        result.notes.append(f"ImCLEF07A is left out: {error}.")
    else:
        truth = unwritten.mine(labels, rules=["equalities"], names=names)
        for kind in SPOILS:
            for share in context.pick((0.05,), (0.01, 0.05)):
                for noise in context.pick((share,), (share, "auto")):
                    _mine_paths(context, result, labels, truth, SpoiltPaths(kind, share, noise), seeds)
    return result


def _grids(context: RunContext, result: Result) -> IntArray:
    """Read SATNet's grids, or generate grids if that file is absent."""
    try:
        return datasets.satnet(context.data)[1]
    except DataError:
        result.notes.append("Generated grids: SATNet's file is absent.")
        return sudoku.grids(context.pick(500, 2_500), context.seed)


def _mine_grids(context: RunContext, result: Result, grids: IntArray, noise: Noise, seeds: range) -> None:
    """Mine 2,000 grids; in 5 % of them two cells with different digits were exchanged."""
    n = context.pick(400, 2_000)
    exact, named, seconds = 0, 0, []
    for seed in seeds:
        context.say(f"Sudoku, noise={noise}, seed {seed}")
        rng = np.random.default_rng(seed)
        examples = grids[rng.choice(len(grids), n, replace=False)].copy()
        is_wrong = rng.random(n).argsort() < n // 20
        for i in np.flatnonzero(is_wrong):
            a = rng.integers(81)
            b = rng.choice(np.flatnonzero(examples[i] != examples[i, a]))
            examples[i, [a, b]] = examples[i, [b, a]]
        start = perf_counter()
        model = unwritten.mine(sudoku.one_hot(examples), noise=noise)
        seconds.append(perf_counter() - start)
        truth = unwritten.RuleSet.of(model.variables, [(row, "==", 1) for row in sudoku.true_rules()])
        exact += model.rules.compare(truth).same
        named += np.array_equal(np.sort(model.suspects), np.flatnonzero(is_wrong))
    case = f"Sudoku, {n:,} grids, 5 % wrong"
    result.add(case, f"noise={noise}", "seeds with exactly the rules, %", None, 100 * exact / len(seeds))
    result.add(case, f"noise={noise}", "seeds with exactly the wrong grids named, %", None, 100 * named / len(seeds))
    result.add(case, f"noise={noise}", "s to mine", None, float(np.mean(seconds)), spread=float(np.std(seconds)))
    result.facts[f"Sudoku, noise={noise}"] = {"exact": exact, "named": named, "seeds": len(seeds)}


def _mine_paths(
    context: RunContext, result: Result, labels: IntArray, truth: unwritten.Model, spoilt: SpoiltPaths, seeds: range
) -> None:
    """Measure precision and recall of the hierarchy's equalities, and which of the spoilt rows are named."""
    precision, recall, wrong_rows_named, right_rows_named = [], [], [], 0
    for seed in seeds:
        context.say(f"ImCLEF07A, {spoilt.kind}, {spoilt.share:.0%}, noise={spoilt.noise}, seed {seed}")
        examples = spoilt.spoil(labels, seed)
        model = unwritten.mine(examples, names=truth.variables.names, noise=spoilt.noise)
        mined = model.rules.equalities
        precision.append(100 * float(truth.rules.implied(mined.rows).mean()) if len(mined) else 0.0)
        recall.append(100 * float(mined.implied(truth.rules.rows).mean()))
        is_wrong = np.asarray(truth.rules.violations(examples).any(axis=1))
        wrong_rows_named.append(100 * float(np.isin(np.flatnonzero(is_wrong), model.suspects).mean()))
        right_rows_named += int((~is_wrong[model.suspects]).sum())
    case, setting = f"ImCLEF07A, {spoilt.share:.0%} wrong by {spoilt.kind}", f"noise={spoilt.noise}"
    measures = {"precision %": precision, "recall %": recall, "wrong rows named %": wrong_rows_named}
    for measure, values in measures.items():
        result.add(case, setting, measure, None, float(np.mean(values)), spread=float(np.std(values)))
    result.add(case, setting, "right rows named", None, right_rows_named / len(seeds))
    result.facts[f"{case}, {setting}"] = {"precision": precision, "recall": recall}
