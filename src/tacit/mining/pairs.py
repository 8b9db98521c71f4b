"""Pairs: exclusions, implications, "one of two", from the Gram matrix, each against chance, and few of them.

Of two 0/1 columns, one of the four combinations never occurs. Gram entries count all four: n_ij, n_i − n_ij, n_j − n_ij
and n − n_i − n_j + n_ij. A combination that is missing where independent columns would have shown it
ln(4·C(d, 2)) + margin times or more is a rule: a clause of two literals.
"""

from __future__ import annotations

from math import log

import numpy as np

from tacit.data import IntArray
from tacit.mining import chance
from tacit.mining.activity import pairs_apart
from tacit.mining.clauses import Clauses
from tacit.mining.tally import Tally
from tacit.rules import RuleSet

MOST = 100_000  # candidates, the strongest first


def pairs(tally: Tally, known: RuleSet, margin: float = chance.MARGIN) -> IntArray:
    """Rows `[a, −b]` of `a·y ≤ b` that the known rules and each other do not imply, by unit propagation.

    The strongest come first, and exclusions that meet in cliques are joined to "at most one of".
    """
    n = tally.n
    counts = tally.gram[-1, :-1].astype(np.int64)
    columns = np.flatnonzero((np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0))
    columns = columns[(counts[columns] > 0) & (counts[columns] < n)]
    d, width = len(columns), tally.gram.shape[0] - 1
    if d < 2:
        return np.zeros((0, width + 1), np.int64)
    both = tally.gram[np.ix_(columns, columns)]
    one = counts[columns]
    share = one / n
    trials = n if tally.symmetry is None else tally.symmetry.pair_trials()[np.ix_(columns, columns)]
    least = log(4 * d * (d - 1) / 2) + margin
    clauses = Clauses.of(known, width)
    for first, second in pairs_apart(known, width):
        clauses.add(first, second)
    candidates: list[tuple[float, int, int, int, int]] = []
    upper = np.triu(np.ones((d, d), bool), 1)
    for kind, missing, likely in (
        (0, both == 0, np.outer(share, share)),
        (1, both == one[:, None], np.outer(share, 1 - share)),
        (2, both == one[None, :], np.outer(1 - share, share)),
        (3, n - one[:, None] - one[None, :] + both == 0, np.outer(1 - share, 1 - share)),
    ):
        expected = trials * likely
        for i, j in np.argwhere(upper & missing & (expected >= least)).tolist():
            a, b = int(columns[i]), int(columns[j])
            first = 2 * a + (kind in (2, 3))  # literals that cannot both be true: 2j for y_j, 2j + 1 for its negation
            second = 2 * b + (kind in (1, 3))
            # implications before exclusions of equal strength: one of them often says what several exclusions do
            candidates.append((-float(expected[i, j]), kind == 0, a, first, second))
    candidates.sort(key=lambda c: (c[1], c[0], c[2:]))
    chosen: list[tuple[int, int]] = []
    for *_, first, second in candidates[:MOST]:
        if not clauses.apart(first, second):
            clauses.add(first, second)
            chosen.append((first, second))
    for first, second in list(chosen):  # a strong rule can follow from weaker ones that came after it
        clauses.drop(first, second)
        if clauses.apart(first, second):
            chosen.remove((first, second))
        else:
            clauses.add(first, second)
    return _rows(_joined(chosen, clauses), width)


def _joined(chosen: list[tuple[int, int]], clauses: Clauses) -> list[tuple[int, ...]]:
    """Exclusions joined to cliques of literals that are pairwise apart; each exclusion ends up in one row."""
    waiting = set(chosen)
    sets: list[tuple[int, ...]] = []
    for first, second in chosen:
        if (first, second) not in waiting:
            continue
        clique = [first, second]
        if first % 2 == 0 and second % 2 == 0:
            rivals = [b for a, b in chosen if a == first and (a, b) in waiting and b % 2 == 0]
            for literal in rivals:
                if literal not in clique and all(clauses.stated(member, literal) for member in clique):
                    clique.append(literal)
        waiting -= {(a, b) for a in clique for b in clique}
        sets.append(tuple(sorted(clique)))
    return sets


def _rows(sets: list[tuple[int, ...]], width: int) -> IntArray:
    """Σ literals ≤ 1 as rows over [y, 1]."""
    rows = np.zeros((len(sets), width + 1), np.int64)
    for row, literals in zip(rows, sets, strict=True):
        row[-1] = -1
        for literal in literals:
            negated = literal & 1
            row[literal >> 1] += -1 if negated else 1
            row[-1] += negated
    return rows
