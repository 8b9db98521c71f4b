"""Hierarchical classification of ImCLEF07A (section 4.3): mined rules on top of 36 base networks.

A base network gives each class a probability c; the weights of a query are w = c − 0.5. The rules depend on the labels
alone, so they are mined once. Each base network adds the cuts of its own weights, with slack (eq. 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import unwritten
from experiments import datasets
from experiments.paper import nets
from experiments.paper.hmc_figure import draw_outcomes
from experiments.paper.hmc_rules import prove
from experiments.paper.hmc_scores import BaseOutcome, HmcScore
from experiments.paper.published import HMC, HMC_MEASURES
from experiments.result import Result, RunContext
from unwritten.data import FloatArray, IntArray, among

HIDDEN = 80
#: the methods whose answers are always paths of the tree
MINED = ("Inner", "Outer+EQ", "Outer+Latent")
ALL = "all base models"
#: if fewer training labels than this share are right, Outer's programs may be too hard: try a few rows, for this long
WEAK, WEAK_ROWS, WEAK_SECONDS = 0.2, 40, 3.0


@dataclass(frozen=True)
class ImclefData:
    """Standardised features and labels of the training and the test file."""

    features: FloatArray
    labels: IntArray
    test_features: FloatArray
    test_labels: IntArray
    names: list[str]

    @cached_property
    def paths(self) -> IntArray:
        """The distinct labels of both files."""
        return np.unique(np.concatenate([self.labels, self.test_labels]), axis=0)


@dataclass(frozen=True)
class BaseNetwork:
    """A base network after some epochs: the weights that it gives to training and test rows."""

    layers: int
    lr: float
    epochs: int
    train: FloatArray
    test: FloatArray

    @property
    def title(self) -> str:
        """The settings of the network in words."""
        layers = "1 layer" if self.layers == 1 else f"{self.layers} layers"
        return f"{layers}, lr {self.lr:g}, {self.epochs} epoch{'s' if self.epochs > 1 else ''}"


def run(context: RunContext) -> Result:
    """Score every method on all base models; add a detailed table, exact facts about the rules, and the figure."""
    result = Result("hmc", "Hierarchical classification of ImCLEF07A")
    data = _load(context)
    context.say("mining")
    equal = unwritten.mine(data.labels, rules=["equalities"], names=data.names)
    latent = unwritten.mine(data.labels, rules=["equalities"], names=data.names, lifts="pairs")
    prove(result, data.paths, equal, latent)
    unseen = ~among(data.test_labels, equal.seen)
    result.facts["test paths not seen in training"] = int(unseen.sum())
    outcomes = [_score_methods(base, data, equal, latent, context) for base in _base_networks(data, context)]
    _tabulate(result, outcomes)
    draw_outcomes(context, result, outcomes)
    _explain(context, result, data, outcomes)
    return result


def _load(context: RunContext) -> ImclefData:
    """Read both files, standardised by the training features; a quick run draws 300 test rows at random."""
    features, labels, names = datasets.imclef("train", context.data)
    test_features, test_labels, _ = datasets.imclef("test", context.data)
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1.0
    # The test file is sorted by class, so its first rows would not be representative.
    rng = np.random.default_rng(context.seed)
    chosen = np.sort(rng.permutation(len(test_labels))[: context.pick(300, None)])
    return ImclefData(
        (features - mean) / spread, labels, ((test_features - mean) / spread)[chosen], test_labels[chosen], names
    )


def _base_networks(data: ImclefData, context: RunContext) -> Iterator[BaseNetwork]:
    """Train each network once, and yield it after several numbers of epochs."""
    epochs = context.pick((5, 20), (1, 5, 50, 300))
    for layers in context.pick((2,), (1, 2, 3)):
        for lr in context.pick((1e-3,), (1e-3, 3e-4, 1e-4)):
            net = nets.mlp(data.features.shape[1], data.labels.shape[1], HIDDEN, layers, context.seed)
            done = 0
            for until in epochs:
                context.say(f"training {layers} layers at {lr:g} to epoch {until}")
                seed = 1_000 * context.seed + done
                nets.train(net, data.features, data.labels, epochs=until - done, lr=lr, seed=seed)
                done = until
                train, test = (nets.probabilities(net, rows) - 0.5 for rows in (data.features, data.test_features))
                yield BaseNetwork(layers, lr, until, train, test)


def _score_methods(
    base: BaseNetwork, data: ImclefData, equal: unwritten.Model, latent: unwritten.Model, context: RunContext
) -> BaseOutcome:
    """Score every method on one base network."""
    context.say(f"deciding with {base.title}")
    outer = unwritten.mine(data.labels, base.train, rules=[], names=data.names)
    train_em = float(((base.train > 0) == data.labels).all(axis=1).mean())
    inner = outer.predict(base.test, engine="inner")
    answers = {"Baseline": (base.test > 0).astype(np.int64), "Inner": inner}
    for method, rules in (("Outer+EQ", equal), ("Outer+Latent", latent)):
        answers[method] = replace(rules, cuts=outer.cuts).predict(base.test)
    scores = {method: _score(labels, data.test_labels, data.paths) for method, labels in answers.items()}
    if train_em < WEAK:
        scores["Outer"] = _hard_outer(outer, base, data, inner, context.seed)
    else:
        scores["Outer"] = _score(outer.predict(base.test, n_jobs=2), data.test_labels, data.paths)
    return BaseOutcome(base.title, 100 * train_em, {method: scores[method] for method in HMC})


def _score(labels: IntArray, truth: IntArray, paths: IntArray) -> HmcScore:
    """Score labels against the truth; a label is feasible if it is one of the paths."""
    same = labels == truth
    em = 100 * float(same.all(axis=1).mean())
    return HmcScore(em, 100 * float(among(labels, paths).mean()), 100 * float(same.mean()), em, len(labels))


def _hard_outer(outer: unwritten.Model, base: BaseNetwork, data: ImclefData, inner: IntArray, seed: int) -> HmcScore:
    """Score Outer on a few random rows and, if all of them are decided in time, on all rows."""
    order = np.random.default_rng(seed).permutation(len(base.test))
    few = _timed_outer(outer, base, data, inner, order[:WEAK_ROWS])
    return few if few.undecided else _timed_outer(outer, base, data, inner, order)


def _timed_outer(
    outer: unwritten.Model, base: BaseNetwork, data: ImclefData, inner: IntArray, rows: IntArray
) -> HmcScore:
    """Score Outer with a time limit per query.

    With slack, Outer is a relaxation of Inner, and every path is a seen label. So a label that is better than all seen
    labels shows that Outer's answer is not a path, even before the best label is known. If no such label is found in
    time, Outer can be right at most where Inner is right.
    """
    decisions = outer.decide(base.test[rows], engine="lazy", time_limit=WEAK_SECONDS, n_jobs=2)
    truth = data.test_labels[rows]
    solved = decisions.status == unwritten.Status.OPTIMAL
    undecided = ~solved & ~(decisions.values > decisions.seen_values + 1e-9)
    same = decisions.labels == truth
    right = same.all(axis=1) & solved
    perhaps = (inner[rows] == truth).all(axis=1) & undecided
    return HmcScore(
        em=100 * float(right.mean()),
        feasibility=100 * float((among(decisions.labels, data.paths) & solved).mean()),
        accuracy=100 * float(same[solved].mean()) if solved.any() else None,
        at_most=100 * float((right | perhaps).mean()),
        queries=len(rows),
        undecided=int(undecided.sum()),
    )


def _tabulate(result: Result, outcomes: list[BaseOutcome]) -> None:
    """Add the table of the base model nearest to the paper's (or of all that tie), and what holds for all models."""
    wanted = HMC["Baseline"][0] or 0.0
    distance = [abs(outcome.scores["Baseline"].em - wanted) for outcome in outcomes]
    nearest = [outcome for outcome, gap in zip(outcomes, distance, strict=True) if gap == min(distance)]
    for outcome in nearest:
        for method, paper in HMC.items():
            for measure, theirs, ours in zip(HMC_MEASURES, paper, outcome.scores[method].numbers, strict=True):
                if ours is not None:
                    result.add(outcome.base, method, measure, theirs, ours)
    for method in MINED:
        result.add(ALL, method, "least gain in EM", None, min(outcome.gain(method) for outcome in outcomes))
        least = min(outcome.scores[method].feasibility for outcome in outcomes)
        result.add(ALL, method, "least feasibility", None, least)
    result.facts |= {
        "detailed base models": [outcome.base for outcome in nearest],
        "always feasible": all(outcome.scores[m].feasibility == 100 for outcome in outcomes for m in MINED),
        "always above Baseline": all(outcome.gain(m) > 0 for outcome in outcomes for m in MINED),
        "equal EM of Inner, Outer+EQ, Outer+Latent": all(
            len({outcome.scores[m].em for m in MINED}) == 1 for outcome in outcomes
        ),
        "Outer never above Inner": all(
            outcome.scores["Outer"].em <= outcome.scores["Inner"].em for outcome in outcomes if not outcome.is_weak
        ),
        "base models": [
            {
                "base": outcome.base,
                "train EM": outcome.train_em,
                **{method: vars(score) for method, score in outcome.scores.items()},
            }
            for outcome in outcomes
        ],
    }


def _explain(context: RunContext, result: Result, data: ImclefData, outcomes: list[BaseOutcome]) -> None:
    """Add the notes that a reader needs to understand the numbers."""
    facts = result.facts
    result.notes += [
        f"{len(outcomes)} base models, hidden width {HIDDEN} as in the paper's text (its appendix says 100), Adam, "
        "batches of 128, features standardised; each network is trained once and scored at several epochs, with a "
        "new optimiser after each. The paper and its code disagree on the settings, so its own base models cannot be "
        "recovered: the table is for the base model whose Baseline is nearest to 62.6 %, or for those that tie.",
        f"Both files hold the same {facts['paths']} label paths, all seen in training, so the data are really "
        f"{facts['paths']} classes. "
        f"The {facts['rank of the mined equalities']} equalities of the plain kernel, and those with latents, have "
        "exactly these paths as 0/1 points, so Inner, Outer+EQ and Outer+Latent give the same answers.",
        "The rules depend on the labels alone and are mined once; each base model adds its own cuts with slack. These "
        "never cut off a seen label, and the 0/1 points of the rules are exactly the seen labels, so they change no "
        "answer of Outer+EQ or Outer+Latent; they are tested all the same.",
        f"All {facts['of these implied by what is mined']} rules of the appendix are implied by what is mined with "
        f"pairs, but not conversely: rank {facts['rank of the appendix']} against "
        f"{facts['rank mined with latents']}, both with the rows that define the latents; the same 0/1 points.",
    ]
    if context.quick:
        result.notes.append(f"Quick form: {len(data.test_labels)} test rows at random, two base models.")
    weak = [outcome.scores["Outer"] for outcome in outcomes if outcome.is_weak]
    if weak:
        result.notes.append(
            f"Base models that get less than {100 * WEAK:.0f} % of the training labels right give Outer up to 10,000 "
            f"dense rows and no small optimum. {len(weak)} of them are too hard: Outer is asked about {WEAK_ROWS} "
            f"random test rows, {WEAK_SECONDS:g} s each, and {sum(s.undecided for s in weak)} of "
            f"{sum(s.queries for s in weak)} queries stay undecided; bars in the figure show the range this leaves."
        )
