"""X-ray images in 96 classes without a given hierarchy: how much do mined rules improve a scorer?

Settings are chosen on held-out training rows; the test rows are used once, at the end. The seed of a net draws its
first weights and its batches. An SVM has no seed, so its runs differ by the rows on which its setting is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import unwritten
from experiments import datasets
from experiments.figures import figure
from experiments.result import Result, RunContext
from experiments.scorers.hierarchy_given import local_classifiers
from experiments.scorers.planted import before_and_after
from experiments.scorers.training import BCE, CRF, FENCHEL_YOUNG, SPO, TrainingSetting, logits_of
from unwritten.data import FloatArray, IntArray
from unwritten.sklearn import ConstrainedClassifier

EM, FEASIBLE, PRECISION = "exact match (%)", "feasible (%)", "average precision"
THRESHOLD, DECODED, GIVEN = "threshold", "mined rules, decoded", "hierarchy given, local classifiers"
SVM, SHORT, DECODE, PLANTED = "96 SVMs", "nets, 5 epochs", "decoding", "planted rules"
COSTS = (3.0, 10.0)
RATES = (1e-3, 3e-3, 1e-2, 2e-2)
NOISES = ((0.3, 0.1), (0.2, 0.4))
"""Dropout and Gaussian noise on the inputs, for long training."""
HELD_OUT = 2_000


@dataclass(frozen=True)
class ScorerData:
    """Standardised features and labels of both files, the class names, and the model mined from the training labels."""

    train: tuple[FloatArray, IntArray]
    test: tuple[FloatArray, IntArray]
    names: list[str]
    model: unwritten.Model

    @classmethod
    def load(cls, context: RunContext) -> ScorerData:
        """Read the files; a quick run takes 2,500 of the training rows."""
        features, labels, names = datasets.imclef("train", context.data)
        test, truth, _ = datasets.imclef("test", context.data)
        rows = np.random.default_rng(context.seed).permutation(len(features))[: context.pick(2_500, len(features))]
        mean, spread = features[rows].mean(axis=0), features[rows].std(axis=0) + 1e-9
        model = unwritten.mine(labels[rows])
        return cls(((features[rows] - mean) / spread, labels[rows]), ((test - mean) / spread, truth), names, model)

    @property
    def labels(self) -> Any:
        """The set of feasible labels, for losses and decoding."""
        from unwritten.torch import LabelSet

        return LabelSet(self.model)

    def split(self, seed: int, most: int) -> tuple[tuple[FloatArray, IntArray], tuple[FloatArray, IntArray]]:
        """Split the training rows: at most `most` rows to fit on, and others to choose a setting on."""
        order = np.random.default_rng(seed).permutation(len(self.train[0]))
        count = min(HELD_OUT, len(order) // 4)
        parts = order[count : count + most], order[:count]
        return tuple((self.train[0][part], self.train[1][part]) for part in parts)  # type: ignore[return-value]


def run(context: RunContext) -> Result:
    """Score SVMs, nets with and without a loss over the mined labels, and a scorer that is given the hierarchy."""
    result = Result("hmc-best", "Scorers with mined rules: ImCLEF07A, and planted rules")
    data = ScorerData.load(context)
    result.facts["mined"] = {"rules": len(data.model.rules), "labels": len(data.model.labels())}
    _svms(context, result, data)
    _nets(context, result, data)
    _short(context, result, data)
    _decoding(context, result, data)
    _planted(context, result)
    _draw(context, result)
    return result


def _svms(context: RunContext, result: Result, data: ScorerData) -> None:
    """Score one SVM per class; their cost C is chosen on held-out training rows, once per seed."""

    @cache
    def fitted(cost: float) -> ConstrainedClassifier:
        context.say(f"{SVM}: C = {cost:g} on all training rows")
        return _svm(cost).fit(*data.train)

    decoded, threshold, feasible, chosen = [], [], [], []
    for seed in range(context.pick(1, 5)):
        fit, choose = data.split(seed, context.pick(1_000, 4_000))
        costs = context.pick(COSTS[:1], COSTS)
        scores = []
        for cost in costs:
            context.say(f"{SVM}: seed {seed}, C = {cost:g}")
            scores.append(_svm(cost).fit(*fit).score(*choose) if len(costs) > 1 else 0.0)
        chosen.append(costs[int(np.argmax(scores))])
        best = fitted(chosen[-1])
        decoded.append(_exact(best.predict(data.test[0]), data.test[1]))
        plain = (best.decision_function(data.test[0]) > 0).astype(np.int64)
        threshold.append(_exact(plain, data.test[1]))
        feasible.append(100 * float(data.model.check(plain).feasible.mean()))
    result.facts["C"] = chosen
    _add(result, SVM, THRESHOLD, EM, threshold)
    _add(result, SVM, THRESHOLD, FEASIBLE, feasible)
    _add(result, SVM, DECODED, EM, decoded)
    labels = fitted(chosen[0]).predict(data.test[0])
    result.add(SVM, DECODED, FEASIBLE, None, 100 * float(data.model.check(labels).feasible.mean()))
    context.say(GIVEN)
    local = local_classifiers(data.names, data.train, data.test[0], lambda: SVC(C=chosen[0], gamma="scale"))
    result.add(SVM, GIVEN, EM, None, _exact(local, data.test[1]))


def _svm(cost: float) -> ConstrainedClassifier:
    scorer = make_pipeline(StandardScaler(), OneVsRestClassifier(SVC(C=cost, cache_size=500)))
    return ConstrainedClassifier(scorer, decode="rules")


def _nets(context: RunContext, result: Result, data: ScorerData) -> None:
    """Score nets with long training: choose learning rate and noise for each loss on held-out rows, train on all."""
    epochs = context.pick(6, 60)
    case = f"nets, {epochs} epochs"
    result.facts["settings"] = {}
    kinds = {CRF: 5, BCE: 5, FENCHEL_YOUNG: 2, SPO: 2}
    for loss, seeds in (kinds if not context.quick else {CRF: 2, BCE: 1}).items():
        rates = RATES[:2] if loss in (CRF, BCE) and not context.quick else RATES[:1]
        noises = context.pick(NOISES[:1], NOISES)
        options = [TrainingSetting(loss, epochs, rate, *noise) for rate in rates for noise in noises]
        setting = _chosen(context, data, options)
        result.facts["settings"][loss] = str(setting)
        logits = [logits_of(setting, data.labels, data.train, data.test[0], seed, context.say) for seed in range(seeds)]
        _score_nets(result, case, loss, data, logits)


def _score_nets(result: Result, case: str, loss: str, data: ScorerData, nets: list[FloatArray]) -> None:
    """Add the scores of nets that differ by their seed, given by their logits, and of their ensemble."""
    truth, name = data.test[1], f"{loss} loss"
    if loss == BCE:
        plain = [(logits > 0).astype(np.int64) for logits in nets]
        _add(result, case, f"{name}, {THRESHOLD}", EM, [_exact(labels, truth) for labels in plain])
        feasible = [100 * float(data.model.check(labels).feasible.mean()) for labels in plain]
        _add(result, case, f"{name}, {THRESHOLD}", FEASIBLE, feasible)
    decoded = [data.model.predict(logits) for logits in nets]
    _add(result, case, f"{name}, decoded", EM, [_exact(labels, truth) for labels in decoded])
    _add(result, case, f"{name}, decoded", PRECISION, [_precision(data, logits) for logits in nets])
    if len(nets) > 1:
        mean = np.mean(nets, axis=0)
        result.add(case, f"{name}, ensemble", EM, None, _exact(data.model.predict(mean), truth))
        result.add(case, f"{name}, ensemble", PRECISION, None, _precision(data, mean))


def _short(context: RunContext, result: Result, data: ScorerData) -> None:
    """Score nets after five epochs: with equal settings, and with the best learning rate of each loss."""
    seeds, gap = context.pick(1, 5), {}
    for title, rates in (("equal settings", RATES[1:2]), ("own learning rate", context.pick(RATES[1:3], RATES))):
        for loss in (CRF, BCE):
            options = [TrainingSetting(loss, 5, rate, dropout=0.0, noise=0.0) for rate in rates]
            setting = _chosen(context, data, options)
            nets = [
                logits_of(setting, data.labels, data.train, data.test[0], seed, context.say) for seed in range(seeds)
            ]
            scores = [_exact(data.model.predict(logits), data.test[1]) for logits in nets]
            _add(result, SHORT, f"{loss} loss, decoded, {title}", EM, scores)
            gap[title, loss] = float(np.mean(scores))
        result.add(SHORT, f"CRF over BCE, {title}", "points", None, gap[title, CRF] - gap[title, BCE])


def _chosen(context: RunContext, data: ScorerData, options: list[TrainingSetting]) -> TrainingSetting:
    """Return the setting whose decoded labels are right most often on held-out training rows."""
    if len(options) == 1:
        return options[0]
    fit, choose = data.split(context.seed, len(data.train[0]))
    nets = [logits_of(option, data.labels, fit, choose[0], context.seed, context.say) for option in options]
    return options[int(np.argmax([_exact(data.model.predict(logits), choose[1]) for logits in nets]))]


def _decoding(context: RunContext, result: Result, data: ScorerData) -> None:
    """Time one answer: from listed labels, and from one program of all rules and cuts."""
    context.say("decoding")
    epochs = context.pick(1, 5)
    setting = replace(TrainingSetting(BCE, epochs, 1e-2), dropout=0.0, noise=0.0)
    rows = context.pick(300, len(data.train[0]))
    train = data.train[0][:rows], data.train[1][:rows]
    every = np.concatenate([train[0], data.test[0]])
    logits = logits_of(setting, data.labels, data.train, every, context.seed)
    # As in the paper: equalities, and cuts with slack.
    model = unwritten.mine(train[1], logits[:rows], rules=["equalities"])
    weights = logits[rows:]
    model.predict(weights[:2])
    ours = min(_seconds(lambda: model.predict(weights)) for _ in range(3)) / len(weights)
    few = weights[: context.pick(2, 5)]
    start = perf_counter()
    slow = model.decide(few, engine="monolithic")
    theirs = (perf_counter() - start) / len(few)
    same = np.allclose(slow.values, model.decide(few).values)
    result.facts["same values"] = bool(same)
    result.add(DECODE, DECODED, "µs per sample, batched", None, 1e6 * ours)
    result.add(DECODE, "one MILP (HiGHS)", "ms per sample", None, 1e3 * theirs)
    result.add(DECODE, DECODED, "times faster", None, theirs / ours)


def _planted(context: RunContext, result: Result) -> None:
    """Score a second data set: generated labels that overlap, with known rules."""
    context.say(PLANTED)
    scores = np.array([before_and_after(seed) for seed in range(context.pick(2, 10))])
    _add(result, PLANTED, THRESHOLD, EM, scores[:, 0].tolist())
    _add(result, PLANTED, THRESHOLD, FEASIBLE, scores[:, 2].tolist())
    _add(result, PLANTED, DECODED, EM, scores[:, 1].tolist())
    _add(result, PLANTED, DECODED, "gain, points", (scores[:, 1] - scores[:, 0]).tolist())
    result.facts["gains"] = (scores[:, 1] - scores[:, 0]).tolist()


def _add(result: Result, case: str, model: str, measure: str, numbers: list[float]) -> None:
    """Add a row: the mean of the numbers and, if there are several, their standard deviation."""
    spread = float(np.std(numbers, ddof=1)) if len(numbers) > 1 else None
    result.add(case, model, measure, None, float(np.mean(numbers)), spread=spread)


def _exact(labels: IntArray, truth: IntArray) -> float:
    """Return the percentage of rows that are right in every label."""
    return 100 * float((labels == truth).all(axis=1).mean())


def _precision(data: ScorerData, logits: FloatArray) -> float:
    """Return the average precision of the joint marginals, over all labels at once."""
    from torch import from_numpy

    marginals = data.labels.marginals(from_numpy(logits)).numpy()
    return float(average_precision_score(data.test[1].ravel(), marginals.ravel()))


def _seconds(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def _draw(context: RunContext, result: Result) -> None:
    """Draw the exact match of every scorer."""
    shown = [(row.case, row.model, row.ours, row.spread or 0.0) for row in result.rows if row.measure == EM]
    shown = [row for row in shown if row[0] != PLANTED][::-1]
    with figure(context, result, "hmc-best") as axes:
        axes.figure.set_size_inches(7.2, 4.6)
        colours = [
            "#b8b8b8" if THRESHOLD in model else "#d9a441" if model == GIVEN else "#7fa6c2" for _, model, _, _ in shown
        ]
        places = np.arange(len(shown))
        axes.barh(places, [em for *_, em, _ in shown], xerr=[s for *_, s in shown], color=colours, zorder=2, capsize=2)
        axes.set_yticks(places, [f"{case}: {model}" for case, model, _, _ in shown], fontsize=7)
        axes.set_xlim(max(0, min(em for *_, em, _ in shown) - 8), 92)
        axes.set_xlabel("exact match on test rows (%)")
        axes.grid(axis="y", visible=False)
