"""The ladder: which miners run, in which order, and what each leaves to the next.

`rules="auto"` climbs from the rules that need fewest examples to those that need most, and believes a rule only as far
as its evidence goes: exactly-one groups → the kernel of what they leave → pairs → covers and matroids. Named miners
run in the same order; "equalities" by name is the paper's, all of the kernel, whatever its evidence.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf, log

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, Examples, IntArray, Variables
from unwritten.errors import DataError, RangeError
from unwritten.evidence import chance
from unwritten.evidence.holdout import break_bound
from unwritten.evidence.scorer import Scale
from unwritten.mining.clauses import Clauses
from unwritten.mining.covers import covers, standing
from unwritten.mining.equalities import constants, copies, equalities
from unwritten.mining.groups import groups
from unwritten.mining.kernel_wide import left_over, rest_of_kernel
from unwritten.mining.matroid import Matroid, mine_matroid
from unwritten.mining.pairs import pairs
from unwritten.mining.ranks import ranks
from unwritten.rules import MINED, RuleSet
from unwritten.rules.columns.one_hot_rows import with_fewest_entries
from unwritten.tally.tally import Tally, gram_of
from unwritten.tally.wide_gram import is_wide, wide_gram

MINERS = ("groups", "equalities", "pairs", "matroid", "covers", "ranks")
AUTO = ("groups", "equalities", "pairs", "matroid", "covers")
CUT_SHORT = "the search for exactly-one groups was cut short by its budget: there may be more of them"


@dataclass(frozen=True)
class Mined:
    """What was mined: rules to show, rules that follow from them but make solving faster, and what to tell the user."""

    rules: RuleSet
    redundant: RuleSet
    notes: tuple[str, ...] = ()
    matroid: Matroid | None = None


@dataclass(frozen=True)
class Ladder:
    """The miners to run, and the confidence that a rule must have."""

    miners: tuple[str, ...]
    automatic: bool
    confidence: float
    blocks: tuple[IntArray, ...] = ()  # columns of which exactly one is 1, as those of a table's column
    alike: BoolArray | None = None  # columns that may be in groups besides the known one that they are in

    @property
    def margin(self) -> float:
        """The confidence in nats."""
        return -log(1.0 - self.confidence)

    def climb(self, tally: Tally, labels: IntArray, known: RuleSet, examples: Examples) -> Mined:
        """Run the miners; `labels` are the tally's distinct ones, with latents if the known rules have any."""
        variables = known.variables
        if self.miners and tally.n < 2:
            raise DataError(
                "one example cannot show a rule: give at least two, or rules=[] to use only the cut of its weights"
            )
        if not self.miners:
            return Mined(RuleSet.empty(variables), RuleSet.empty(variables))
        whole, tally = tally, self._evident(tally)
        scale = Scale(tally, labels)
        lifted = replace(tally, gram=gram_of(labels), seen=labels) if labels.shape != tally.seen.shape else tally
        found = every = RuleSet.empty(variables)
        notes: list[str] = []
        free = False  # whether groups are any few of many
        if "groups" in self.miners:
            every, free = self._groups(tally, variables, known, scale)
            notes += [CUT_SHORT] if free else []
            found = self._without_implied(every, known)
        if "equalities" in self.miners:
            wide = lifted is tally and labels.shape[1] > budgets.WIDE_COLUMNS and tally.symmetry is None
            if wide:
                found = self._wide_equalities(tally, known, found, scale, notes, free)
            else:
                found = self._equalities(lifted, labels, known, found, scale, notes, free)
        stated = {row.tobytes() for row in (known + found).rows}
        again = [row.tobytes() not in stated and not free for row in every.rows]  # free ones are independent
        redundant = every[np.array(again, bool)]
        if "pairs" in self.miners:
            rows = _wide(pairs(tally, known + found + redundant, self.margin), variables)
            found = found + scale.weighed(RuleSet.of_rows(variables, rows, MINED, None, equality=False))
        matroid = self._matroid(whole, examples, found) if "matroid" in self.miners else None
        if matroid is not None or "covers" in self.miners:
            found = found + scale.weighed(self._covers(tally, known + found + redundant, matroid))
        if "ranks" in self.miners:
            found = found + scale.weighed(self._ranks(tally, variables))
        return Mined(found, redundant, tuple(notes), matroid)

    def _evident(self, tally: Tally) -> Tally:
        """The tally with every label counted once, unless nearly all that there are have been seen (Good–Turing).

        Equal examples are often one decision copied, and no evidence against labels that are yet to come.
        """
        if not self.automatic or tally.symmetry is not None or chance.unseen(tally.counts) <= 1 - self.confidence:
            return tally
        if tally.n == len(tally.seen):  # every label came once, so there is nothing to change
            return tally
        gram = wide_gram(tally.seen) if is_wide(tally.seen) else gram_of(tally.seen)
        return Tally(len(tally.seen), gram, tally.seen, np.ones(len(tally.seen), np.int64))

    def _groups(self, tally: Tally, variables: Variables, known: RuleSet, scale: Scale) -> tuple[RuleSet, bool]:
        """Exactly-one groups among the columns that no known one has; or independent ones, made short, if cut short."""
        aside = _in_groups(known, tally.seen.shape[1])
        found = groups(tally, aside if self.alike is None else aside & ~self.alike, margin=self.margin)
        rows = linalg.canonical(_wide(found.rows, variables))
        if not found.complete:
            rows = linalg.pair_reduced(rows[linalg.independent(rows)], norm_columns=rows.shape[1] - 1)
        return scale.weighed(RuleSet.of_rows(variables, rows, MINED, None)), not found.complete

    def _equalities(
        self, tally: Tally, labels: IntArray, known: RuleSet, found: RuleSet, scale: Scale, notes: list[str], free: bool
    ) -> RuleSet:
        """The kernel: all of it where it is settled (or asked for by name), else the rows that stand out."""
        if not self.automatic:
            return scale.weighed(RuleSet.of_rows(known.variables, equalities(tally.gram, known.rows), MINED, None))
        found = found + self._strong(copies(tally.gram), known + found, scale)  # a basis of all might miss these
        settled = tally.symmetry is None and break_bound(tally, labels, self.confidence) <= 1 - self.confidence
        if settled:
            return self._settled(found, equalities(tally.gram, (known + found).rows), scale, free)
        rows = constants(tally.gram)
        if labels.shape[1] <= budgets.UNSETTLED_LATTICE_COLUMNS:
            with suppress(RangeError):
                rows = with_fewest_entries(equalities(tally.gram, (known + found).rows), self.blocks)
        kept = self._strong(rows, known + found, scale)
        left = left_over(tally, known + found + kept)
        if left > 0:
            notes.append(
                f"{left} more equalities hold on all examples but could be accidents of so few: more examples would "
                "tell, and rules=['equalities'] (--rules equalities) shows them"
            )
        return found + kept

    def _wide_equalities(
        self, tally: Tally, known: RuleSet, found: RuleSet, scale: Scale, notes: list[str], free: bool
    ) -> RuleSet:
        """The same for wide labels: copies and constants (by name, groups too), then the rest if that is small."""
        if self.automatic:
            found = found + self._strong(copies(tally.gram), known + found, scale)
            found = found + self._strong(constants(tally.gram), known + found, scale)
        else:
            sets = groups(tally, np.zeros(tally.seen.shape[1], bool), margin=-inf).rows
            rows = np.concatenate([constants(tally.gram), copies(tally.gram), linalg.canonical(sets)])
            all_ = RuleSet.of_rows(known.variables, rows, MINED, None)
            found = scale.weighed(self._without_implied(all_, known))
        sure = self.confidence if self.automatic else None
        rest, note = rest_of_kernel(tally, known + found, sure)
        notes += [] if note is None else [note]
        return self._settled(found, rest, scale, free)

    def _settled(self, found: RuleSet, rows: IntArray, scale: Scale, free: bool) -> RuleSet:
        """Equalities and the rows that they leave of the kernel, all of which is believed if any is.

        Where the groups combine freely, and are any few of many, they are shortened by the other rows too.
        """
        if not len(rows):
            return found
        fixed = 0 if free else len(found)
        every = np.concatenate([found.rows, rows])
        if every.size <= budgets.SHORTENED_ENTRIES:
            every = linalg.pair_reduced(every, norm_columns=every.shape[1] - 1, fixed=fixed)
        rows = with_fewest_entries(linalg.canonical(every[fixed:]), self.blocks)
        more = scale.weighed(RuleSet.of_rows(found.variables, rows, MINED, None))
        return found[:fixed] + (more.with_joint_confidence(self.confidence) if self.automatic else more)

    def _strong(self, rows: IntArray, known: RuleSet, scale: Scale) -> RuleSet:
        """The rows that stand out and that the known rules and those before them do not imply."""
        more = scale.weighed(RuleSet.of_rows(known.variables, rows, MINED, None))
        strong = np.array([e is not None and e.nats >= self.margin for e in more.evidence], bool)
        return self._without_implied(more[strong], known)

    def _matroid(self, tally: Tally, examples: Examples, found: RuleSet) -> Matroid | None:
        """The matroid whose bases the labels are, sought where no other equality than their size is known."""
        sizes = tally.seen.sum(axis=1)
        if not _set_like(tally) or not examples.variables.binary.all() or (sizes != sizes[0]).any():
            return None  # where bounds allow more than 0 and 1, no rows could say what a basis is
        if self.automatic and found.rank != 1:
            return None
        if examples.weights is None or tally.symmetry is not None:
            return mine_matroid(_rows_of(tally))
        few = slice(None, budgets.SET_EXAMPLES)
        return mine_matroid(examples.labels[few], examples.weights[few], examples.sense)

    def _covers(self, tally: Tally, known: RuleSet, matroid: Matroid | None) -> RuleSet:
        """ "At least one of" rules that hold on all labels and that the known rules do not imply."""
        if not _set_like(tally):
            return known[:0]
        width, labels = tally.seen.shape[1], _rows_of(tally)
        rows = covers(labels, margin=self.margin)
        rows = rows[(rows @ tally.seen.T).min(axis=1, initial=1) > 0]
        rows = standing(rows, labels, known.matrix[_exactly_one(known), :width], self.margin)
        if matroid is not None:  # then a set is hit by every basis if the others do not span, and else by accident
            rows = np.unique(np.concatenate([rows, matroid.cocircuits]), axis=0)[::-1]
            rows = rows[[matroid.rank_of(np.flatnonzero(row == 0)) < matroid.rank for row in rows]]
        clauses = Clauses.of(known, width)
        fresh = np.array([not clauses.refutes((2 * np.flatnonzero(row) + 1).tolist()) for row in rows], bool)
        fresh |= matroid is not None
        bordered = np.column_stack([-rows[fresh], np.ones(int(fresh.sum()), np.int64)])
        return RuleSet.of_rows(known.variables, _wide(bordered, known.variables), MINED, None, equality=False)

    def _ranks(self, tally: Tally, variables: Variables) -> RuleSet:
        if not _set_like(tally):
            return RuleSet.empty(variables)
        rows, most = ranks(_rows_of(tally))
        kept = (rows @ tally.seen.T).max(axis=1, initial=0) <= most
        bordered = np.column_stack([rows, -most])[kept]
        return RuleSet.of_rows(variables, _wide(bordered, variables), MINED, None, equality=False)

    def _without_implied(self, found: RuleSet, known: RuleSet) -> RuleSet:
        """The equalities that those before them, and the known ones, do not imply."""
        first = linalg.independent(np.concatenate([known.rows, found.rows]))
        return found[first[first >= len(known.rows)] - len(known.rows)]


def _wide(rows: IntArray, variables: Variables) -> IntArray:
    """Rows over [y, 1] of the labels, with zeros for the latents."""
    more = len(variables) + 1 - rows.shape[1]
    return np.concatenate([rows[:, :-1], np.zeros((len(rows), more), np.int64), rows[:, -1:]], axis=1)


def _in_groups(known: RuleSet, width: int) -> BoolArray:
    """Which columns a known exactly-one rule has."""
    return np.asarray((known.matrix[_exactly_one(known)] != 0).any(axis=0)[:width])


def _exactly_one(rules: RuleSet) -> BoolArray:
    ones = ((rules.matrix == 0) | (rules.matrix == 1)).all(axis=1)
    return np.asarray(ones & rules.equality & (rules.rhs == 1))


def most_for_matroids(width: int) -> int:
    """How many examples with weights are enough, where the cuts are made elsewhere: none is sought in many columns."""
    return budgets.SET_EXAMPLES if width <= budgets.SET_COLUMNS else 1


def _set_like(tally: Tally) -> bool:
    """Whether labels are sets of not too many elements."""
    return tally.seen.shape[1] <= budgets.SET_COLUMNS and bool(((tally.seen == 0) | (tally.seen == 1)).all())


def _rows_of(tally: Tally) -> IntArray:
    """Labels as often as they were seen, at most budgets.SET_EXAMPLES of them, in an order without meaning."""
    counts, rng = np.maximum(1, tally.counts), np.random.default_rng(0)  # images were never seen
    total = int(counts.sum())
    if total <= budgets.LISTED_EXAMPLES:
        chosen = rng.permutation(np.repeat(np.arange(len(counts)), counts))[: budgets.SET_EXAMPLES]
    else:
        chosen = np.searchsorted(
            np.cumsum(counts), rng.choice(total, budgets.SET_EXAMPLES, replace=False), side="right"
        )
    return np.asarray(tally.seen[chosen], np.int64)
