"""Find pairs of literals that are never both true, from the Gram matrix, and state as few of them as possible.

A rule of two 0/1 columns says that one of their four combinations never occurs. Gram entries count all four: n_ij,
n_i − n_ij, n_j − n_ij and n − n_i − n_j + n_ij. A combination that never occurs is a rule if independent columns would
have shown it at least ln(4·C(d, 2)) + margin times. A literal is a variable (2j) or its negation (2j + 1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray, Variables
from unwritten.evidence import chance
from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.activity import exclusions_by_activity
from unwritten.mining.pairs.clauses import Clauses
from unwritten.mining.pairs.rare_pairs import least_expected, rare_pairs, varying_columns
from unwritten.options import MinerName
from unwritten.rules import RuleSet
from unwritten.tally.tally import Tally

CUT_SHORT = (
    "the pairs of columns that never occur together were too many to examine, so only those with most evidence were "
    "mined: mine fewer columns at a time to find all"
)


class PairMiner:
    """Finds pairs of literals that are never both true: exclusions, implications, "one of two"."""

    name: MinerName = "pairs"

    def supports(self, context: Context) -> bool:
        """Always true: labels without 0/1 columns have no pairs."""
        return True

    def run(self, context: Context) -> Mined:
        """Add the pairs that the rules so far do not imply."""
        pairs = find_pairs(context.tally, context.stated + context.redundant, context.margin)
        mined = context.mined.with_rules(context.scored(pairs.rows, equality=False))
        return mined if pairs.complete else mined.with_note(CUT_SHORT)


@dataclass(frozen=True, eq=False)
class FoundPairs:
    """Rows `[a, −b]` of `a·y ≤ b`; not `complete` if there were more candidates than `budgets.PAIR_CANDIDATES`."""

    rows: IntArray
    complete: bool


def find_pairs(tally: Tally, known: RuleSet, margin: float = chance.MARGIN) -> FoundPairs:
    """Rows `[a, −b]` of `a·y ≤ b` that follow neither from the known rules nor from each other, by unit propagation.

    The rows with most evidence come first. Exclusions between all members of a set are joined to "at most one of".
    """
    columns = varying_columns(tally)
    if len(columns) < 2:
        return FoundPairs(np.zeros((0, tally.gram.shape[0]), np.int64), complete=True)
    candidates = _candidates(tally, columns, known, least_expected(columns, margin))
    most = budgets.PAIR_CANDIDATES
    return FoundPairs(pair_rows_of(candidates[:most], known), complete=len(candidates) <= most)


def pair_rows_of(pairs: Iterable[tuple[int, int]], known: RuleSet) -> IntArray:
    """Rows for these pairs of literals, in their order, but for those that follow from known rules or each other."""
    clauses = clauses_of(known)
    added: list[tuple[int, int]] = []
    for first, second in pairs:
        if not clauses.excludes(first, second):
            clauses.add(first, second)
            added.append((first, second))
    needed: list[tuple[int, int]] = []
    for first, second in added:  # a rule with much evidence can follow from weaker ones that came after it
        clauses.drop(first, second)
        if not clauses.excludes(first, second):
            clauses.add(first, second)
            needed.append((first, second))
    return _rows(_joined(needed, clauses), len(known.variables))


def clauses_of(known: RuleSet) -> Clauses:
    """What the known rules say about pairs of literals."""
    width = len(known.variables)
    clauses = Clauses.of(known, width)
    for first, second in exclusions_by_activity(known, width):
        clauses.add(first, second)
    return clauses


def believed_pairs(tally: Tally, margin: float = chance.MARGIN) -> list[tuple[int, int]]:
    """All pairs of literals with enough evidence that they are never both true, also those that follow from others."""
    columns = varying_columns(tally)
    if len(columns) < 2:
        return []
    nothing = RuleSet.empty(Variables.named([str(j) for j in range(tally.seen.shape[1])]))
    pairs = _candidates(tally, columns, nothing, least_expected(columns, margin))
    return [(min(pair), max(pair)) for pair in pairs]


def _candidates(tally: Tally, columns: IntArray, known: RuleSet, least: float) -> list[tuple[int, int]]:
    """Pairs of literals that are never both true, though chance would show them at least `least` times.

    Those with most evidence come first, and implications before exclusions: one implication often says what several
    exclusions do. At most one more than `budgets.PAIR_CANDIDATES` are returned. Exclusions between members of a known
    "exactly one" or "at most one" rule are left out.
    """
    rare = rare_pairs(tally, columns, known, least, 0)
    first, second = rare.literals
    order = np.lexsort((second, first, rare.columns[0], -rare.expected, rare.kinds == 0))[: budgets.PAIR_CANDIDATES + 1]
    return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


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
