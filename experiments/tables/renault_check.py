"""Car sales as an analyst would watch them: mine nine folds, check the tenth, and explain damaged sales.

A damaged sale is a held-out sale with one cell changed so that the manufacturer's constraints forbid it.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pyarrow as pa

import unwritten
from experiments import datasets
from experiments.figures import figure
from experiments.manufacturer import Manufacturer
from experiments.result import Result, RunContext
from experiments.xcsp import Network
from unwritten.data import IntArray
from unwritten.review import Findings, explain
from unwritten.tables import open_table

MINED, HELD, DAMAGED = "mining", "held-out sales", "damaged sales"
SECONDS, SENTENCES, ALARMS = "seconds", "sentences", "false alarms (%)"
FOUND, FIRST, NAMED = "found (%)", "column named in the best repair (%)", "column named in a repair (%)"
CELLS = "cells changed"
MILLISECONDS = "milliseconds to explain"


@dataclass(frozen=True)
class DamagedSale:
    """A sale with one cell changed, and the column of that cell."""

    row: dict[str, str]
    column: str


def run(context: RunContext) -> Result:
    """Hold out every fold once: mine the others, check it, and explain damaged sales from it."""
    result = Result("renault-check", "Watching car sales: false alarms, damage found, repairs")
    columns, values, folds = datasets.renault(context.data)
    network = datasets.renault_constraints(context.data)
    maker = Manufacturer(network, columns)
    rng = np.random.default_rng(context.seed)
    numbers_of_folds = np.unique(folds).tolist()
    numbers: dict[tuple[str, str], list[float]] = {}
    for fold in context.pick(numbers_of_folds[2:4], numbers_of_folds):
        context.say(f"fold {fold}: mining")
        start = perf_counter()
        model = unwritten.mine(unwritten.Table.of(_table(columns, values[folds != fold])))
        _record(numbers, MINED, SECONDS, perf_counter() - start)
        _record(numbers, MINED, SENTENCES, len(model.sentences))
        held_out = values[folds == fold]
        alarms = sum(1 for _ in Findings(model, open_table(_table(columns, held_out))))
        _record(numbers, HELD, ALARMS, 100 * alarms / len(held_out))
        context.say(f"fold {fold}: explaining")
        damages = _damage(held_out, columns, network, maker, context.pick(25, 100), rng)
        _explain(numbers, model, damages)
    for (case, measure), shares in numbers.items():
        spread = float(np.std(shares, ddof=1)) if len(shares) > 1 else None
        result.add("Renault", case, measure, None, float(np.mean(shares)), spread=spread)
    alarms_per_fold = numbers[HELD, ALARMS]
    result.facts["alarms per fold"] = alarms_per_fold
    result.facts["found per fold"] = numbers[DAMAGED, FOUND]
    result.notes += [
        f"Means over {len(alarms_per_fold)} published folds, ± their standard deviation; equal sales share a fold, so "
        f"every held-out sale is of a kind never seen. At most {max(alarms_per_fold):.2f} % of a fold raise a false "
        "alarm (a broken rule or an unknown value).",
        "A damaged sale is a held-out one in which one cell, drawn at random, has another value of the manufacturer's, "
        "such that no van with these values can be made (CP-SAT decides). Shares of repairs are of those found.",
    ]
    _draw(context, result, numbers)
    return result


def _table(columns: list[str], values: np.ndarray[tuple[int, ...], np.dtype[np.str_]]) -> pa.Table:
    return pa.table(dict(zip(columns, values.T.tolist(), strict=True)))


def _record(numbers: dict[tuple[str, str], list[float]], case: str, measure: str, value: float) -> None:
    numbers.setdefault((case, measure), []).append(float(value))


def _damage(
    sales: np.ndarray[tuple[int, ...], np.dtype[np.str_]],
    columns: list[str],
    network: Network,
    maker: Manufacturer,
    count: int,
    rng: np.random.Generator,
) -> list[DamagedSale]:
    """Draw `count` held-out sales and change one cell of each so that the manufacturer forbids them."""
    damages: list[DamagedSale] = []
    while len(damages) < count:
        row = sales[rng.integers(len(sales))].copy()
        k = int(rng.integers(len(columns)))
        others = [str(value) for value in network.domains[columns[k]] if str(value) != row[k]]
        if not others:
            continue
        row[k] = others[int(rng.integers(len(others)))]
        if not maker.allows(row[None])[0]:
            damages.append(DamagedSale(dict(zip(columns, row.tolist(), strict=True)), columns[k]))
    return damages


def _explain(numbers: dict[tuple[str, str], list[float]], model: unwritten.Model, damages: list[DamagedSale]) -> None:
    """Measure how many damaged sales are found, and whether the repairs name the damaged column."""
    named, first, cells, seconds = [], [], [], []
    for damage in damages:
        start = perf_counter()
        explanation = explain(model, damage.row)
        seconds.append(perf_counter() - start)
        if explanation.feasible:
            continue
        repairs = [{change.column for change in repair.changes} for repair in explanation.repairs]
        named.append(any(damage.column in repair for repair in repairs))
        first.append(bool(repairs) and damage.column in repairs[0])
        cells.append(len(repairs[0]) if repairs else 0)
    _record(numbers, DAMAGED, FOUND, 100 * len(named) / len(damages))
    _record(numbers, DAMAGED, FIRST, 100 * float(np.mean(first)))
    _record(numbers, DAMAGED, NAMED, 100 * float(np.mean(named)))
    _record(numbers, DAMAGED, CELLS, float(np.mean(cells)))
    _record(numbers, DAMAGED, MILLISECONDS, 1000 * float(np.median(seconds)))


def _draw(context: RunContext, result: Result, numbers: dict[tuple[str, str], list[float]]) -> None:
    """Draw the damage found and the damage explained rightly, fold by fold."""
    shown = {FOUND: "#7fa6c2", FIRST: "#d9a441"}
    places: IntArray = np.arange(len(numbers[DAMAGED, FOUND]))
    with figure(context, result, "renault-check") as axes:
        for k, (measure, colour) in enumerate(shown.items()):
            axes.bar(places + 0.36 * k - 0.18, numbers[DAMAGED, measure], 0.34, label=measure, color=colour, zorder=2)
        axes.axhline(90, color="black", linestyle="--", linewidth=0.8)
        axes.set_ylim(0, 119)
        axes.set_xticks(places, [str(place) for place in places])
        axes.set_xlabel("fold held out")
        axes.set_ylabel("damaged sales (%)")
        axes.grid(axis="x", visible=False)
        axes.legend(fontsize=8, ncols=2, loc="upper center")
