"""Reliability: of the rules stated with some confidence, what share holds on labels that were not mined?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

import unwritten
from experiments.calibration.aside import FAMILIES_ASIDE
from experiments.calibration.draws import with_company
from experiments.calibration.families import FAMILIES
from experiments.calibration.outcomes import Outcome, outcomes
from unwritten.errors import DataError
from unwritten.tables.column_types import TooManyLevelsError

#: the lower ends of the bins of stated confidence; 0.95 is asked, but what follows from rules may be less sure
EDGES = (0.0, 0.95, 0.97, 0.99, 0.999)
FRESH = 20_000
SIZES = (50, 100, 200, 500)


@dataclass(frozen=True)
class Bin:
    """Rules whose stated confidence lies between two edges: what they state, and what was observed."""

    low: float
    high: float
    rules: int
    stated: float
    observed: float
    sources: int
    observed_by_source: float  # each source counts the same, whatever its number of rules

    @property
    def name(self) -> str:
        """The edges, as a row of a table names them."""
        if self.low == 0:
            return f"below {self.high:g}"
        return f"{self.low:g} to {self.high:g}" if self.high < 1 else f"{self.low:g} and more"

    @property
    def gap(self) -> float:
        """How far the observed share falls short of the stated one."""
        return self.stated - self.observed


def bins_of(found: Iterable[Outcome], edges: tuple[float, ...] = EDGES) -> list[Bin]:
    """Sort outcomes into bins of stated confidence; empty bins are left out."""
    listed = list(found)
    made = []
    for low, high in zip(edges, (*edges[1:], 1.0), strict=True):
        inside = [o for o in listed if low <= o.confidence < high or (high == 1.0 and o.confidence == 1.0)]
        if inside:
            holds = np.array([o.holds for o in inside], float)
            names = np.array([o.source for o in inside])
            means = [holds[names == name].mean() for name in np.unique(names)]
            stated = float(np.mean([o.confidence for o in inside]))
            made.append(Bin(low, high, len(inside), stated, float(holds.mean()), len(means), float(np.mean(means))))
    return made


def family_outcomes(
    name: str, seed: tuple[int, ...], sizes: tuple[int, ...] = SIZES, fresh: int = FRESH
) -> list[Outcome]:
    """Draw one problem of a family, mine it from several numbers of labels, and test every rule on fresh labels."""
    rng = np.random.default_rng([*seed, *name.encode()])
    draw = (FAMILIES | FAMILIES_ASIDE)[name](rng)
    if seed[-1] % 2:  # every other problem has columns that only follow others
        draw = with_company(draw, int(rng.integers(1, 7)), rng)
    pool, test = draw(max(sizes), rng), draw(fresh, rng)
    return [each for size in sizes for each in outcomes(name, unwritten.mine(pool[:size], progress=False), test)]


def table_outcomes(name: str, table: pa.Table, rows: int, seed: tuple[int, ...]) -> list[Outcome]:
    """Mine some rows of a table, drawn at random and kept in their order, and test every rule on all other rows."""
    order = np.random.default_rng([*seed, *name.encode()]).permutation(len(table))
    model = mined_table(table.take(np.sort(order[:rows])))
    if model.schema is None:
        raise DataError(f"{name!r} was not mined as a table: give a table")
    held = model.schema.encode(table.take(order[rows:]))
    widths = [column.width for column in model.schema.used]
    return outcomes(name, model, held.labels, np.repeat(held.unknown, widths, axis=1))


def mined_table(table: pa.Table) -> unwritten.Model:
    """Mine a table as a user would; columns with too many values are left out, as the error proposes."""
    skipped: dict[str, str] = {}
    while True:
        try:
            return unwritten.mine(unwritten.Table.of(table, skipped), progress=False)
        except TooManyLevelsError as error:
            skipped |= dict.fromkeys(error.names, "skip")
