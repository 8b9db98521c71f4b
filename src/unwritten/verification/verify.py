"""Verify what was mined on every training example, whichever miner found it and on whatever part of them it was fitted.

If all distinct labels are in memory, each of them is tested. If only a sample of them was kept, the Gram matrix counts
all labels: a·y = b holds on each of them if and only if [a, −b]ᵀG[a, −b] = 0, and "at most one of these 0/1 literals"
if and only if no two of the literals were ever true together. Everything else then needs a second pass over the data.

Facts about whole columns are verified on all rows of the table as they are mined (`mining/facts/fact_miner.py`), and
rules despite noise on all examples, suspects included (`wrong_examples.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from unwritten import budgets, linalg
from unwritten.building import build
from unwritten.counted import counted
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.mining import Cuts
from unwritten.mining.cuts import refuse_too_little_slack
from unwritten.model import Model
from unwritten.options import MiningOptions
from unwritten.rules import DEFINITION, HABIT, MINED, Gaps, RuleSet
from unwritten.sources import ExampleSource, Gathered
from unwritten.sources.label_test import LabelTest, LabelTestResult
from unwritten.tables.quoting import shown
from unwritten.tally import Tally

HOLDS, BROKEN, UNKNOWN = 1, -1, 0
NO_MATROID = "a matroid that a sample of the rows showed was left out, because other rows are not bases of it"


def verified(model: Model, gathered: Gathered, source: ExampleSource, options: MiningOptions) -> Model:
    """The model without what some example breaks, but for suspects.

    Covers are stated because of a matroid, so without it everything is mined again.
    """
    tested = _on_all_labels(model, gathered, source, options) if gathered.total.thinned else _on_seen_labels(model)
    if tested is not None:
        return tested
    again = build(gathered, replace(options, without=(*options.without, "matroid")))
    return verified(replace(again, notes=(*again.notes, NO_MATROID)), gathered, source, options)


def _on_seen_labels(model: Model) -> Model | None:
    """The model without what a seen label breaks; None if one is not a basis of the matroid."""
    rules, sizes = model.rules + model.habits + model.doubtful, [len(model.rules), len(model.habits)]
    mined = np.flatnonzero([origin in (MINED, HABIT) for origin in rules.origins])
    if not len(mined) and not len(model.gaps) and model.matroid is None:
        return model
    test = LabelTest(rules[mined], model.lifts, model.matroid, Cuts.none(len(model.variables)), model.gaps)
    result = _total(map(test, _blocks(model.seen)), len(model.seen))
    if not result.all_bases:
        return None
    gap_holds, holds = result.broken_gaps == 0, np.ones(len(rules), bool)
    holds[mined] = result.broken == 0
    if holds.all() and gap_holds.all():
        return model
    rule_holds, habit_holds, doubtful_holds = np.split(holds, np.cumsum(sizes))
    dropped = int((~rule_holds).sum() + (~gap_holds).sum())
    are = "was" if dropped == 1 else "were"
    note = (f"{counted(dropped, 'rule')} {are} left out, because some rows break them",) if dropped else ()
    return replace(
        model,
        rules=model.rules[rule_holds],
        redundant=model.redundant if rule_holds.all() else model.redundant[:0],
        habits=model.habits[habit_holds],
        doubtful=model.doubtful[doubtful_holds],
        gaps=model.gaps[np.flatnonzero(gap_holds)],
        notes=(*model.notes, *note),
    )


def _blocks(labels: IntArray) -> Iterator[IntArray]:
    """The labels in blocks, so that tests of them take little memory."""
    step = max(1, budgets.RULE_BLOCK_ENTRIES // max(1, labels.shape[1]))
    return (labels[start : start + step] for start in range(0, len(labels), step))


def _on_all_labels(model: Model, gathered: Gathered, source: ExampleSource, options: MiningOptions) -> Model | None:
    """The model without what some label breaks, of which a sample was mined; None if one is no basis of the matroid.

    If the labels can be read only once, what the Gram matrix does not decide is left out.
    """
    tally = gathered.total
    rules = model.rules + model.habits
    verdicts = by_counts(rules, tally.gram)
    undecided = verdicts == UNKNOWN
    broken = (verdicts == BROKEN).astype(np.int64)
    mined = np.array([origin in (MINED, HABIT) for origin in rules.origins], bool)
    matroid, cuts = model.matroid, model.cuts
    reread, gaps, gap_holds = True, model.gaps, np.ones(len(model.gaps), bool)
    if undecided.any() or matroid is not None or len(cuts) or len(gaps):
        results = source.scan(LabelTest(rules[undecided], model.lifts, matroid, cuts, gaps))
        if results is None:
            reread = False
            gap_holds = np.array([origin != MINED for origin in gaps.origins], bool)
            broken[undecided & mined] = 1
            matroid, cuts = None, replace(cuts, exact=cuts.exact and not len(cuts))
        else:
            result = _total(results, tally.n)
            broken[undecided] = result.broken
            if not result.all_bases:
                return None
            cuts = _widened(cuts, result.highest, model, options.slack, tally.n)
            gap_holds = _unbroken(gaps, result.broken_gaps)
    holds = broken == 0
    wrong = ~holds & ~mined
    if wrong.any():
        text = shown(rules[int(np.flatnonzero(wrong)[0])].text)
        raise DataError(f"some rows break the prior row “{text}”: drop that row, or correct those rows")
    if reread and model.cuts.exact and not cuts.exact:  # labels are not the best for their weights after all
        habits_as_rules = model.with_habits()
        return _on_all_labels(replace(habits_as_rules, cuts=cuts), gathered, source, options)
    held_habits, holds, undecided = holds[len(model.rules) :], holds[: len(model.rules)], undecided[: len(model.rules)]
    all_hold, untested = np.append(holds, gap_holds), np.append(undecided, np.ones(len(gaps), bool))
    return replace(
        model,
        habits=model.habits[held_habits],
        rules=model.rules[holds],
        redundant=model.redundant if holds.all() else model.redundant[:0],
        matroid=matroid,
        cuts=cuts,
        doubtful=model.doubtful[by_counts(model.doubtful, tally.gram) == HOLDS],
        notes=(*model.notes, _note(tally, all_hold, np.zeros_like(untested) if reread else untested, model)),
        total=tally.n,
        sums=tuple(int(each) for each in tally.gram[-1, :-1]),
        gaps=gaps[np.flatnonzero(gap_holds)],
    )


def _unbroken(gaps: Gaps, broken: IntArray) -> BoolArray:
    """Which gaps no label breaks; raise if a label breaks a prior one."""
    for gap, times in zip(gaps, broken.tolist(), strict=True):
        if times and gap.origin != MINED:
            raise DataError(f"some rows break the prior row “{shown(gap.text)}”: drop that row, or correct those rows")
    return np.asarray(broken == 0)


def _note(tally: Tally, holds: BoolArray, untested: BoolArray, model: Model) -> str:
    """Say how the rules were verified; `untested` are those that needed a second pass which was not possible."""
    dropped = int((~holds & ~untested).sum())
    text = (
        f"a fair sample of the distinct rows was mined ({len(tally.seen):,} rows, one in {2**tally.thinned}); every "
        f"rule was verified on all {tally.n:,} rows" + (f", and {dropped} broken ones were dropped" if dropped else "")
    )
    left_out, trusted = int((untested & ~holds).sum()), int((untested & holds).sum())
    losses = [
        f"{left_out} rules were left out" if left_out else "",
        f"{trusted} prior rows were tested on the sample only" if trusted else "",
        "a matroid was left out" if untested.any() and model.matroid is not None else "",
        "no answer is proven by the cuts" if untested.any() and len(model.cuts) else "",
    ]
    lost = ", ".join(loss for loss in losses if loss)
    if not lost:
        return text
    return f"{text}; the batches could be read only once, so {lost}: give batches that can be read again to avoid that"


def _total(results: Iterable[LabelTestResult], n: int) -> LabelTestResult:
    """Add up all results; raise if the second pass did not see n labels."""
    total: LabelTestResult | None = None
    for result in results:
        total = result if total is None else total + result
    if total is None or total.n != n:
        raise DataError(
            f"the second pass saw {0 if total is None else total.n:,} labels but the first saw {n:,}: give "
            "batches that are the same every time, or an iterator that can be read only once"
        )
    return total


def _widened(cuts: Cuts, highest: FloatArray, model: Model, slack: object, n: int) -> Cuts:
    """The cuts with enough slack for all labels, not only for the sample."""
    too_tight = highest > cuts.limits(model.variables)
    if not too_tight.any():
        return cuts
    if slack != "auto":
        refuse_too_little_slack(np.flatnonzero(too_tight), n, model.sense)
    wider = np.where(too_tight, highest - cuts.values, cuts.slack)
    return Cuts(cuts.weights, cuts.values, wider, exact=False)


def by_counts(rules: RuleSet, gram: IntArray) -> IntArray:
    """What the Gram matrix of all labels says about each rule: HOLDS, BROKEN or UNKNOWN."""
    width = len(gram) - 1
    verdicts = np.full(len(rules), UNKNOWN)
    verdicts[[origin == DEFINITION for origin in rules.origins]] = HOLDS
    plain = (verdicts == UNKNOWN) & ~rules.matrix[:, width:].any(axis=1)
    equal = np.flatnonzero(plain & rules.equality)
    rows = np.column_stack([rules.matrix[equal, :width], -rules.rhs[equal]])
    # a row is in the kernel of a Gram matrix if and only if its square is 0
    product = linalg.exact_product(rows, gram)
    verdicts[equal] = np.where((product == 0).all(axis=1), HOLDS, BROKEN)
    binary = np.diag(gram)[:-1] == gram[-1, :-1]  # integers with Σy² = Σy are 0 or 1
    for i in np.flatnonzero(plain & ~rules.equality):
        verdicts[i] = _at_most_one(rules.matrix[i, :width], int(rules.rhs[i]), gram, binary)
    return verdicts


def _at_most_one(row: IntArray, rhs: int, gram: IntArray, binary: BoolArray) -> int:
    """The verdict on "at most one of these literals"; UNKNOWN for any other row."""
    columns = np.flatnonzero(row)
    negated = row[columns] < 0
    if (np.abs(row[columns]) != 1).any() or rhs + int(negated.sum()) != 1 or not binary[columns].all():
        return UNKNOWN
    both, ones, n = gram[np.ix_(columns, columns)], gram[-1, columns], int(gram[-1, -1])
    first_is_one = np.where(negated[None, :], ones[:, None] - both, both)  # and the second literal is true
    first_is_zero = np.where(negated[None, :], n - ones[:, None] - ones[None, :] + both, ones[None, :] - both)
    together = np.where(negated[:, None], first_is_zero, first_is_one)
    np.fill_diagonal(together, 0)
    return BROKEN if together.any() else HOLDS
