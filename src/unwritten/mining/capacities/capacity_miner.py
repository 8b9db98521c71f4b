"""Find capacities: bounds on sums with coefficients that are not in the data, learned from labels alone.

Labels are compared with pseudo-labels (`mining/pseudo_labels.py`), which obey the rules so far and have the same
shares, but are random otherwise. A row that all labels obey is the likelier the fewer pseudo-labels obey it. A walk
visits the likely rows (`row_walk.py`), one row of small whole numbers stands for them (`whole_numbers.py`), and labels
that rows were learned without say whether there is an edge at all (`left_out.py`).
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, exp, log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence import chance
from unwritten.evidence.doubt import SOFT_RATE, soft_odds
from unwritten.evidence.tails import tail_nats
from unwritten.mining.capacities.left_out import (
    LeftOutLabels,
    WholeRows,
    broken_by,
    folds,
    learned_again,
    left_out_labels,
    whole_rows,
)
from unwritten.mining.capacities.likely_rows import LikelyRows, wide_row
from unwritten.mining.capacities.slice_search import likely_rows
from unwritten.mining.capacities.whole_numbers import Rounded, WholeRow, broken, keeping, widened
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.miner import Context, Mined
from unwritten.mining.near_labels import near_labels
from unwritten.mining.pseudo_labels import Law
from unwritten.options import MinerName
from unwritten.rules import MINED, Evidence, RuleSet

BROKEN = 0.005
"""Share of left-out labels that all rows together may cut off."""
NEARLY = 0.01
"""Rows that should cut off 0.1 % are widened if they cut off at most this share; above it, they are no capacity."""
KEPT_OUT = 0.002
"""The share of left-out labels that widened rows may cut off."""
OTHER_SIGN = 0.1
"""Largest share of the sum of absolute coefficients that may have the minority sign: a capacity adds amounts up."""


class CapacityMiner:
    """Finds bounds on sums with unknown coefficients."""

    name: MinerName = "capacities"

    def supports(self, context: Context) -> bool:
        """True for labels without weights, of which there are enough, where bounds are searched for as well."""
        given = not context.options.automatic
        plain = context.examples.weights is None and not context.blocks and context.options.noise_rate == 0
        possible = context.tally.symmetry is None and context.mined.matroid is None and not context.tally.wide
        enough = context.tally.weight * context.tally.n >= budgets.CAPACITY_EXAMPLES
        narrow = context.tally.seen.shape[1] <= budgets.CAPACITY_WIDTH and not context.has_latents
        return possible and enough and narrow and (given or plain)

    def run(self, context: Context) -> Mined:
        """Add the rows that left-out labels confirm; others are doubtful."""
        from threadpoolctl import threadpool_limits  # loaded when it is first needed

        with threadpool_limits(1, user_api="blas"):  # the products are small: threads would only wait for each other
            return self._run(_thinned(context), context.labels)

    def _run(self, context: Context, all_labels: IntArray) -> Mined:
        independent = IndependentSums.of(context)
        near = near_labels(context, independent, context.mined.gaps)
        if context.mined.values is not None:
            near = near[context.mined.values.allow(near)]
        if not len(near):  # the rules so far leave nothing to say
            return context.mined
        law, amounts = Law.of(context, independent), ~_codes(context)
        if not law.units or not amounts.any() or law.is_stuck:
            return context.mined
        trials = context.tally.weight * context.tally.n
        likely = likely_rows(law, context.examples.variables.layout, amounts, independent.binary, trials)
        if not likely.rows:
            return context.mined
        likely, whole, trial = _confirmed(likely)
        whole = [keeping(row, all_labels) for row in whole]
        rules = _with_evidence(context, likely, whole, trial)
        sure = np.array([e is not None and e.confidence >= context.options.confidence for e in rules.evidence], bool)
        sure &= trial.broken.any(axis=1).mean() <= BROKEN
        adds_up = np.array([_adds_up(row) for row in whole], bool)
        sure &= adds_up | ~trial.changed
        telling = np.array([bool(broken(row, near).any()) for row in whole], bool)
        mined = context.mined.with_rules(rules[sure & telling])
        has_edge = np.array(
            [e is not None and e.own_confidence >= context.options.confidence for e in rules.evidence], bool
        )
        return replace(mined, doubtful=mined.doubtful + rules[~sure & telling & has_edge & adds_up])


def _adds_up(row: WholeRow) -> bool:
    """True if the row adds amounts up. Where columns are only correlated, the signs of likely rows are mixed."""
    coefficients = row.row[:-1]
    more, less = int(coefficients[coefficients > 0].sum()), -int(coefficients[coefficients < 0].sum())
    return min(more, less) <= OTHER_SIGN * (more + less)


def _codes(context: Context) -> BoolArray:
    """The integers whose values are counted by rules: a weighted sum of codes means nothing."""
    codes = np.zeros(context.tally.seen.shape[1], bool)
    if context.mined.values is not None:
        codes[[j for j, _, _ in context.mined.values.lift.domains]] = True
    return codes


def _thinned(context: Context) -> Context:
    """The context with a fair sample of its distinct labels, if they are very many."""
    labels = len(context.tally.seen)
    if labels <= budgets.CAPACITY_LABELS:
        return context
    chosen = np.zeros(labels, bool)
    chosen[np.random.default_rng(0).permutation(labels)[: budgets.CAPACITY_LABELS]] = True
    return replace(context, tally=context.tally.only(chosen))


def _confirmed(likely: LikelyRows) -> tuple[LikelyRows, list[WholeRow], LeftOutLabels]:
    """Rows of whole numbers, as loose as left-out labels need them.

    If the first folds reject both the tightest and the loosest rows, the other folds are skipped.
    """
    every, learned, first = whole_rows(likely), list[list[Rounded]](), 1.0
    labels, tightest, loosest = len(likely.labels), 0, 0
    for fold, rounded in enumerate(learned_again(likely)):
        learned.append(rounded)
        left_out = likely.labels[folds(labels) == fold]
        tightest += broken_by(every[0], rounded, left_out)
        loosest += broken_by(every[-1], rounded, left_out)
        if tightest > NEARLY * labels and loosest > BROKEN * labels:
            return _tried(likely, every[-1], learned)
    for whole in every:
        stated, rows, trial = _tried(likely, whole, learned)
        share = float(trial.broken.any(axis=1).mean()) if rows else 0.0
        first = share if whole is every[0] else first
        if share <= BROKEN:
            return stated, rows, trial
    if first > NEARLY:  # the columns are only correlated: there is no capacity
        return stated, rows, trial
    slack = trial.slack(KEPT_OUT)  # the rows differ from fold to fold: state them as wide as left-out labels need
    return stated, [widened(row, slack) for row in rows], replace(trial, beyond=trial.beyond - slack)


def _tried(
    likely: LikelyRows, whole: WholeRows, learned: list[list[Rounded]]
) -> tuple[LikelyRows, list[WholeRow], LeftOutLabels]:
    """The likely rows, the rows of whole numbers that stand for them, and what left-out labels say about these."""
    stated = replace(likely, rows=tuple(likely.rows[k] for k in whole.places))
    return stated, whole.rows, left_out_labels(likely, whole, learned)


def _with_evidence(context: Context, likely: LikelyRows, whole: list[WholeRow], trial: LeftOutLabels) -> RuleSet:
    """The rows as rules: the evidence is that left-out labels pile up at the edge, against tails that go on."""
    n, weight, width = context.tally.n, context.tally.weight, len(context.variables)
    price = log(2 * max(1, len(whole)))
    nats = _edge_nats(likely, weight * trial.layers, price + context.margin)
    unseen = chance.unseen(context.all_examples.counts)
    soft = soft_odds("set", weight * n, len(whole))
    evidence = []
    for k in range(len(whole)):
        doubt = min(1.0, float(trial.broken[:, k].mean()) * unseen + soft / (1 + soft))
        one = Evidence(
            n, chance=float(f"{exp(-nats[k] / (weight * n)):.12g}"), price=float(f"{price:.12g}"),
            doubt=float(f"{doubt:.12g}"), weight=weight, left_out=len(likely.labels), estimate=bool(trial.changed[k]),
        )  # fmt: skip
        needed = 0 if one.confidence >= context.options.confidence else max(n, ceil(1 / SOFT_RATE))
        evidence.append(replace(one, needed=needed))
    rows = [wide_row(row.columns, row.row, width) for row in whole]
    bordered = np.array(rows, np.int64).reshape(len(rows), width + 1)
    bordered[:, -1] *= -1
    rules = RuleSet.of_rows(context.variables, bordered, MINED, None, equality=False)
    return replace(rules, evidence=tuple(evidence))


def _edge_nats(likely: LikelyRows, layers: FloatArray, least: float) -> FloatArray:
    """The nats by which an edge beats a tail that goes on.

    Rows on slices of one form are weighed together. Rows on the same columns were learned together, so each of them
    needs evidence of its own, and all get that of the weakest.
    """
    own = tail_nats(layers, least)
    columns = [row.columns.tobytes() for row in likely.rows]
    sizes = np.array([len(row.columns) for row in likely.rows], np.int64)
    nats = np.zeros(len(own))
    for k, key in enumerate(columns):
        same = np.array([other == key for other in columns], bool)
        alike = (sizes == sizes[k]) & ~same
        nats[k] = (
            own[same].min() if not alike.any() else tail_nats(layers[sizes == sizes[k]].sum(axis=0)[None], least)[0]
        )
    return nats
