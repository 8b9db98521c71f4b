"""The miner of limits: few inequalities that keep every seen label and exclude what the examples prove infeasible."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, exp

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.mining.limits.choices import Choices
from unwritten.mining.limits.explaining_rows import ExplainingRows, points_left
from unwritten.mining.limits.left_out_trial import left_out_trial
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.row_search import find_rows
from unwritten.mining.limits.weaker_rows import untested
from unwritten.mining.limits.whole_rows import whole_rows
from unwritten.mining.miner import Context, Mined
from unwritten.options import MinerName
from unwritten.rules import MINED, Evidence, RuleSet

UNEXPLAINED = 0.01
"""Share of the excluded labels that limits may miss: rows that leave more unexplained are not the rules behind them."""
ALONE = 3
"""An example looks wrong if it alone excludes so many labels that the rows allow."""
NEEDED = 1.5
"""The evidence, in nats, of an example that had a better label which only this limit excludes."""
NO_LIMITS = (
    "limits were not searched for, because they need labels that are optimal for their weights, all of them in memory, "
    f"with at most {budgets.LIMIT_COLUMNS} columns of at most {budgets.LIMIT_SPAN:,} values: give such examples, or "
    "other names of miners"
)


class LimitMiner:
    """Finds the inequalities that explain why nothing better was chosen."""

    name: MinerName = "limits"

    def supports(self, context: Context) -> bool:
        """True if all examples have weights in memory, and there are not too many columns."""
        examples = context.examples
        return (
            examples.weights is not None
            and len(examples) == context.all_examples.n
            and not context.has_latents
            and context.tally.symmetry is None
            and 2 <= len(context.variables) <= budgets.LIMIT_COLUMNS
            and context.mined.matroid is None
            and int((context.variables.upper - context.variables.lower).max()) < budgets.LIMIT_SPAN
        )

    def too_wide(self, context: Context) -> bool:
        """True if limits would be worth a search, but there are too many columns or values."""
        span = int((context.variables.upper - context.variables.lower).max())
        wide = len(context.variables) > budgets.LIMIT_COLUMNS or span >= budgets.LIMIT_SPAN
        return wide and not context.has_latents and not len(context.mined.groups) and context.mined.matroid is None

    def run(self, context: Context) -> Mined:
        """Add the limits that held-out labels obey too; others are doubtful."""
        from threadpoolctl import threadpool_limits  # loaded when it is first needed

        with threadpool_limits(1, user_api="blas"):  # the products are small: threads would only wait for each other
            return self._run(context)

    def _run(self, context: Context) -> Mined:
        weights = context.examples.weights
        assert weights is not None  # noqa: S101 - see `supports`
        chosen = _spread(len(weights))
        choices = Choices.of(context.examples, weights)[chosen]
        stated = context.stated + context.redundant
        explaining = find_rows(choices, stated)
        if explaining is None:
            return context.mined
        suspects, explaining = _without_wrong_examples(choices, stated, explaining)
        points = explaining.points
        wide = whole_rows(points_left(points, explaining.simple), explaining.wide)
        whole = np.concatenate([explaining.simple, wide])
        if not len(whole) or points.no_row_excludes(whole).sum() > UNEXPLAINED * len(points.excluded):
            return context.mined
        rules = self._with_evidence(context, choices, explaining, wide)
        paid = _paid(rules, len(explaining.simple))
        sure = (paid >= context.margin) & (len(choices) >= budgets.LIMIT_EXAMPLES_LEAST)
        sure &= np.array([e is not None and e.doubt <= 1 - context.options.confidence for e in rules.evidence], bool)
        holds = ~rules.violations(context.tally.seen).any(axis=0)  # on all labels: some may not have been searched on
        holds &= _varies(rules, context.tally.seen)
        limits, doubtful = rules[sure & holds], rules[~sure & holds & (paid > 0)]
        mined = context.mined
        return replace(
            mined,
            rules=mined.rules + limits,
            doubtful=_others(mined.doubtful + _with_needed(doubtful, context.options.confidence), limits),
            habits=_others(mined.habits, limits),
            suspects=np.flatnonzero(chosen)[suspects],
        )

    @staticmethod
    def _with_evidence(context: Context, choices: Choices, explaining: ExplainingRows, wide: IntArray) -> RuleSet:
        """The limits as rules, with what each alone explains and how often left-out labels broke it as evidence.

        A limit is an estimate if hardly any label tells it from a weaker row, or if it changes when labels are left
        out. Limits explain the labels together: if most of them are estimates, all of them are.
        """
        points, lower = explaining.points, context.variables.lower
        whole = np.concatenate([explaining.simple, wide])
        trial = left_out_trial(points, explaining.simple, wide, choices.labels - lower)
        # a label that is seen again breaks nothing: only new labels can
        shares = trial.broken * chance.unseen(context.all_examples.counts)
        estimates = trial.changed.copy()
        known, simple = context.stated + context.redundant, len(explaining.simple)
        estimates[:simple] |= untested(points, choices, known, whole, simple)
        estimates |= 2 * estimates.sum() > len(estimates)
        needing = _examples_that_need(choices, points, whole)
        n = len(choices)
        evidence = tuple(
            Evidence(
                n,
                chance=float(f"{exp(-NEEDED * int(own) / n):.12g}"),
                price=float(f"{chance.price(row[:-1], points.width):.12g}"),
                doubt=float(f"{share:.12g}"),
                weight=context.tally.weight,
                left_out=len(points.seen),
                estimate=bool(unsettled),
            )
            for row, own, share, unsettled in zip(whole, needing, shares, estimates, strict=True)
        )
        rows = np.column_stack([whole[:, :-1], -(whole[:, -1] + whole[:, :-1] @ lower)])
        rules = RuleSet.of_rows(context.variables, rows, MINED, None, equality=False)
        return replace(rules, evidence=evidence)


def _examples_that_need(choices: Choices, points: Points, whole: IntArray) -> list[int]:
    """For each limit, how many examples had a better label that only this limit excludes."""
    excludes = points.beyond(whole).T
    alone = excludes & (excludes.sum(axis=1) == 1)[:, None]
    counts = []
    for column in alone.T:
        labels = points.excluded[column] + choices.variables.lower
        needing = np.zeros(len(choices), bool)
        step = max(1, budgets.CUT_BLOCK_ENTRIES // len(choices))
        for start in range(0, len(labels), step):
            values = choices.weights[~needing] @ labels[start : start + step].T.astype(np.float64)
            needing[~needing] = (values > choices.thresholds[~needing, None]).any(axis=1)
        counts.append(int(needing.sum()))
    return counts


def _with_needed(rules: RuleSet, confidence: float) -> RuleSet:
    """Doubtful limits, with the number of further examples that would settle them."""
    evidence: list[Evidence | None] = []
    for e in rules.evidence:
        if e is None:
            evidence.append(None)
            continue
        times = max(2.0 if e.own_confidence < confidence else 1.0, e.doubt / max(1 - confidence, 1e-9))
        evidence.append(replace(e, needed=max(1, ceil(e.examples * (times - 1)))))
    return replace(rules, evidence=tuple(evidence))


def _paid(rules: RuleSet, simple: int) -> FloatArray:
    """The evidence for each limit in nats; wide rows explain the examples together, so they pay together."""
    nats = np.array([0.0 if e is None else e.nats for e in rules.evidence])
    nats[simple:] = nats[simple:].sum()
    return nats


def _varies(rules: RuleSet, seen: IntArray) -> BoolArray:
    """Which limits are about more than one column that has the same value in all labels.

    A column that always has one value shows no limit: other values may simply never have been better.
    """
    constant = (seen == seen[0]).all(axis=0)
    return np.asarray((rules.matrix[:, ~constant] != 0).any(axis=1))


def _others(rules: RuleSet, limits: RuleSet) -> RuleSet:
    """The rules that are not stated as limits."""
    stated = {row.tobytes() for row in limits.bordered}
    other = np.array([row.tobytes() not in stated for row in rules.bordered], bool)
    return rules[other | rules.equality]


def _spread(n: int) -> BoolArray:
    """Which of n examples limits are searched on: as many as the budget allows, spread evenly."""
    chosen = np.ones(n, bool)
    if n > budgets.LIMIT_EXAMPLES:
        chosen[:] = False
        chosen[np.arange(budgets.LIMIT_EXAMPLES) * n // budgets.LIMIT_EXAMPLES] = True
    return chosen


def _without_wrong_examples(
    choices: Choices, stated: RuleSet, explaining: ExplainingRows
) -> tuple[IntArray, ExplainingRows]:
    """The examples that contradict the rows which explain all other examples, and the rows found without them."""
    missed = explaining.points.excluded[explaining.missed] + choices.variables.lower
    counts, one = choices.excludes(missed)
    wrong = np.bincount(one[counts == 1], minlength=len(choices)) >= ALONE
    if not 0 < wrong.sum() <= budgets.LIMIT_WRONG * len(choices):
        return np.zeros(0, np.int64), explaining
    again = find_rows(choices[~wrong], stated)
    return (np.zeros(0, np.int64), explaining) if again is None else (np.flatnonzero(wrong), again)
