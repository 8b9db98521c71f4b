"""Answer trial: do the rules or the seen labels answer held-out examples better?

Examples are held out fold by fold, and rules are mined from the others. A held-out example counts as answered rightly
by the rules if

- its label obeys the rules that were mined without it, and
- no label is worth more for its weights under the rules of the whole model and the cuts of the other examples.

It counts as answered rightly by the seen labels if the best label of the other examples is worth as much as its own.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from unwritten import budgets
from unwritten.building import build, of_some, slack_of, subset
from unwritten.data import BoolArray, IntArray, Variables, maximised, tolerance
from unwritten.data.products import row_values
from unwritten.effort import LATE, Effort, SpentError
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.model import Model
from unwritten.options import MiningOptions
from unwritten.progress import Progress, silent
from unwritten.solving import beaten
from unwritten.sources import Gathered


def with_forecast(model: Model, gathered: Gathered, options: MiningOptions, report: Progress = silent) -> Model:
    """The model with the forecast of its answers, unless models of the trial lack rules for want of time."""
    if gathered.examples.weights is None:
        return model

    def step(effort: Effort) -> Model:
        own = replace(effort, given_up={})
        tried = _tried(model, gathered, replace(options, effort=own), report)
        if LATE in own.given_up.values():
            raise SpentError(LATE)
        return tried

    return options.effort.within(inf, "how often answers are right", step, model)


def _tried(model: Model, gathered: Gathered, options: MiningOptions, report: Progress) -> Model:
    """The model with the forecast of its answers, if all weights are in memory and there are enough examples.

    Labels that are the bases of a matroid need none: the greedy answer was verified on all weights.
    """
    examples, gathered = gathered.examples, replace(gathered, stored=None)
    n, entries = len(examples), examples.labels.size
    if examples.weights is None or n < gathered.total.n or gathered.total.thinned or not options.automatic:
        return model
    too_few, too_many = n < budgets.ANSWER_EXAMPLES, entries > budgets.ANSWER_ENTRIES_MOST
    if too_few or too_many or model.matroid is not None or model.lifts:
        return model
    work = max(n, len(model.cuts)) * examples.labels.shape[1] ** 2  # symmetries make many cuts
    folds = int(np.clip(budgets.ANSWER_WORK // work, 1, budgets.ANSWER_FOLDS))
    parts = budgets.ANSWER_FOLDS
    if not any(e is not None and e.left_out for e in model.rules.evidence):
        options = replace(options, without=("limits",))  # there is nothing to try
    else:
        parts = budgets.ANSWER_LIMIT_SHARE
        enough = -(-budgets.ANSWER_LIMIT_QUERIES // max(1, n // parts))
        folds = min(folds, parts, max(budgets.ANSWER_LIMIT_FOLDS, enough))
    held_out = min(n // parts, budgets.ANSWER_QUERIES // folds)
    order = np.random.default_rng(0).permutation(n)
    trials: list[BoolArray] = []
    while len(trials) < folds and sum(2 * len(trial) < held_out for trial in trials) < budgets.ANSWER_HARD_FOLDS:
        report("trying answers", len(trials), folds)
        trials.append(_trial(model, gathered, options, np.roll(order, -len(trials) * held_out), held_out))
    right = np.concatenate(trials)
    if not len(right):
        return model
    by_rules, by_seen, excluded = right.T
    counts = [len(right), *(int(part.sum()) for part in (by_rules, by_seen, by_rules & by_seen, excluded))]
    return replace(model, forecast=AnswerForecast(*counts))


def _trial(model: Model, gathered: Gathered, options: MiningOptions, order: IntArray, held_out: int) -> BoolArray:
    """Hold out the first examples of the order, and try to answer them.

    For each that is settled: is it answered rightly by the rules, and by the seen labels? Is its label excluded?
    """
    examples = gathered.examples
    assert examples.weights is not None  # noqa: S101 - a trial is only made with weights
    asked, known = order[:held_out], order[held_out:]
    without = _mined_without(gathered, options, known)
    labels, weights = examples.labels[asked].astype(np.int64), maximised(examples.weights[asked], examples.sense)
    excluded = ~_obey(without, labels) | _beyond_seen(labels, examples.variables, without.seen)
    program = replace(without, rules=model.rules, redundant=model.redundant, matroid=None, gaps=model.gaps).program
    obeys = program.obeys(labels)
    better, settled = np.zeros(len(labels), bool), ~obeys
    better[obeys], settled[obeys] = beaten(program, weights[obeys], labels[obeys])
    equal = 2 * tolerance(weights, model.variables)
    _, best_seen = program.incumbents.best(weights, equal)
    by_seen = np.abs(best_seen - row_values(weights, labels)) <= equal
    return np.column_stack([obeys & ~excluded & ~better, by_seen, excluded])[settled]


def _obey(model: Model, labels: IntArray) -> BoolArray:
    """Which labels obey the rules and gaps."""
    return np.asarray(model.rules.obeyed_by(labels) & ~model.gaps.broken(labels).any(axis=1))


def _mined_without(gathered: Gathered, options: MiningOptions, known: IntArray) -> Model:
    """The model of the known examples. If they are many, its rules are mined from a fair sample of them only."""
    most = max(budgets.ANSWER_EXAMPLES, budgets.ANSWER_ENTRIES // gathered.examples.labels.shape[1])
    all_known, chosen = np.zeros((2, len(gathered.examples)), bool)
    all_known[known], chosen[known[:most]] = True, True
    model = build(*of_some(gathered, options, chosen))
    if options.noise_rate != 0 or len(known) <= most or len(options.symmetries):
        return model
    everything = subset(gathered, all_known)
    tally = everything.tally
    cuts = everything.cuts(everything.examples, tally.seen, slack_of(options.slack, all_known))
    return replace(model, cuts=cuts, seen=tally.seen, counts=tally.counts)


def _beyond_seen(labels: IntArray, variables: Variables, seen: IntArray) -> BoolArray:
    """Which labels lie outside the bounds that would have been read off the seen ones, if bounds are not declared."""
    if variables.declared:
        return np.zeros(len(labels), bool)
    box = Variables.of(seen)
    return np.asarray(((labels < box.lower) | (labels > box.upper)).any(axis=1))
