"""Find pairs of literals that are never both true, from the Gram matrix, and state as few of them as possible.

A rule of two 0/1 columns says that one of their four combinations never occurs. Gram entries count all four: n_ij,
n_i − n_ij, n_j − n_ij and n − n_i − n_j + n_ij. A combination that never occurs is a rule if independent columns would
have shown it at least ln(4·C(d, 2)) + margin times. A literal is a variable (2j) or its negation (2j + 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.evidence.doubt import WEIGHTS, NearRules
from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.activity import exclusions_by_activity
from unwritten.mining.pairs.clauses import Clauses
from unwritten.options import MinerName
from unwritten.rules import RuleSet
from unwritten.tally.tally import Tally


class PairMiner:
    """Finds pairs of literals that are never both true: exclusions, implications, "one of two"."""

    name: MinerName = "pairs"

    def supports(self, context: Context) -> bool:
        """Always true: labels without 0/1 columns have no pairs."""
        return True

    def run(self, context: Context) -> Mined:
        """Add the pairs that the rules so far do not imply."""
        rows = pair_rows(context.tally, context.stated + context.redundant, context.margin)
        return context.mined.with_rules(context.scored(rows, equality=False))


def pair_rows(tally: Tally, known: RuleSet, margin: float = chance.MARGIN) -> IntArray:
    """Rows `[a, −b]` of `a·y ≤ b` that follow neither from the known rules nor from each other, by unit propagation.

    The rows with most evidence come first. Exclusions between all members of a set are joined to "at most one of".
    """
    counts = tally.gram[-1, :-1].astype(np.int64)
    columns = _binary_columns(tally, counts)
    d, width = len(columns), tally.gram.shape[0] - 1
    if d < 2:
        return np.zeros((0, width + 1), np.int64)
    clauses = Clauses.of(known, width)
    for first, second in exclusions_by_activity(known, width):
        clauses.add(first, second)
    added: list[tuple[int, int]] = []
    for first, second in _candidates(tally, columns, known, _least(d, margin)):
        if not clauses.excludes(first, second):
            clauses.add(first, second)
            added.append((first, second))
    needed: list[tuple[int, int]] = []
    for first, second in added:  # a rule with much evidence can follow from weaker ones that came after it
        clauses.drop(first, second)
        if not clauses.excludes(first, second):
            clauses.add(first, second)
            needed.append((first, second))
    return _rows(_joined(needed, clauses), width)


def near_pairs(tally: Tally, known: RuleSet, margin: float) -> NearRules:
    """The strengths of all pairs that are never both true, and of those that are in one, two or three examples."""
    counts = tally.gram[-1, :-1].astype(np.int64)
    columns = _binary_columns(tally, counts)
    if len(columns) < 2:
        return NearRules.of(np.zeros(0), np.zeros(0), np.zeros(0))
    weight = tally.weight
    found = _rare_pairs(tally, columns, known, _least(len(columns), margin) / weight, int(len(WEIGHTS) / weight))
    rule = found.exceptions == 0
    strengths = weight * found.expected
    return NearRules.of(strengths[rule], strengths[~rule], weight * found.exceptions[~rule])


def _binary_columns(tally: Tally, counts: IntArray) -> IntArray:
    """The 0/1 columns that have both values."""
    columns = np.flatnonzero((np.diag(tally.gram)[:-1] == counts) & (tally.seen.min(axis=0) >= 0))
    return columns[(counts[columns] > 0) & (counts[columns] < tally.n)]


def _least(columns: int, margin: float) -> float:
    """How often chance must show a pair of literals that never occurs: the price of naming the pair, and the margin."""
    return log(4 * columns * (columns - 1) / 2) + margin


def _candidates(tally: Tally, columns: IntArray, known: RuleSet, least: float) -> list[tuple[int, int]]:
    """Pairs of literals that are never both true, though chance would show them at least `least` times.

    Those with most evidence come first, and implications before exclusions: one implication often says what several
    exclusions do. Exclusions between members of a known "exactly one" or "at most one" rule are left out.
    """
    found = _rare_pairs(tally, columns, known, least, 0)
    first = 2 * found.columns[0] + (found.kinds >= 2)  # the two literals that are never both true
    second = 2 * found.columns[1] + (found.kinds % 2 == 1)
    order = np.lexsort((second, first, found.columns[0], -found.expected, found.kinds == 0))[: budgets.PAIR_CANDIDATES]
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _RarePairs:
    """Pairs of literals: how often chance would show them, how many examples do, their kinds and columns (2 × k)."""

    expected: FloatArray
    exceptions: IntArray
    kinds: IntArray
    columns: IntArray


def _rare_pairs(tally: Tally, columns: IntArray, known: RuleSet, least: float, most: int) -> _RarePairs:
    """Pairs of literals that at most `most` examples have, though chance would show them at least `least` times."""
    n, d = tally.n, len(columns)
    one = tally.gram[-1, columns].astype(np.int64)
    share = one / n
    trials = None if tally.symmetry is None else tally.symmetry.pair_trials()[np.ix_(columns, columns)]
    excluded = _known_exclusions(known, columns, len(tally.gram) - 1)
    parts: list[tuple[FloatArray, IntArray, IntArray, IntArray, IntArray]] = []
    block = max(1, budgets.PAIR_BLOCK_ENTRIES // d)
    for start in range(0, d, block):
        rows, later = slice(start, start + block), slice(start, None)  # each pair is looked at from its first column
        both = tally.gram[np.ix_(columns[rows], columns[later])].astype(np.int64)
        upper = np.arange(start, d) > np.arange(start, min(start + block, d))[:, None]
        known_pair = excluded[rows][:, later].toarray() > 0
        for kind, exceptions, left, right in (
            (0, both + (most + 1) * known_pair, share, share),
            (1, one[rows, None] - both, share, 1 - share),
            (2, one[None, later] - both, 1 - share, share),
            (3, n - one[rows, None] - one[None, later] + both, 1 - share, 1 - share),
        ):
            few = np.flatnonzero((exceptions <= most) & upper)
            i, j = np.divmod(few, d - start) + np.array([[start], [start]])
            expected = (n if trials is None else trials[i, j]) * (left[i] * right[j])
            strong = np.flatnonzero(expected >= least)
            seen = exceptions.ravel()[few[strong]]
            parts.append((expected[strong], seen, np.full(len(strong), kind), columns[i[strong]], columns[j[strong]]))
    expected, exceptions, kinds, a, b = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _RarePairs(expected, exceptions, kinds, np.stack([a, b]))


def _known_exclusions(known: RuleSet, columns: IntArray, width: int) -> Any:
    """How many known rules say that two of the columns are never both 1 (sparse matrix)."""
    from scipy.sparse import csr_array

    rows, places = np.nonzero(known.matrix)
    plain = known.rhs == 1
    plain[rows[(known.matrix[rows, places] != 1) | ~known.variables.binary[places] | (places >= width)]] = False
    chosen = plain[rows]
    ones = np.ones(int(chosen.sum()), np.int32)
    member = csr_array((ones, (rows[chosen], places[chosen])), shape=known.matrix.shape)[:, columns]
    return (member.T @ member).tocsr()


def _joined(chosen: list[tuple[int, int]], clauses: Clauses) -> list[tuple[int, ...]]:
    """Join exclusions between variables into larger sets that exclude each other; each exclusion is in one set."""
    waiting = set(chosen)
    after: dict[int, list[int]] = {}
    for first, second in chosen:
        after.setdefault(first, []).append(second)
    sets: list[tuple[int, ...]] = []
    for first, second in chosen:
        if (first, second) not in waiting:
            continue
        clique = [first, second]
        if first % 2 == 0 and second % 2 == 0:
            rivals = [b for b in after[first] if (first, b) in waiting and b % 2 == 0]
            for literal in rivals:
                if literal not in clique and all(clauses.states(member, literal) for member in clique):
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
