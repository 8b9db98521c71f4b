"""Labels as sets of columns: which columns can be read as sets, a sample to search on, and what was not searched."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.miner import Context
from unwritten.rules.exactly_one import in_exactly_one_rule
from unwritten.tally import Tally


def set_columns(tally: Tally) -> IntArray:
    """The columns that are 0 or 1 in all labels."""
    return np.flatnonzero(((tally.seen == 0) | (tally.seen == 1)).all(axis=0))


def are_sets(tally: Tally) -> bool:
    """True if all columns are 0/1."""
    return bool(len(set_columns(tally)) == tally.seen.shape[1])


@dataclass(frozen=True, eq=False)
class SetLabels:
    """The 0/1 columns of labels: their places, and a tally of them alone."""

    columns: IntArray
    tally: Tally

    @classmethod
    def of(cls, tally: Tally) -> SetLabels:
        """The 0/1 columns of a tally; other columns do not matter to sets."""
        columns, width = set_columns(tally), tally.seen.shape[1]
        if len(columns) == width:
            return cls(columns, tally)
        places = np.append(columns, width)
        return cls(columns, replace(tally, seen=tally.seen[:, columns], gram=tally.gram[np.ix_(places, places)]))

    def over_all_columns(self, rows: IntArray, width: int) -> IntArray:
        """Rows `[a, −b]` over the 0/1 columns as rows over all columns."""
        wide = np.zeros((len(rows), width + 1), np.int64)
        wide[:, self.columns], wide[:, -1] = rows[:, :-1], rows[:, -1]
        return wide


def too_wide(what: str, columns: int, context: Context) -> str | None:
    """Say that a miner had too many columns; None if nobody named it and every column is in an exactly-one group.

    Sets are mostly found among columns that are in no such group.
    """
    width = context.tally.seen.shape[1]
    free = np.setdiff1d(set_columns(context.tally), np.flatnonzero(in_exactly_one_rule(context.stated)[:width]))
    varying = context.tally.seen[:, free] != context.tally.seen[:1, free]
    if context.options.automatic and varying.any(axis=0).sum() < 2:
        return None
    return (
        f"{what} were not searched for, because {columns:,} 0/1 columns are more than "
        f"{budgets.SET_COLUMNS}: mine fewer columns at a time to find them"
    )


def sampled_sets(tally: Tally) -> IntArray:
    """At most `budgets.SET_EXAMPLES` random labels, repeated as often as they were seen, in random order."""
    counts, rng = np.maximum(1, tally.counts), np.random.default_rng(0)  # images under symmetries have count 0
    total = int(counts.sum())
    if total <= budgets.LISTED_EXAMPLES:
        chosen = rng.permutation(np.repeat(np.arange(len(counts)), counts))[: budgets.SET_EXAMPLES]
    else:
        places = rng.choice(total, budgets.SET_EXAMPLES, replace=False)
        chosen = np.searchsorted(np.cumsum(counts), places, side="right")
    return np.asarray(tally.seen[chosen], np.int64)


def examples_for_matroids(width: int) -> int:
    """How many weighted examples to keep for the matroid miner if the rest stay on disk or on a cluster.

    Matroids are not searched for above `budgets.SET_COLUMNS` columns; one example is kept because there must be one.
    """
    return budgets.SET_EXAMPLES if width <= budgets.SET_COLUMNS else 1
