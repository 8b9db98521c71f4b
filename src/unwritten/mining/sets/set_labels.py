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
    """The columns that are 0 or 1 in all labels: for integers, y² = y only then."""
    return np.flatnonzero(np.diag(tally.gram)[:-1] == tally.gram[-1, :-1])


def are_sets(tally: Tally) -> bool:
    """True if all columns are 0/1."""
    return bool(len(set_columns(tally)) == tally.seen.shape[1])


@dataclass(frozen=True, eq=False)
class SetLabels:
    """The 0/1 columns of labels that sets are searched in: their places, and a tally of them alone."""

    columns: IntArray
    tally: Tally

    @classmethod
    def of(cls, context: Context) -> SetLabels:
        """All 0/1 columns; if they are too many, those in no exactly-one group, because most sets are among these."""
        tally = context.tally
        columns, width = set_columns(tally), tally.seen.shape[1]
        if len(columns) > budgets.SET_COLUMNS:
            columns = np.setdiff1d(columns, np.flatnonzero(in_exactly_one_rule(context.stated)[:width]))
        if len(columns) == width:
            return cls(columns, tally)
        places = np.append(columns, width)
        narrow = replace(tally, seen=tally.seen[:, columns], gram=tally.gram[np.ix_(places, places)])
        return cls(columns, narrow)

    def too_wide(self, what: str, context: Context) -> str | None:
        """Say what was not searched for; None if all columns were searched, or all but those in groups by default."""
        total, searched = len(set_columns(context.tally)), len(self.columns)
        if searched == total <= budgets.SET_COLUMNS:
            return None
        cure = "mine fewer columns at a time to find them"
        if searched > budgets.SET_COLUMNS:
            return (
                f"{what} were not searched for, because {searched:,} 0/1 columns are more than "
                f"{budgets.SET_COLUMNS}: {cure}"
            )
        if context.options.automatic:
            return None
        return (
            f"{what} were searched for only among the {searched:,} columns in no exactly-one group, because {total:,} "
            f"0/1 columns are more than {budgets.SET_COLUMNS}: {cure}"
        )

    def over_all_columns(self, rows: IntArray, width: int) -> IntArray:
        """Rows `[a, −b]` over the 0/1 columns as rows over all columns."""
        wide = np.zeros((len(rows), width + 1), np.int64)
        wide[:, self.columns], wide[:, -1] = rows[:, :-1], rows[:, -1]
        return wide


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
