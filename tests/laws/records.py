"""Random records with rows so rare that a sample misses them: labels, integers, optimal labels, tables and streams.

Every record is drawn from parts that obey rules of one kind. Then a few rows are changed, so that no rule of these
parts holds on all rows, though nearly all rows show it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from laws.label_parts import bits, numbers, optimal
from laws.table_parts import tabled
from unwritten import Table
from unwritten.data import FloatArray, IntArray
from unwritten.options import MINERS

FORMS = {
    "labels": 0.18, "integers": 0.12, "optimal": 0.16, "table": 0.16, "label stream": 0.1, "table stream": 0.1,
    "partitions": 0.02, "noisy labels": 0.08, "noisy table": 0.08,
}  # fmt: skip
"""Where rows come from, and how often."""

SMALL = {
    "LISTED_EXAMPLES": 160, "GROUP_SAMPLE": 12, "LOCAL_EXAMPLES": 12, "LOCAL_SAMPLE": 24,
    "BOUND_LABEL_ENTRIES": 150, "BOUND_MOVES": 200, "CAPACITY_LABELS": 50, "CAPACITY_EXAMPLES": 30,
    "CAPACITY_PSEUDO_LABELS": 300, "CAPACITY_LAST_PSEUDO_LABELS": 300, "CAPACITY_STEPS": 400, "CAPACITY_ATTEMPTS": 1,
    "CAPACITY_FOLD_STEPS": 200, "LIMIT_EXAMPLES": 40, "LIMIT_EXAMPLES_LEAST": 15, "LIMIT_LISTED": 64,
    "LIMIT_QUERIES": 20, "LIMIT_ROUNDS": 2, "LIMIT_SEARCHES": 1, "LIMIT_LABELS_COMPARED": 100, "LIMIT_NEAR_SEEN": 50,
    "LIMIT_WORSE_LABELS": 100, "HABIT_ENTRIES": 200, "MATROID_BATCH": 60, "MATROID_FITTED": 100,
    "COVER_WORK": 1_000_000, "RANK_WORK": 1_000_000, "MISSED_LABELS": 20, "MISSED_EXCHANGES": 50,
    "ANSWER_FOLDS": 2, "ANSWER_QUERIES": 20, "FACT_ROWS": 40, "FACT_QUICK_ROWS": 25, "FACT_SUM_ORDER_ROWS": 25,
    "FACT_MAPPING": 6, "NOISY_FACT_ROWS": 40, "NOISY_FACT_FEWEST": 25, "FOLLOWING_LABELS": 30, "GRAM_CHUNK_ENTRIES": 64,
    "FRAME_BATCH_ROWS": 16, "TABLE_BLOCK_ENTRIES": 300, "RULE_BLOCK_ENTRIES": 64, "NEAR_RULE_LABELS": 40,
    "NEW_VALUE_ROWS": 20, "FACT_TRIALS": 8,
}  # fmt: skip
"""Sizes of samples, folds and blocks so small that most records are beyond them."""


@dataclass(frozen=True)
class Record:
    """What `mine` is called with: the data, the options and smaller budgets; and the rows as one array or table."""

    form: str
    data: Any
    rows: IntArray | Table
    weights: FloatArray | None = None
    options: dict[str, Any] = field(default_factory=dict)
    budgets: dict[str, int] = field(default_factory=dict)

    @property
    def noise(self) -> object:
        """The share of wrong rows that `mine` is told, or "auto"."""
        return self.options.get("noise", 0)


def draw(seed: int, number: int, *, large: bool = False, miner: str | None = None) -> Record:
    """Draw record `number` of a seed; large ones are beyond the true sizes of samples, and one `miner` may be named."""
    rng = np.random.default_rng((seed, number))
    form = str(rng.choice(list(FORMS), p=list(FORMS.values())))
    n = int(rng.integers(6_000, 14_000) if large else rng.integers(20, 400))
    options: dict[str, Any] = {"rules": _miners(rng) if miner is None else miner}
    if rng.random() < 0.3:
        options["confidence"] = float(rng.choice([0.0, 0.5, 0.8]))
    budgets = {} if large else _budgets(rng)
    if form.startswith("noisy"):
        options["noise"] = "auto" if rng.random() < 0.4 else float(rng.choice([0.01, 0.03, 0.1]))
    if form == "optimal":
        rows, weights = optimal(rng, min(n, 8_000))
        return Record(form, rows, rows, weights, options, budgets)
    if form in ("table", "table stream", "noisy table"):
        table = Table.of(tabled(rng, n))
        if form == "table stream":
            options["most_kept"] = _most_kept(rng, n, large)
        return Record(form, table, table, None, options, budgets)
    rows = numbers(rng, n) if form == "integers" or rng.random() < 0.15 else bits(rng, n)
    if form == "label stream":
        options["most_kept"] = _most_kept(rng, n, large)
        parts = np.array_split(rows, max(1, n // (2_000 if large else 17)))
        return Record(form, iter(parts) if rng.random() < 0.2 else parts, rows, None, options, budgets)
    if form == "partitions":
        import dask.array

        budgets = {**budgets, "KEPT_LABEL_ENTRIES": _most_kept(rng, n, large)}
        return Record(
            form, dask.array.from_array(rows, chunks=(-(-n // 3), rows.shape[1])), rows, None, options, budgets
        )
    if form == "labels" and not large and rng.random() < 0.15 and rows.min() >= 0 and rows.max() <= 1:
        options["lifts"] = "pairs"
    if form == "integers" and np.ptp(rows) < 20 and rng.random() < 0.15:
        options["lifts"] = "values"
    return Record(form, rows, rows, None, options, budgets)


def _miners(rng: np.random.Generator) -> object:
    """All miners by evidence, one of them, some of them, or all of them."""
    kind = rng.random()
    if kind < 0.5:
        return "auto"
    if kind < 0.75:
        return str(rng.choice(MINERS))
    return [name for name in MINERS if kind > 0.95 or rng.random() < 0.4] or ["groups"]


def _budgets(rng: np.random.Generator) -> dict[str, int]:
    budgets = SMALL | {"SET_EXAMPLES": int(rng.choice([40, 150]))} if rng.random() < 0.85 else {}
    if rng.random() < 0.15:
        budgets |= {"WIDE_COLUMNS": 6}
    if rng.random() < 0.3:
        budgets |= {"RANK_COLUMNS_LISTED": 3}
    return budgets


def _most_kept(rng: np.random.Generator, n: int, large: bool) -> int:
    return int(rng.integers(8_000, 40_000) if large else rng.integers(60, 12 * n))
