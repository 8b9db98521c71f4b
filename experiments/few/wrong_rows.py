"""Wrong rows among the examples: are the rules still found, and the wrong rows named?"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

import unwritten
from experiments import datasets
from experiments.result import Context, Result
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku

Spoil = Callable[[IntArray, IntArray, np.random.Generator], None]


def run(context: Context) -> Result:
    """Grids with two cells exchanged, and label paths spoilt in three ways."""
    result = Result("noise", "Rules from examples some of which are wrong")
    seeds = range(context.seed, context.seed + context.pick(1, 5))
    grids = _grids(context, result)
    for told in (0.05, "auto"):
        _sudoku(context, result, grids, told, seeds)
    try:
        _, labels, names = datasets.imclef("train", context.data)
    except DataError as error:
        result.notes.append(f"ImCLEF07A is left out: {error}.")
    else:
        truth = unwritten.mine(labels, rules=["equalities"], names=names)
        for kind, spoil in SPOILS.items():
            for share in context.pick((0.05,), (0.01, 0.05)):
                for given in context.pick((share,), (share, "auto")):
                    _paths(context, result, labels, truth, kind, spoil, share, given, seeds)
    return result


def _grids(context: Context, result: Result) -> IntArray:
    try:
        return datasets.satnet(context.data)[1]
    except DataError:
        result.notes.append("Generated grids: SATNet's file is absent.")
        return sudoku.grids(context.pick(500, 2_500), context.seed)


def _sudoku(context: Context, result: Result, grids: IntArray, told: float | str, seeds: range) -> None:
    """2,000 grids, two cells of different digits exchanged in 5 % of them."""
    n = context.pick(400, 2_000)
    exact, named, seconds = 0, 0, []
    for seed in seeds:
        context.say(f"Sudoku, noise={told}, seed {seed}")
        rng = np.random.default_rng(seed)
        some = grids[rng.choice(len(grids), n, replace=False)].copy()
        wrong = rng.random(n).argsort() < n // 20
        for i in np.flatnonzero(wrong):
            a = rng.integers(81)
            b = rng.choice(np.flatnonzero(some[i] != some[i, a]))
            some[i, [a, b]] = some[i, [b, a]]
        start = perf_counter()
        model = unwritten.mine(sudoku.one_hot(some), noise=told)
        seconds.append(perf_counter() - start)
        rules = unwritten.RuleSet.of(model.variables, [(row, "==", 1) for row in sudoku.true_rules()])
        exact += model.rules.compare(rules).same
        named += np.array_equal(model.suspects, np.flatnonzero(wrong))
    case = f"Sudoku, {n:,} grids, 5 % wrong"
    result.add(case, f"noise={told}", "seeds with exactly the rules, %", None, 100 * exact / len(seeds))
    result.add(case, f"noise={told}", "seeds with exactly the wrong grids named, %", None, 100 * named / len(seeds))
    result.add(case, f"noise={told}", "s to mine", None, float(np.mean(seconds)), spread=float(np.std(seconds)))
    result.facts[f"Sudoku, noise={told}"] = {"exact": exact, "named": named, "seeds": len(seeds)}


def _flip(labels: IntArray, rows: IntArray, rng: np.random.Generator) -> None:
    """One to three bits of each row are flipped."""
    for i in rows:
        bits = rng.choice(labels.shape[1], rng.integers(1, 4), replace=False)
        labels[i, bits] = 1 - labels[i, bits]


def _mix(labels: IntArray, rows: IntArray, rng: np.random.Generator) -> None:
    """Each row becomes a random mixture of two other rows."""
    whole = labels.copy()
    for i in rows:
        a, b = rng.choice(len(labels), 2, replace=False)
        labels[i] = np.where(rng.random(labels.shape[1]) < 0.5, whole[a], whole[b])


def _extra(labels: IntArray, rows: IntArray, rng: np.random.Generator) -> None:
    """Each row gets one class more."""
    for i in rows:
        labels[i, rng.choice(np.flatnonzero(labels[i] == 0))] = 1


SPOILS: dict[str, Spoil] = {"flipped bits": _flip, "mixtures": _mix, "an extra class": _extra}


def _paths(
    context: Context,
    result: Result,
    labels: IntArray,
    truth: unwritten.Model,
    kind: str,
    spoil: Spoil,
    share: float,
    told: float | str,
    seeds: range,
) -> None:
    """Precision and recall of the hierarchy's equalities."""
    precision, recall, found, clean = [], [], [], 0
    for seed in seeds:
        context.say(f"ImCLEF07A, {kind}, {share:.0%}, noise={told}, seed {seed}")
        rng = np.random.default_rng(seed)
        spoilt = labels.copy()
        rows = rng.choice(len(labels), int(share * len(labels)), replace=False)
        spoil(spoilt, rows, rng)
        model = unwritten.mine(spoilt, names=truth.variables.names, noise=told)
        mined = model.rules.equalities
        precision.append(100 * float(truth.rules.implied(mined.rows).mean()) if len(mined) else 0.0)
        recall.append(100 * float(mined.implied(truth.rules.rows).mean()))
        breaks = np.asarray(truth.rules.violations(spoilt).any(axis=1))
        found.append(100 * float(np.isin(np.flatnonzero(breaks), model.suspects).mean()))
        clean += int((~breaks[model.suspects]).sum())
    case = f"ImCLEF07A, {share:.0%} wrong by {kind}"
    for measure, values in (("precision %", precision), ("recall %", recall), ("wrong rows named %", found)):
        result.add(case, f"noise={told}", measure, None, float(np.mean(values)), spread=float(np.std(values)))
    result.add(case, f"noise={told}", "right rows named", None, clean / len(seeds))
    result.facts[f"{case}, noise={told}"] = {"precision": precision, "recall": recall}
